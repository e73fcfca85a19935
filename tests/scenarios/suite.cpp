#include "suite.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "flyball/base/error.hpp"

namespace flyball::scenarios {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw Error("cannot read " + path.string());
  return text.str();
}

fs::path path_of(const std::string& directory, const std::string& name, const std::string& extension) {
  return fs::path(directory) / "cases" / (name + extension);
}

constexpr std::string_view kDash = " — ";
constexpr std::string_view kCheckpoint = "=== ";

// "Deployment web: status.replicas: 3" is written below its object, indented.
bool belongs_to(const std::string& line, const std::string& object) {
  return !object.empty() && line.starts_with(object + ": ");
}

std::string without_count(const std::string& line) { return line.substr(0, line.find(" (")); }

// The lines of one side that the other lacks, both in their order.
struct Difference {
  Lines missing;
  Lines extra;
};

Difference difference_of(const Lines& expected, const Lines& seen) {
  std::map<std::string, int> counts;
  for (const std::string& line : expected) ++counts[line];
  for (const std::string& line : seen) --counts[line];
  Difference difference;
  auto missing = counts;
  for (const std::string& line : expected) {
    if (missing[line]-- > 0) difference.missing.push_back(line);
  }
  for (const std::string& line : seen) {
    if (counts[line]++ < 0) difference.extra.push_back(line);
  }
  return difference;
}

Lines* lines_at(std::vector<Checkpoint>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Checkpoint::name);
  return found == all.end() ? nullptr : &found->lines;
}

}  // namespace

std::vector<std::string> scenario_names(const std::string& directory, const Filters& filters) {
  const fs::path root = fs::path(directory) / "cases";
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = fs::relative(entry.path(), root).replace_extension().generic_string();
    const auto begins = [&](const std::string& filter) { return name.starts_with(filter); };
    if (filters.empty() || std::ranges::any_of(filters, begins)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Scenario load_scenario(const std::string& directory, const std::string& name) {
  return parse_scenario(name, read(path_of(directory, name, ".yaml")));
}

std::vector<Checkpoint> load_seen(const std::string& directory, const std::string& name) {
  std::istringstream text(read(path_of(directory, name, ".seen")));
  std::vector<Checkpoint> seen;
  std::string object;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(kCheckpoint)) {
      seen.push_back({.name = line.substr(kCheckpoint.size()), .lines = {}});
    } else if (seen.empty()) {
      throw Error(name + ".seen does not begin with a checkpoint");
    } else if (line.starts_with("  ")) {
      seen.back().lines.push_back(object + ": " + line.substr(2));
    } else if (!line.empty()) {
      object = without_count(line);
      seen.back().lines.push_back(line);
    }
  }
  return seen;
}

void save_seen(const std::string& directory, const std::string& name, const std::vector<Checkpoint>& seen) {
  std::string text;
  for (const Checkpoint& checkpoint : seen) {
    text += (text.empty() ? "" : "\n") + std::string(kCheckpoint) + checkpoint.name + "\n";
    std::string object;
    for (const std::string& line : checkpoint.lines) {
      if (belongs_to(line, object)) {
        text += "  " + line.substr(object.size() + 2) + "\n";
      } else {
        object = without_count(line);
        text += line + "\n";
      }
    }
  }
  std::ofstream(path_of(directory, name, ".seen"), std::ios::binary) << text;
}

std::vector<KnownDifference> parse_known(std::string_view text) {
  std::vector<KnownDifference> known;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto colon = line.find(": ");
    const auto dash = line.rfind(kDash);
    if (colon == std::string::npos || dash == std::string::npos || dash < colon) {
      throw Error("known_differences.txt: expected \"topic/case/checkpoint: words — reason\", found: " + line);
    }
    known.push_back({.where = line.substr(0, colon),
                     .words = line.substr(colon + 2, dash - colon - 2),
                     .reason = line.substr(dash + kDash.size())});
  }
  return known;
}

std::vector<KnownDifference> load_known(const std::string& directory) {
  return parse_known(read(fs::path(directory) / "known_differences.txt"));
}

std::string compare(const std::string& name, const std::vector<Checkpoint>& expected,
                    const std::vector<Checkpoint>& seen, const std::vector<KnownDifference>& known) {
  std::string text;
  std::vector<bool> used(known.size());
  const std::string anywhere = name + "/*";
  const auto is_known = [&](const std::string& checkpoint, const std::string& line) {
    const std::string here = name + "/" + checkpoint;
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].where != here && known[i].where != anywhere) continue;
      if (line.find(known[i].words) == std::string::npos) continue;
      used[i] = true;
      found = true;
    }
    return found;
  };
  std::vector<Checkpoint> rest = seen;
  for (const Checkpoint& checkpoint : expected) {
    const Lines* lines = lines_at(rest, checkpoint.name);
    const Difference difference = difference_of(checkpoint.lines, lines == nullptr ? Lines() : *lines);
    std::string wrong;
    for (const std::string& line : difference.missing) {
      if (!is_known(checkpoint.name, line)) wrong += "  - " + line + "\n";
    }
    for (const std::string& line : difference.extra) {
      if (!is_known(checkpoint.name, line)) wrong += "  + " + line + "\n";
    }
    if (!wrong.empty()) text += "at " + checkpoint.name + " (- as recorded, + as it is):\n" + wrong;
  }
  for (const Checkpoint& checkpoint : seen) {
    const auto same = [&](const Checkpoint& one) { return one.name == checkpoint.name; };
    if (std::ranges::none_of(expected, same)) text += "nothing was recorded at " + checkpoint.name + "\n";
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (used[i] || known[i].where.substr(0, known[i].where.rfind('/')) != name) continue;
    text += "known_differences.txt says that \"" + known[i].words + "\" differs. It does not: remove it.\n";
  }
  return text;
}

}  // namespace flyball::scenarios
