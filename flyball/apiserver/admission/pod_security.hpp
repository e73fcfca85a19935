// Pod security: the levels a namespace asks for by its labels (pod-security.kubernetes.io/enforce, audit, warn), and
// what pods do that a level does not allow.
//
//   check_pod_security(context, object, old);                            // 403, or a warning
//   pod_violations(PodLevel::restricted, metadata, spec)                 // "privileged (container "c" must not set …)"
//
// The rules are those of the latest version, whichever a label names. Audit has no reader here, and does nothing.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include <cstdint>
#include <string>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

enum class PodLevel : std::uint8_t { privileged, baseline, restricted };

// In kube-apiserver's words; empty when there are none.
std::string pod_violations(PodLevel level, const kube::meta::v1::ObjectMeta& metadata,
                           const kube::core::v1::PodSpec& spec);

// Pods are refused or warned of, what makes pods of a template is warned of. A Namespace whose labels name no level is
// refused.
void check_pod_security(Context& context, const Object& object, const Object* old);

}  // namespace flyball::apiserver
