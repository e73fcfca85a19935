// The claims of a pod's volumes, as the scheduler looks at them.
//
// Thread-safety: the thread of the pass.
#pragma once

#include <string>
#include <vector>

#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {

inline constexpr const char* kSelectedNode = "volume.kubernetes.io/selected-node";

struct PodClaims {
  std::vector<kube::core::v1::PersistentVolumeClaim> unbound = {};  // they wait for a node
  std::vector<kube::core::v1::PersistentVolume> volumes = {};       // those that are bound
  std::string why = {};                                             // the pod cannot be placed at all
};

// The names of the claims that a pod uses, those of its generic ephemeral volumes too.
std::vector<std::string> claim_names(const kube::core::v1::Pod& pod);
PodClaims claims_of(Context& ctx, const kube::core::v1::Pod& pod);
// The class of a claim, also where it is written in the old way; empty for none.
std::string class_of(const kube::core::v1::PersistentVolumeClaim& claim);

}  // namespace flyball::cluster
