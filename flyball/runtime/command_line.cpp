#include "flyball/runtime/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/base/text.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::runtime {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

[[noreturn]] void refuse(const std::string& where, const std::string& problem) { throw InputError({}, where, problem); }

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    if (!item.empty()) items.emplace_back(item);
    text.remove_prefix(std::min(text.size(), item.size() + 1));
  }
  return items;
}

bool parse_yes_or_no(const std::string& text) {
  for (const char* yes : {"true", "1", "yes", "on"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"false", "0", "no", "off"}) {
    if (text == no) return false;
  }
  throw Error(quoted(text) + " is neither true nor false");
}

std::int64_t parse_number(const std::string& text, std::int64_t low, std::int64_t high) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, wrong] = std::from_chars(text.data(), end, number);
  if (wrong == std::errc::invalid_argument || rest != end) throw Error(quoted(text) + " is not a whole number");
  if (wrong != std::errc() || number < low || number > high) {
    throw Error(text + " is not between " + std::to_string(low) + " and " + std::to_string(high));
  }
  return number;
}

// How many letters must be put in, taken out, changed or swapped with the next.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({changed, rows[i - 1][j] + 1, rows[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

std::string from_process(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  return value == nullptr ? "" : value;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> known) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    // A beginning is near, however much is left out: --metrics.
    const std::size_t apart = word.size() >= 3 && candidate.starts_with(word) ? 1 : distance(word, candidate);
    if (apart >= fewest) continue;
    fewest = apart;
    best = candidate;
  }
  return best;
}

CommandLine::CommandLine(std::string program, std::string about)
    : program_(std::move(program)), about_(std::move(about)) {}

void CommandLine::command(std::string name, std::string help) {
  commands_.push_back({std::move(name), std::move(help)});
}

void CommandLine::flag(std::string name, std::string& to, FlagOptions options) {
  flag_with(std::move(name), to, [&to](const std::string& text) { to = text; }, std::move(options));
}

void CommandLine::flag(std::string name, std::vector<std::string>& to, FlagOptions options) {
  std::string shown = joined(to, ",");
  // What is given replaces the default; what is given again adds to it. parse() says which with an empty text.
  const auto take = [&to](const std::string& text) {
    if (text.empty()) to.clear();
    for (std::string& item : split_list(text)) to.push_back(std::move(item));
  };
  flag_with(std::move(name), std::move(shown), take, std::move(options));
  flags_.back().repeats = true;
}

void CommandLine::flag(std::string name, bool& to, FlagOptions options) {
  flag_with(
      std::move(name), to ? "true" : "", [&to](const std::string& text) { to = parse_yes_or_no(text); },
      std::move(options));
  flags_.back().yes_or_no = true;
}

void CommandLine::flag(std::string name, std::optional<bool>& to, FlagOptions options) {
  flag_with(
      std::move(name), to ? (*to ? "true" : "false") : "",
      [&to](const std::string& text) { to = parse_yes_or_no(text); }, std::move(options));
  flags_.back().yes_or_no = true;
}

void CommandLine::flag(std::string name, Duration& to, FlagOptions options) {
  const auto take = [&to](const std::string& text) {
    Duration parsed = {};
    try {
      parsed = kube::Duration::parse(text).as<Duration>();
    } catch (const InputError&) {
      throw Error(quoted(text) + " is no span of time; write it as 30s, 5m or 1h30m");
    }
    if (parsed < Duration()) throw Error(text + " is less than nothing");
    to = parsed;
  };
  flag_with(std::move(name), duration_text(to), take, std::move(options));
}

void CommandLine::choice(std::string name, std::string& to, std::vector<std::string> words, FlagOptions options) {
  if (options.value.empty()) options.value = joined(words, "|");
  const auto take = [&to, words = std::move(words)](const std::string& text) {
    if (std::ranges::find(words, text) == words.end()) {
      throw Error(quoted(text) + " is none of " + joined(words, ", "));
    }
    to = text;
  };
  flag_with(std::move(name), to, take, std::move(options));
}

void CommandLine::add_number(std::string name, std::string shown, std::int64_t low, std::int64_t high,
                             std::function<void(std::int64_t)> set, FlagOptions options) {
  const auto take = [low, high, set = std::move(set)](const std::string& text) { set(parse_number(text, low, high)); };
  flag_with(std::move(name), std::move(shown), take, std::move(options));
}

void CommandLine::flag_with(std::string name, std::string shown, Take take, FlagOptions options) {
  flags_.push_back({std::move(name), std::move(shown), false, false, std::move(take), std::move(options)});
}

// --- parsing

