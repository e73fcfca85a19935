// The downward API: fields of a pod as text, for its own containers.
//
//   field_text(pod, "metadata.labels['app']")              // "web"
//   resource_text(container, {.resource = "limits.cpu"})   // "2"
//
// Errors: ConfigError for a field there is none of.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/cluster/node/pod_sources.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

std::string field_text(const kube::core::v1::Pod& pod, const std::string& path);
// In units of the divisor, rounded up. A container without that limit has the node's: `whole`.
std::string resource_text(const kube::core::v1::Container& container,
                          const kube::core::v1::ResourceFieldSelector& field,
                          const std::map<std::string, kube::Quantity>& whole = {});

}  // namespace flyball::cluster::node
