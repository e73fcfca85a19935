#include "cli/flags.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "flyball/runtime/command_line.hpp"

namespace flyball::cli {
namespace {

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += &word == &words.back() ? " or " : ", ";
    text += word;
  }
  return text;
}

std::string with_help(const Command& command) { return "; `flyball " + command.name + " --help` lists them"; }

bool is_yes(const std::string& text) { return text == "true" || text == "yes" || text == "1"; }

// Completes the call that lacks something: "--kind KIND".
std::string usage_of(const Flag& flag) { return "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value); }

}  // namespace

const Flag& Given::flag(std::string_view name) const {
  const auto found = std::ranges::find_if(command_->flags, [&](const Flag& flag) { return flag.name == name; });
  if (found == command_->flags.end()) throw Error("flyball " + command_->name + " has no flag " + std::string(name));
  return *found;
}

std::string Given::text(std::string_view name) const {
  const Flag& of = flag(name);
  const auto found = values_.find(of.name);
  return found == values_.end() ? of.fallback : found->second.back();
}

bool Given::on(std::string_view name) const { return is_yes(text(name)); }

std::vector<std::string> Given::all(std::string_view name) const {
  const auto found = values_.find(flag(name).name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::int64_t Given::number(std::string_view name, std::int64_t low, std::int64_t high) const {
  const std::string value = text(name);
  std::int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [rest, wrong] = std::from_chars(value.data(), end, number);
  if (wrong == std::errc() && rest == end && number >= low && number <= high) return number;
  throw UsageError("--" + std::string(name) + ": expected a number from " + std::to_string(low) + " to " +
                   std::to_string(high) + ", found " + in_quotes(value));
}

std::string Given::argument(std::size_t at, const std::string& fallback) const {
  return at < arguments_.size() ? arguments_[at] : fallback;
}

// Goes over the words once.
class FlagReader {
 public:
  FlagReader(const Command& command, std::span<const std::string> words)
      : command_(command), words_(words), given_(command) {}

  Given read() {
    for (; at_ < words_.size(); ++at_) read_word(words_[at_]);
    if (!given_.help_) check();
    return std::move(given_);
  }

 private:
  void read_word(const std::string& word) {
    if (!ended_ && word == "--")
      ended_ = true;
    else if (!ended_ && (word == "--help" || word == "-h"))
      given_.help_ = true;
    else if (!ended_ && word.starts_with("--"))
      read_long(word);
    else if (!ended_ && word.size() > 1 && word.starts_with("-"))
      read_short(word);
    else
      given_.arguments_.push_back(word);
  }

  void read_long(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(2, equals == std::string_view::npos ? equals : equals - 2);
    const auto found = std::ranges::find_if(command_.flags, [&](const Flag& flag) { return flag.name == name; });
    if (found == command_.flags.end()) refuse_unknown(word.substr(0, equals));
    const bool has_value = equals != std::string_view::npos;
    set(*found, has_value ? std::optional<std::string>(word.substr(equals + 1)) : std::nullopt);
  }

  void read_short(std::string_view word) {
    const auto found = std::ranges::find_if(command_.flags, [&](const Flag& flag) { return flag.letter == word[1]; });
    if (found == command_.flags.end() || word[1] == '\0') refuse_unknown(word.substr(0, word.find('=')));
    if (word.size() == 2) return set(*found, std::nullopt);
    set(*found, std::string(word.substr(word[2] == '=' ? 3 : 2)));
  }

  void set(const Flag& flag, std::optional<std::string> value) {
    if (!value && flag.value.empty()) value = "true";
    if (!value && ++at_ == words_.size()) {
      throw UsageError("--" + flag.name + " needs a value: " + usage_of(flag));
    }
    if (!value) value = words_[at_];
    const bool on_or_off = flag.value.empty();
    if (on_or_off && !is_yes(*value) && *value != "false" && *value != "no" && *value != "0") {
      throw UsageError("--" + flag.name + ": expected true or false, found " + in_quotes(*value));
    }
    if (!flag.choices.empty() && std::ranges::find(flag.choices, *value) == flag.choices.end()) {
      throw UsageError("--" + flag.name + ": expected " + joined(flag.choices) + ", found " + in_quotes(*value));
    }
    // As everywhere: the last one counts, so that a script may put its own in front.
    auto& values = given_.values_[flag.name];
    if (!flag.repeats) values.clear();
    values.push_back(std::move(*value));
  }

  [[noreturn]] void refuse_unknown(std::string_view word) const {
    std::vector<std::string> names;
    names.reserve(command_.flags.size());
    for (const Flag& flag : command_.flags) names.push_back(flag.name);
    const std::string near = runtime::nearest(word.substr(word.find_first_not_of('-')), names);
    throw UsageError("there is no flag " + in_quotes(word) +
                     (near.empty() ? with_help(command_) : "; did you mean --" + near + "?"));
  }

  void check() const {
    const std::size_t count = given_.arguments_.size();
    if (count > command_.most_arguments && command_.most_arguments == 0) {
      throw UsageError("it takes flags only, found " + in_quotes(given_.arguments_.front()) + with_help(command_));
    }
    if (count > command_.most_arguments) {
      throw UsageError("one argument too many: " + in_quotes(given_.arguments_[command_.most_arguments]) +
                       "; it takes " + command_.arguments);
    }
    for (const Flag& flag : command_.flags) {
      if (flag.required && given_.text(flag.name).empty()) {
        throw UsageError("--" + flag.name + " is missing: " + usage_of(flag) + ", " + flag.help);
      }
    }
    if (count < command_.least_arguments) {
      throw UsageError("it needs " + command_.arguments + "; `flyball " + command_.name + " --help` has examples");
    }
  }

  const Command& command_;
  const std::span<const std::string> words_;
  std::size_t at_ = 0;
  bool ended_ = false;
  Given given_;
};

Given parse_flags(const Command& command, std::span<const std::string> words) {
  return FlagReader(command, words).read();
}

}  // namespace flyball::cli
