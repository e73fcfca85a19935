// The StatefulSet controller: pods with names, places and volumes of their own, made and replaced in order.
//
//   cluster::declare_statefulsets(op);
//
// statefulset_pods.hpp says what a pod of a set looks like, revisions.hpp how its templates are remembered.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_statefulsets(runtime::Operator& op);

}  // namespace flyball::cluster
