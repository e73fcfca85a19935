#include "suite.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>

#include "known_differences.hpp"
#include "target.hpp"

#include "flyball/base/error.hpp"

namespace flyball::differential {
namespace {

namespace fs = std::filesystem;

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

using OnAnswers = std::function<bool(const std::string& name, const std::vector<Answer>& answers)>;

// All cases on one real server. Returns how many were not as they should be.
int run_on_real(Clock& clock, const std::string& directory, const Filters& filters, const OnAnswers& each) {
  const std::unique_ptr<Target> target = real_target(clock);
  int wrong = 0;
  for (const std::string& name : case_names(directory, filters)) {
    try {
      if (!each(name, run_case(*target, clock, load_case(directory, name)))) ++wrong;
    } catch (const std::exception& error) {
      std::cerr << name << ": " << error.what() << '\n';
      ++wrong;
    }
  }
  return wrong;
}

}  // namespace

std::vector<std::string> case_names(const std::string& directory, const Filters& filters) {
  const fs::path root = fs::path(directory) / "cases";
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".case") continue;
    const std::string name = fs::relative(entry.path(), root).replace_extension().generic_string();
    const auto begins = [&](const std::string& filter) { return name.starts_with(filter); };
    if (filters.empty() || std::any_of(filters.begin(), filters.end(), begins)) names.push_back(name);
  }
  const auto order = [](const std::string& name) {
    return std::pair(!name.starts_with("discovery/"), std::string_view(name));
  };
  std::sort(names.begin(), names.end(),
            [&](const std::string& a, const std::string& b) { return order(a) < order(b); });
  return names;
}

Case load_case(const std::string& directory, const std::string& name) {
  return {.name = name, .text = read(path_of(directory, name, ".case"))};
}

std::string load_answers(const std::string& directory, const std::string& name) {
  return read(path_of(directory, name, ".answers"));
}

int record(Clock& clock, const std::string& directory, const Filters& filters) {
  return run_on_real(clock, directory, filters, [&](const std::string& name, const std::vector<Answer>& answers) {
    const fs::path path = path_of(directory, name, ".answers");
    const std::string text = write_answers(answers);
    const bool same = fs::exists(path) && read(path) == text;
    if (!same) {
      std::ofstream(path, std::ios::binary) << text;
      std::cout << "recorded " << name << '\n';
    }
    return true;
  });
}

int check(Clock& clock, const std::string& directory, const Filters& filters) {
  return run_on_real(clock, directory, filters, [&](const std::string& name, const std::vector<Answer>& answers) {
    const auto differences = compare(read_answers(load_answers(directory, name)), answers);
    if (!differences.empty()) std::cerr << name << " is not answered as recorded:\n" << describe(differences);
    return differences.empty();
  });
}

std::string verify(Clock& clock, const std::string& directory, const std::string& name) {
  const std::unique_ptr<Target> target = embedded_target(clock);
  const std::vector<Answer> answers = run_case(*target, clock, load_case(directory, name));
  const auto known = parse_known_differences(read(fs::path(directory) / "known_differences.txt"));
  const auto judgement = judge(name, compare(read_answers(load_answers(directory, name)), answers), known);
  std::string text = describe(judgement.unknown);
  for (const KnownDifference& one : judgement.outdated) {
    text +=
        "  known_differences.txt says that " + one.field + " of " + one.where + " differs. It does not: remove it.\n";
  }
  return text;
}

}  // namespace flyball::differential
