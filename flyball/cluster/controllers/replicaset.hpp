// The ReplicaSet controller: as many pods as the set asks for, and what is true of them in its status.
//
//   cluster::declare_replicasets(op);
//
// Pods that match the selector and that nobody controls are adopted, those that match no more are let go (claim.hpp).
// When there are too many, victims.hpp says which ones go.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_replicasets(runtime::Operator& op);

}  // namespace flyball::cluster
