// The ServiceAccount controller and the publisher of the root certificate: every namespace has a ServiceAccount
// `default` and, where the certificate is known, a ConfigMap `kube-root-ca.crt`, also after somebody deleted or changed
// them.
//
// Thread-safety: as Operator.
#pragma once

#include <string>

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

// `root_ca` is PEM; empty publishes none.
void declare_service_accounts(runtime::Operator& op, const std::string& root_ca = {});

}  // namespace flyball::cluster
