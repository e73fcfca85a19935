// Claims that pods use, and volumes that are bound, keep the finalizer that the server gave them; what is not used any
// more loses it, and goes if it was deleted.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_volume_protection(runtime::Operator& op);

}  // namespace flyball::cluster
