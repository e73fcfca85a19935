// status_of: what a pod's status says, from its spec and what its containers did.
//
//   pod.status = status_of(pod, record, clock.wall_now());
//
// Pure: the same things give the same status, so writing it again changes nothing. What others wrote there (conditions
// of their own, nominatedNodeName) stays.
//
// Thread-safety: a pure function.
#pragma once

#include "flyball/cluster/node/pod_record.hpp"

namespace flyball::cluster::node {

kube::core::v1::PodStatus status_of(const kube::core::v1::Pod& pod, const PodRecord& record, kube::Time now);

// The other way round: what can be known of a pod that ran before this node's program was started anew.
PodRecord record_of(const kube::core::v1::Pod& pod);

}  // namespace flyball::cluster::node
