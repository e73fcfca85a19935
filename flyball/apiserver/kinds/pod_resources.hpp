// How much a pod asks for: the sum over its containers, its quality of service, and what it may ask for as a whole.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

// What the pod needs at once: its containers and sidecars together, or the greediest moment of its start.
ResourceList aggregate_requests(const kube::core::v1::PodSpec& spec);
ResourceList aggregate_limits(const kube::core::v1::PodSpec& spec);

// cpu, memory and huge pages can be set for the pod as a whole.
bool is_pod_level_resource(std::string_view name);
bool is_huge_page(std::string_view name);
// Native resources other than huge pages may have a limit above their request.
bool overcommit_allowed(std::string_view name);
void default_pod_level_resources(kube::core::v1::PodSpec& spec);

// Guaranteed, Burstable or BestEffort.
std::string qos_class(const kube::core::v1::PodSpec& spec);

}  // namespace flyball::apiserver
