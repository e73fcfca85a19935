// What the pods and claims of a StatefulSet look like.
//
//   pod_of(set, set.spec.template_, 2, "db-7d9f");       // db-2, with the claims data-db-2
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster {

inline constexpr const char* kRevisionHash = "controller-revision-hash";

inline std::int32_t first_ordinal(const kube::apps::v1::StatefulSet& set) {
  return set.spec.ordinals ? set.spec.ordinals->start : 0;
}
// -1 when the pod's name is not one of the set's.
std::int32_t ordinal_of(const kube::apps::v1::StatefulSet& set, const kube::core::v1::Pod& pod);
// The revision whose template the pod was made from.
std::string revision_of(const kube::core::v1::Pod& pod);

kube::core::v1::Pod pod_of(const kube::apps::v1::StatefulSet& set, const kube::core::v1::PodTemplateSpec& pattern,
                           std::int32_t ordinal, const std::string& revision);
// Those that the pod of that ordinal uses.
std::vector<kube::core::v1::PersistentVolumeClaim> claims_for(const kube::apps::v1::StatefulSet& set,
                                                              std::int32_t ordinal);

}  // namespace flyball::cluster
