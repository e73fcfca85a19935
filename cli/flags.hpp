// Given: what stands on the command line of one command, checked against what the command knows.
//
//   const Given given = parse_flags(command, {"--domain", "example.com", "-o=json", "name"});
//   given.text("domain");             // the value, or the flag's fallback
//   given.on("watch");                // a flag that is on or off: --watch, --watch=false
//   given.all("image");               // of a flag that repeats
//   given.has("port");                // somebody wrote it
//   given.arguments();                // what is no flag, in order
//
// Flags are written `--name value`, `--name=value`, `-n value`, `-n=value`, `-nvalue`; they may stand anywhere. `--`
// ends them.
//
// Errors: UsageError that names the flag, what was expected, and the nearest flag there is.
//
// Thread-safety: a value. Lifetime: the command outlives it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace flyball::cli {

class Given {
 public:
  explicit Given(const Command& command) : command_(&command) {}

  const Command& command() const { return *command_; }
  bool help() const { return help_; }
  bool has(std::string_view name) const { return values_.contains(flag(name).name); }
  std::string text(std::string_view name) const;
  bool on(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  // A whole number within the bounds.
  std::int64_t number(std::string_view name, std::int64_t low, std::int64_t high) const;
  const std::vector<std::string>& arguments() const { return arguments_; }
  // Of the arguments, counted from 0; the fallback when there are fewer.
  std::string argument(std::size_t at, const std::string& fallback = {}) const;

 private:
  friend class FlagReader;
  // A name that the command does not have is a mistake of ours.
  const Flag& flag(std::string_view name) const;

  const Command* command_;
  bool help_ = false;
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> arguments_;
};

Given parse_flags(const Command& command, std::span<const std::string> words);

}  // namespace flyball::cli
