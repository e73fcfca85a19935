// The flags of `flyball dev`.
//
// Errors: UsageError that names the flag, and what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"

#include "flyball/cluster/cluster.hpp"

namespace flyball::cli {

struct DevFlags {
  std::uint16_t port = 6443;
  std::string data_dir = {};
  std::string kubeconfig = ".flyball/kubeconfig";
  cluster::NodeKind node = cluster::NodeKind::best;
  std::vector<std::pair<std::string, std::string>> images = {};  // names and programs
  std::string images_file = {};
  bool install_images = false;
  bool bare = false;
  bool quiet = false;
};

// What the command line may say, and what it said.
std::vector<Flag> dev_flags();
DevFlags dev_flags_of(const Given& given);

}  // namespace flyball::cli
