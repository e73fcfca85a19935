// request_for: what a container of a pod runs: its own words first, then those of its image.
//
// Errors: ConfigError when something it needs is not there.
//
// Thread-safety: a pure function, but for folders that subPaths need.
#pragma once

#include "flyball/cluster/node/images.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"
#include "flyball/cluster/node/pod_sources.hpp"
#include "flyball/cluster/node/volumes.hpp"

namespace flyball::cluster::node {

ContainerRequest request_for(const kube::core::v1::Pod& pod, const kube::core::v1::Container& container,
                             const Image& image, const PodSources& sources, const Volumes& volumes);

// As the request, but in a network that all pods share: the program is told to be at the pod's own address, where the
// image says how; and POD_IP says which it is.
void bind_to(ContainerRequest& request, const Image& image, const std::string& address);

// What it is called inside: of a StatefulSet, its own name.
std::string hostname_of(const kube::core::v1::Pod& pod);

}  // namespace flyball::cluster::node
