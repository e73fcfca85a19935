// The node lifecycle controller: a node that does not say that it is well gets no pods.
//
//   cluster::declare_nodes(op);
//
// What a node says of itself (its conditions) becomes taints that keep pods off: not ready, unreachable, short of
// memory, disk or process ids, without network, cordoned. A node whose lease is not renewed for 50 seconds is
// Unknown. Not here: the eviction of pods from a node that is lost.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_nodes(runtime::Operator& op);

}  // namespace flyball::cluster
