// The EndpointSlice mirroring controller: Endpoints that people write, of Services without a selector, as
// EndpointSlices, which are all that the network looks at.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_endpoints_mirror(runtime::Operator& op);

}  // namespace flyball::cluster
