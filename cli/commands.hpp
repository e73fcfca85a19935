// The commands of `flyball`, one line each. What a command is: command.hpp.
//
// Thread-safety: pure functions.
#pragma once

#include <vector>

#include "cli/command.hpp"

namespace flyball::cli {

// In the order of the help.
std::vector<Command> all_commands();

Command apply_command();
Command build_command();
Command completion_command();
Command create_api_command();
Command delete_api_command();
Command delete_command();
Command deploy_command();
Command describe_command();
Command dev_command();
Command envtest_path_command();
Command doctor_command();
Command events_command();
Command explain_command();
Command get_command();
Command help_command();
Command image_build_command();
Command image_inspect_command();
Command image_pull_command();
Command image_push_command();
Command init_command();
Command install_command();
Command logs_command();
Command manifests_command();
Command run_project_command();
Command tree_command();
Command undeploy_command();
Command uninstall_command();
Command version_command();
Command wait_command();

}  // namespace flyball::cli
