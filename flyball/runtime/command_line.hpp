// CommandLine: commands and flags of an operator, from the command line and the environment, with a --help.
//
//   std::string address = ":8080";
//   int concurrency = 4;
//   CommandLine line("memcached-operator", "Keeps memcached clusters as their resources ask.");
//   line.command("run", "Run the operator.");
//   line.flag("metrics-address", address, {.value = "ADDRESS", .help = "Where /metrics is served."});
//   line.flag("concurrency", concurrency, {.value = "N", .help = "Passes at once.", .environment = "CONCURRENCY"});
//   const auto parsed = line.parse(argc, argv);
//   if (parsed.help) return print(line.help());
//
// A flag is written `--name value` or `--name=value`; a yes-or-no flag `--name`, `--name=false`. What the variable
// holds when the flag is declared is its default. The command line wins over the environment, the environment over the
// default. `--` ends the flags. What is wrong is an InputError that names the flag, the value, and the nearest flag
// there is.
//
// Kinds of values: text, lists of text (`a,b`, or the flag several times), whole numbers, yes or no, spans of time
// (`1m30s`), and whatever a function of yours takes (flag_with).
//
// Thread-safety: one thread at a time. Lifetime: the variables outlive the parsing.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"

namespace flyball::runtime {

struct FlagOptions {
  std::string value = {};        // what stands for the value in the help: "FILE"
  std::string help = {};         // one or two sentences
  std::string environment = {};  // the variable that sets it too; empty: none
};

struct Parsed {
  std::string command = {};                 // empty: none was given
  std::vector<std::string> arguments = {};  // what follows the command and is no flag
  bool help = false;                        // --help or -h was given: nothing was set
};

class CommandLine {
 public:
  // Takes the text of a value; throws InputError, or any Error, with what is wrong with it.
  using Take = std::function<void(const std::string&)>;

  CommandLine(std::string program, std::string about);

  // The first one is what is done when none is given.
  void command(std::string name, std::string help);

  void flag(std::string name, std::string& to, FlagOptions options);
  void flag(std::string name, std::vector<std::string>& to, FlagOptions options);
  void flag(std::string name, bool& to, FlagOptions options);
  // Neither yes nor no until it is given; the help says what that means.
  void flag(std::string name, std::optional<bool>& to, FlagOptions options);
  void flag(std::string name, Duration& to, FlagOptions options);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void flag(std::string name, T& to, FlagOptions options) {
    const auto low = static_cast<std::int64_t>(std::numeric_limits<T>::min());
    const auto high = sizeof(T) == sizeof(std::int64_t) ? std::numeric_limits<std::int64_t>::max()
                                                        : static_cast<std::int64_t>(std::numeric_limits<T>::max());
    add_number(
        std::move(name), std::to_string(to), low, high, [&to](std::int64_t n) { to = static_cast<T>(n); },
        std::move(options));
  }
  // One of a few words.
  void choice(std::string name, std::string& to, std::vector<std::string> words, FlagOptions options);
  // `shown` is the default, as the help says it; empty: none.
  void flag_with(std::string name, std::string shown, Take take, FlagOptions options);

  using Environment = std::function<std::string(const char*)>;
  // Throws InputError. Default environment: the process's.
  Parsed parse(int argc, const char* const* argv, const Environment& environment = {}) const;
  Parsed parse(std::span<const std::string> arguments, const Environment& environment = {}) const;

  // For a terminal of 100 columns.
  std::string help() const;

 private:
  struct Flag {
    std::string name;
    std::string shown;  // the default
    bool yes_or_no = false;
    bool repeats = false;  // each time adds to the value
    Take take;
    FlagOptions options;
  };
  struct Command {
    std::string name;
    std::string help;
  };
  class Reader;

  void add_number(std::string name, std::string shown, std::int64_t low, std::int64_t high,
                  std::function<void(std::int64_t)> set, FlagOptions options);
  const Flag& find(std::string_view name) const;
  void take_environment(const Environment& environment) const;
  void check_command(const Parsed& parsed) const;

  std::string program_;
  std::string about_;
  std::vector<Command> commands_;
  std::vector<Flag> flags_;
};

// The word of `known` that `word` most likely meant; empty when none is near.
std::string nearest(std::string_view word, std::span<const std::string> known);

}  // namespace flyball::runtime
