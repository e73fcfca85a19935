// The ServiceAccount controller: every namespace has a ServiceAccount `default`, also after somebody deleted it.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_service_accounts(runtime::Operator& op);

}  // namespace flyball::cluster
