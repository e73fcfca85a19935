// What people read of a deployment: how many pods there are, and whether it goes on.
//
// Thread-safety: pure functions; the pass's thread.
#pragma once

#include <optional>

#include "flyball/base/clock.hpp"
#include "flyball/cluster/controllers/deployment_numbers.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::cluster {

// A deadline that counts: kubectl writes the largest number for none.
bool has_deadline(const kube::apps::v1::Deployment& of);

void set_progressing(kube::apps::v1::DeploymentStatus& status, const std::string& holds, const std::string& reason,
                     const std::string& message, kube::Time now);

// A deployment that is paused makes no progress, and is not to be blamed for it later.
void note_pause(kube::apps::v1::Deployment& deployment, kube::Time now);

// All pods are of the new template, and available.
bool is_complete(const kube::apps::v1::Deployment& of, const kube::apps::v1::DeploymentStatus& status);

// The counts and the condition Available.
kube::apps::v1::DeploymentStatus counted(const kube::apps::v1::Deployment& of, const Sets& old,
                                         const std::optional<kube::apps::v1::ReplicaSet>& new_set, kube::Time now);

// The same with the conditions Progressing and ReplicaFailure, while a template is rolled out.
kube::apps::v1::DeploymentStatus rolled_out(const kube::apps::v1::Deployment& of, const Sets& old,
                                            const std::optional<kube::apps::v1::ReplicaSet>& new_set, kube::Time now);

// When to look whether the deadline has passed.
std::optional<Duration> until_deadline(const kube::apps::v1::Deployment& of,
                                       const kube::apps::v1::DeploymentStatus& status, kube::Time now);

}  // namespace flyball::cluster
