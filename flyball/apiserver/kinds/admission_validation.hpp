// What valid webhook configurations and admission policies look like. Expressions are taken as they are.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/admissionregistration/v1.hpp"

namespace flyball::apiserver {

void validate_webhooks(const kube::admissionregistration::v1::MutatingWebhookConfiguration& configuration,
                       Problems& problems);
void validate_webhooks(const kube::admissionregistration::v1::ValidatingWebhookConfiguration& configuration,
                       Problems& problems);
void validate_admission_policy(const kube::admissionregistration::v1::ValidatingAdmissionPolicy& policy,
                               Problems& problems);
void validate_admission_binding(const kube::admissionregistration::v1::ValidatingAdmissionPolicyBinding& binding,
                                Problems& problems);

}  // namespace flyball::apiserver
