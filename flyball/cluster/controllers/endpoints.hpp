// The Endpoints controller: the older form of EndpointSlices, one object of the Service's name.
//
//   cluster::declare_endpoints(op);
//
// Pods that are going are left out; at most 1000 addresses are named, as Kubernetes has it.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_endpoints(runtime::Operator& op);

}  // namespace flyball::cluster
