#include "cli/commands.hpp"

namespace flyball::cli {

std::vector<Command> all_commands() {
  // clang-format off: one line each, so that changes by different people do not meet
  return {
      init_command(),
      create_api_command(),
      delete_api_command(),
      build_command(),
      manifests_command(),
      install_command(),
      uninstall_command(),
      run_project_command(),
      deploy_command(),
      undeploy_command(),
      dev_command(),
      envtest_path_command(),
      image_build_command(),
      image_inspect_command(),
      image_push_command(),
      image_pull_command(),
      get_command(),
      describe_command(),
      tree_command(),
      events_command(),
      logs_command(),
      explain_command(),
      apply_command(),
      delete_command(),
      wait_command(),
      doctor_command(),
      completion_command(),
      version_command(),
      help_command(),
  };
  // clang-format on
}

}  // namespace flyball::cli
