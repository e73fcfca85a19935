// The Namespace controller: a namespace that is deleted goes when everything in it has gone.
//
//   cluster::declare_namespaces(op);
//
// Pods go first, so that what they use is there until they have ended; then all else. What remains, and for what it
// waits, stands in the conditions of the namespace.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_namespaces(runtime::Operator& op);

}  // namespace flyball::cluster
