// The flags of `flyball dev`.
//
// Errors: Error that names the flag, and what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/cluster/cluster.hpp"

namespace flyball::cli {

struct DevFlags {
  std::uint16_t port = 6443;
  std::string data_dir = {};
  std::string kubeconfig = ".flyball/kubeconfig";
  cluster::NodeKind node = cluster::NodeKind::best;
  std::vector<std::pair<std::string, std::string>> images = {};  // names and programs
  std::string images_file = {};
  bool bare = false;
  bool quiet = false;
  bool help = false;
};

extern const std::string_view kDevHelp;

DevFlags parse_dev_flags(const std::vector<std::string_view>& arguments);

}  // namespace flyball::cli
