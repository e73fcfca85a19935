#include "cli/commands.hpp"

namespace flyball::cli {

std::vector<Command> all_commands() {
  return {
      dev_command(),    image_build_command(), image_inspect_command(), image_push_command(), image_pull_command(),
      doctor_command(), completion_command(),  version_command(),       help_command(),
  };
}

}  // namespace flyball::cli
