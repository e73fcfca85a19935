// flyball: the command. Each subcommand has a file of its own.
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "dev.hpp"

#include "flyball/cluster/node/sandbox.hpp"

namespace {

constexpr std::string_view kHelp = R"(flyball: Kubernetes operators in C++

Usage: flyball <command> [flags]

  dev        a small Kubernetes on this machine, for kubectl, operators and tests
  help       this text

`flyball <command> --help` tells more.
)";

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const std::string_view command = arguments.empty() ? "help" : arguments.front();
  try {
    // Not for people: the node calls itself so, once for each pod.
    if (command == "sandbox") {
      return arguments.size() > 1 ? flyball::cluster::node::run_network_holder()
                                  : flyball::cluster::node::run_sandbox();
    }
    if (command == "dev") return flyball::cli::dev({arguments.begin() + 1, arguments.end()});
    if (command == "help" || command == "--help" || command == "-h") {
      std::cout << kHelp;
      return 0;
    }
    std::cerr << "flyball: there is no command \"" << command << "\"; `flyball help` lists them\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "flyball " << command << ": " << error.what() << "\n";
    return 1;
  }
}
