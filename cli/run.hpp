// run_command: from the words of a command line to an exit code.
//
//   return run_command(all_commands(), {argv + 1, argv + argc}, io);
//
// What goes wrong becomes one line on io.err, "flyball init: …", and never an exception.
//
// Thread-safety: as the command that runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace flyball::cli {

int run_command(const std::vector<Command>& commands, std::span<const std::string> words, Io& io);

// The command these words begin with, and how many of them are its name; the longest name wins. Null: there is none.
struct Found {
  const Command* command = nullptr;
  std::size_t words = 0;
};
Found find_command(const std::vector<Command>& commands, std::span<const std::string> words);

}  // namespace flyball::cli
