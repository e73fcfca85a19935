// Two doors of a Pod beside its status: adding ephemeral containers, and changing the resources of those that run.
//
//   keep_all_but_ephemeral_containers(next, old);          // PUT …/pods/web/ephemeralcontainers
//   validate_ephemeral_containers(next, old, problems);
//   keep_all_but_resources(next, old);                     // PUT …/pods/web/resize
//   validate_resize(next, old, problems);
//
// Both take the Pod as the client sent it, after defaults. Either counts in metadata.generation.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

void keep_all_but_ephemeral_containers(kube::core::v1::Pod& pod, const kube::core::v1::Pod& old);
void validate_ephemeral_containers(const kube::core::v1::Pod& pod, const kube::core::v1::Pod& old, Problems& problems);

// Leaves a Pod with other containers as it is: it is refused then.
void keep_all_but_resources(kube::core::v1::Pod& pod, const kube::core::v1::Pod& old);
void validate_resize(const kube::core::v1::Pod& pod, const kube::core::v1::Pod& old, Problems& problems);

}  // namespace flyball::apiserver
