#include "cli/commands.hpp"

namespace flyball::cli {

std::vector<Command> all_commands() {
  return {
      dev_command(), doctor_command(), completion_command(), version_command(), help_command(),
  };
}

}  // namespace flyball::cli
