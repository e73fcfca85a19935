// PodSources: the objects that a pod's environment and volumes are made of. The kubelet reads them through its Context,
// so that a pod that waits for one is looked at again when it comes.
//
// Thread-safety: as what the functions do. Lifetime: a pass.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

// The pod asks for something that is not there: CreateContainerConfigError.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// All of the pod's own namespace.
struct PodSources {
  std::function<std::optional<kube::core::v1::ConfigMap>(const std::string&)> config_map = {};
  std::function<std::optional<kube::core::v1::Secret>(const std::string&)> secret = {};
  // Those of the namespace, and default/kubernetes.
  std::function<std::vector<kube::core::v1::Service>()> services = {};
  // The folder of the volume that a claim is bound to; none: the node makes one.
  std::function<std::optional<std::string>(const std::string& claim)> volume = {};
  // A token of the pod's account, for that audience (empty: the API server) and about that long.
  std::function<std::string(const std::string& audience, std::int64_t seconds)> token = {};
};

}  // namespace flyball::cluster::node
