// flyball: the command. Each subcommand has a file of its own; commands.cpp is the table of them.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/envtest.hpp"
#include "cli/run.hpp"
#include <unistd.h>

#include "flyball/cluster/node/sandbox.hpp"

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  return value == nullptr ? "" : value;
}

// Not for people: the node calls itself so, once for each pod.
int sandbox(const std::vector<std::string>& words) {
  try {
    return words.size() > 1 ? flyball::cluster::node::run_network_holder() : flyball::cluster::node::run_sandbox();
  } catch (const std::exception& error) {
    std::cerr << "flyball sandbox: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "sandbox") return sandbox(words);
  flyball::cli::Io io{.in = std::cin,
                      .out = std::cout,
                      .err = std::cerr,
                      .terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1,
                      .folder = std::filesystem::current_path(),
                      .variable = variable};
  // In the folder of `flyball envtest path` it goes by the names of the programs it stands for.
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  if (flyball::cli::is_envtest_program(name)) return flyball::cli::run_envtest_program(name, words, io);
  return flyball::cli::run_command(flyball::cli::all_commands(), words, io);
}
