// The EndpointSlice controller: which addresses stand behind a Service, in slices of at most 100.
//
//   cluster::declare_endpoint_slices(op);
//
// Pods that have the same numbers for the service's ports share slices. A service that selects pods and finds none has
// one slice without endpoints.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_endpoint_slices(runtime::Operator& op);

}  // namespace flyball::cluster
