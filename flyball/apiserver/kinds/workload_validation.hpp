// What valid workloads of the group apps look like, and what of them can change.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/apps/v1.hpp"

namespace flyball::apiserver {

void validate_deployment(const kube::apps::v1::Deployment& deployment, Problems& problems);
void validate_deployment_status(const kube::apps::v1::Deployment& deployment, const kube::apps::v1::Deployment& old,
                                Problems& problems);
void validate_replica_set(const kube::apps::v1::ReplicaSet& set, Problems& problems);
void validate_replica_set_status(const kube::apps::v1::ReplicaSet& set, Problems& problems);
void validate_stateful_set(const kube::apps::v1::StatefulSet& set, Problems& problems);
void validate_stateful_set_update(const kube::apps::v1::StatefulSet& set, const kube::apps::v1::StatefulSet& old,
                                  Problems& problems);
void validate_stateful_set_status(const kube::apps::v1::StatefulSet& set, const kube::apps::v1::StatefulSet& old,
                                  Problems& problems);
void validate_daemon_set(const kube::apps::v1::DaemonSet& set, Problems& problems);
void validate_daemon_set_status(const kube::apps::v1::DaemonSet& set, const kube::apps::v1::DaemonSet& old,
                                Problems& problems);

}  // namespace flyball::apiserver
