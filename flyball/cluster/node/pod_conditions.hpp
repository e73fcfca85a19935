// The conditions of a pod, as the kubelet says them: part of status_of (pod_status.hpp).
//
// Thread-safety: a pure function.
#pragma once

#include <vector>

#include "flyball/cluster/node/pod_record.hpp"

namespace flyball::cluster::node {

// `status` has its phase and the statuses of its containers.
std::vector<kube::core::v1::PodCondition> conditions_of(const kube::core::v1::Pod& pod, const PodRecord& record,
                                                        const kube::core::v1::PodStatus& status, kube::Time now);

}  // namespace flyball::cluster::node