// Goes over the words once; flags are looked up, and set at the end, when all of them are known to be right by name.
class CommandLine::Reader {
 public:
  Reader(const CommandLine& line, std::span<const std::string> words) : line_(line), words_(words) {}

  Parsed read() {
    for (; at_ < words_.size(); ++at_) read_word(words_[at_]);
    return std::move(parsed_);
  }
  const std::vector<std::pair<const Flag*, std::string>>& given() const { return given_; }

 private:
  void read_word(const std::string& word) {
    if (!flags_ended_ && word == "--")
      flags_ended_ = true;
    else if (!flags_ended_ && (word == "--help" || word == "-h"))
      parsed_.help = true;
    else if (!flags_ended_ && word.starts_with("--"))
      read_flag(word);
    else if (!flags_ended_ && word.size() > 1 && word.starts_with("-"))
      refuse_single_dash(word);
    else if (parsed_.command.empty() && !line_.commands_.empty())
      parsed_.command = word;
    else
      parsed_.arguments.push_back(word);
  }

  void read_flag(std::string_view word) {
    word.remove_prefix(2);
    const std::string_view name = word.substr(0, word.find('='));
    const Flag& flag = line_.find(name);
    if (name.size() < word.size()) {
      given_.emplace_back(&flag, word.substr(name.size() + 1));
    } else if (flag.yes_or_no) {
      given_.emplace_back(&flag, "true");
    } else {
      if (at_ + 1 == words_.size())
        refuse("--" + flag.name, "it needs a value: --" + flag.name + " " + flag.options.value);
      given_.emplace_back(&flag, words_[++at_]);
    }
  }

  [[noreturn]] void refuse_single_dash(const std::string& word) const {
    const std::string name = word.substr(1, word.find('=') - 1);
    const bool known = std::ranges::any_of(line_.flags_, [&](const Flag& flag) { return flag.name == name; });
    refuse(word, known ? "flags have two dashes: -" + word : "there is no such flag; --help lists those there are");
  }

  const CommandLine& line_;
  const std::span<const std::string> words_;
  std::size_t at_ = 0;
  bool flags_ended_ = false;
  Parsed parsed_;
  std::vector<std::pair<const Flag*, std::string>> given_;
};

const CommandLine::Flag& CommandLine::find(std::string_view name) const {
  const auto found = std::ranges::find_if(flags_, [&](const Flag& flag) { return flag.name == name; });
  if (found != flags_.end()) return *found;
  const std::vector<std::string> names = names_of(flags_);
  const std::string near = nearest(name, names);
  refuse("--" + std::string(name),
         "there is no such flag; " + (near.empty() ? "--help lists those there are" : "did you mean --" + near + "?"));
}

void CommandLine::check_command(const Parsed& parsed) const {
  if (commands_.empty() || parsed.command.empty()) return;
  const std::vector<std::string> names = names_of(commands_);
  if (std::ranges::find(names, parsed.command) != names.end()) return;
  const std::string near = nearest(parsed.command, names);
  refuse(parsed.command, "there is no such command; " +
                             (near.empty() ? "there are " + joined(names, ", ") : "did you mean " + near + "?"));
}

void CommandLine::take_environment(const Environment& environment) const {
  for (const Flag& flag : flags_) {
    if (flag.options.environment.empty()) continue;
    const std::string value = environment(flag.options.environment.c_str());
    if (value.empty()) continue;
    try {
      if (flag.repeats) flag.take("");
      flag.take(value);
    } catch (const Error& error) {
      refuse("the environment variable " + flag.options.environment, error.what());
    }
  }
}

Parsed CommandLine::parse(std::span<const std::string> arguments, const Environment& environment) const {
  Reader reader(*this, arguments);
  Parsed parsed = reader.read();
  if (parsed.help) return parsed;
  check_command(parsed);
  take_environment(environment ? environment : Environment(from_process));
  std::vector<const Flag*> begun;
  for (const auto& [flag, value] : reader.given()) {
    try {
      if (flag->repeats && std::ranges::find(begun, flag) == begun.end()) flag->take("");
      flag->take(value);
    } catch (const Error& error) {
      refuse("--" + flag->name, error.what());
    }
    begun.push_back(flag);
  }
  return parsed;
}

Parsed CommandLine::parse(int argc, const char* const* argv, const Environment& environment) const {
  const std::span<const char* const> words(argv, static_cast<std::size_t>(std::max(argc, 0)));
  std::vector<std::string> arguments;
  for (const char* word : words.subspan(std::min<std::size_t>(1, words.size()))) arguments.emplace_back(word);
  return parse(arguments, environment);
}

}  // namespace flyball::runtime
