// The controller of ClusterRoles that take over the rules of others (aggregationRule): `admin`, `edit` and `view` are
// such, and people add to them by labels.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_cluster_roles(runtime::Operator& op);

}  // namespace flyball::cluster
