// The texts that are made from the table of commands: help, man page, reference.
//
//   help_of(command);                    // flyball init --help
//   help_of(commands);                   // flyball help
//   man_page(commands);                  // flyball help --man: roff, for man(1)
//   reference(commands);                 // flyball help --markdown: docs/commands.md
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace flyball::cli {

std::string help_of(const Command& command);
std::string help_of(const std::vector<Command>& commands);
// Of `create`: its commands.
std::string help_of_group(const std::vector<Command>& commands, std::string_view group);
std::string man_page(const std::vector<Command>& commands);
std::string reference(const std::vector<Command>& commands);

// "flyball init [flags] NAME"
std::string usage_of(const Command& command);
// "-o, --output FORMAT"
std::string left_of(const Flag& flag);
// What it does, and what it is when it is not given.
std::string right_of(const Flag& flag);
std::string_view heading_of(Topic topic);

// What the exit codes mean, in the order of the numbers.
inline constexpr std::string_view kExitCodes[] = {
    "0  it was done",
    "1  it could not be done; the last line on standard error says why and what to do next",
    "2  the command line is wrong; nothing was done",
};

}  // namespace flyball::cli
