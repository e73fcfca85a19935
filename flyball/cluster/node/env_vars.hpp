// env_of: the environment of a container, as the kubelet makes it.
//
//   const Variables env = env_of(pod, container, sources);
//
// First the variables of the services (REDIS_SERVICE_HOST, …), then envFrom, then env, each over those before it, with
// $(NAME) of what was set before. (What the image itself sets stands below all of these: images.hpp.)
//
// Errors: ConfigError when a ConfigMap, a Secret or one of its keys is not there and not optional.
//
// Thread-safety: a pure function.
#pragma once

#include <vector>

#include "flyball/cluster/node/expand.hpp"
#include "flyball/cluster/node/pod_sources.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

Variables env_of(const kube::core::v1::Pod& pod, const kube::core::v1::Container& container, const PodSources& sources);

// Where services are, for those who look in their environment.
void add_service_variables(const std::vector<kube::core::v1::Service>& services, Variables& to);

}  // namespace flyball::cluster::node
