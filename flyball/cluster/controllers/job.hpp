// The Job controller: runs pods until enough of them have succeeded, or too many have failed.
//
//   cluster::declare_jobs(op);
//
// A pod that has ended is first noted in the status (uncountedTerminatedPods), then loses the finalizer that keeps it,
// and then is counted: so each is counted once, whatever is lost on the way.
//
// After a failure the next pod waits, longer each time. A job that is done goes after ttlSecondsAfterFinished.
// Not here: podFailurePolicy, successPolicy, backoffLimitPerIndex.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_jobs(runtime::Operator& op);

}  // namespace flyball::cluster
