// What valid persistent volumes and claims look like, and what of them can change.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

void validate_claim_update(const kube::core::v1::PersistentVolumeClaim& claim,
                           const kube::core::v1::PersistentVolumeClaim& old, Problems& problems);
void validate_volume(const kube::core::v1::PersistentVolume& volume, Problems& problems);
void validate_volume_update(const kube::core::v1::PersistentVolume& volume, const kube::core::v1::PersistentVolume& old,
                            Problems& problems);

}  // namespace flyball::apiserver
