// What a new pod gets of its service account: the account itself, its pull secrets, and a volume with a token, the
// authority's certificate and the namespace, at /var/run/secrets/kubernetes.io/serviceaccount.
//
// Thread-safety: a pure function of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

// Throws Refusal 403 when there is no such account.
void add_service_account(Context& context, kube::core::v1::Pod& pod);

inline constexpr const char* kTokenFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

}  // namespace flyball::apiserver
