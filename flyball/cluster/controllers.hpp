// The controllers that every cluster has: what kube-controller-manager and kube-scheduler do, each in a file of its own
// in controllers/, each written as any operator is.
//
//   Operator op("flyball-cluster");
//   cluster::declare_controllers(op);
//
// Thread-safety: as Operator. Lifetime: as the operator's.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_controllers(runtime::Operator& op);

}  // namespace flyball::cluster
