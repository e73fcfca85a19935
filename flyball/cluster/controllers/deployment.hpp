// The Deployment controller: replaces the pods of a deployment, some at a time, when their template changes.
//
//   cluster::declare_deployments(op);
//
// It works on ReplicaSets, one for each template: deployment_rollout.hpp says how they grow and shrink,
// deployment_status.hpp what people read of it.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_deployments(runtime::Operator& op);

}  // namespace flyball::cluster
