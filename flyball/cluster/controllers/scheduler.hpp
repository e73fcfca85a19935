// The scheduler: finds a node for every pod that has none.
//
//   cluster::declare_scheduler(op);
//
// A node is good when it is not cordoned, its taints are tolerated, the pod's nodeSelector, node affinity and required
// pod affinities hold, its ports are free, and what the pod asks for is left. Among the good ones the emptiest is
// taken. Claims that wait for their first consumer are told the node first (the annotation
// volume.kubernetes.io/selected-node), and the pod waits until they are bound. Not here: preemption, preferences,
// spread constraints.
//
// Pods of another scheduler, and those with scheduling gates, are left alone.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_scheduler(runtime::Operator& op);

}  // namespace flyball::cluster
