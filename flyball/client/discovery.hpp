// Discovery: which resources the server has, custom ones and those of aggregated servers too.
//
//   for (const ServedResource& one : discover(engine, stop)) print(one.resource.plural, one.verbs);
//
// One question for each of /api and /apis where the server answers them whole (Kubernetes 1.26 and later); one for
// every group version where it does not. A group whose own server is down is left out and logged, the rest is good.
//
// To look something up, use the mapper (mapper.hpp), which remembers. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/base/stop.hpp"
#include "flyball/client/engine.hpp"
#include "flyball/client/resource.hpp"

namespace flyball::client {

struct ServedResource {
  Resource resource = {};
  std::string singular = {};
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<std::string> verbs = {};
  std::vector<std::string> subresources = {};  // "status", "scale"
};

// In the server's order of preference: of two versions of one kind, the one to use comes first.
std::vector<ServedResource> discover(Engine& engine, const Stop& stop);

// The two forms of the answers, for discover().
std::vector<ServedResource> read_aggregated(json::View group_discovery_list);
std::vector<ServedResource> read_resource_list(json::View resource_list);

}  // namespace flyball::client
