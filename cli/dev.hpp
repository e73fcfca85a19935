// flyball dev: a small Kubernetes in the foreground: API server, controllers and a node, until Ctrl-C.
#pragma once

#include <string_view>
#include <vector>

namespace flyball::cli {

// What the process ends with.
int dev(const std::vector<std::string_view>& arguments);

}  // namespace flyball::cli
