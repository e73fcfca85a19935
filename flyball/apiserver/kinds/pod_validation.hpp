// What a valid pod looks like, and what of it can change.
//
//   validate_pod_template(deployment.spec.template_, FieldPath("spec").child("template"), problems);
//
// Metadata is checked elsewhere (metadata_rules.hpp).
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

void validate_pod(const kube::core::v1::Pod& pod, Problems& problems);
void validate_pod_update(const kube::core::v1::Pod& pod, const kube::core::v1::Pod& old, Problems& problems);
void validate_pod_status(const kube::core::v1::Pod& pod, const kube::core::v1::Pod& old, Problems& problems);
// What holds for a Pod at any time, not only when it is made.
void validate_pod_itself(const kube::core::v1::Pod& pod, Problems& problems);
void validate_pod_template(const kube::core::v1::PodTemplateSpec& pod_template, const FieldPath& at,
                           Problems& problems);

void validate_claim_spec(const kube::core::v1::PersistentVolumeClaimSpec& spec, const FieldPath& at,
                         Problems& problems);

// What is deprecated in a pod, or does not do what it seems to. `around` is where its spec stands: nothing for a Pod,
// "spec.template" for most templates.
std::vector<std::string> pod_warnings(const kube::core::v1::PodSpec& spec, const FieldPath& around);

}  // namespace flyball::apiserver
