#include "flyball/cluster/controllers/deployment_status.hpp"

#include <algorithm>
#include <limits>

#include "flyball/cluster/controllers/status_conditions.hpp"

namespace flyball::cluster {

namespace apps = kube::apps::v1;

namespace {

constexpr const char* kProgressing = "Progressing";
constexpr const char* kComplete = "NewReplicaSetAvailable";
constexpr const char* kTimedOut = "ProgressDeadlineExceeded";
constexpr const char* kPaused = "DeploymentPaused";

template <class Number>
std::int32_t sum(const Sets& old, const std::optional<apps::ReplicaSet>& new_set, Number&& number) {
  std::int32_t all = new_set ? number(*new_set) : 0;
  for (const auto& set : old) all += number(set);
  return all;
}

bool has_progressed(const apps::DeploymentStatus& before, const apps::DeploymentStatus& now) {
  return now.updatedReplicas > before.updatedReplicas ||
         now.replicas - now.updatedReplicas < before.replicas - before.updatedReplicas ||
         now.readyReplicas > before.readyReplicas || now.availableReplicas > before.availableReplicas;
}

bool has_timed_out(const apps::Deployment& of, const apps::DeploymentStatus& status, kube::Time now) {
  const auto* progressing = find_condition(status.conditions, kProgressing);
  if (progressing == nullptr || progressing->reason == kComplete) return false;
  if (progressing->reason == kTimedOut) return true;
  return progressing->lastUpdateTime.unix_seconds() + *of.spec.progressDeadlineSeconds < now.unix_seconds();
}

const apps::ReplicaSetCondition* failure(const Sets& old, const std::optional<apps::ReplicaSet>& new_set) {
  if (new_set) {
    if (const auto* found = find_condition(new_set->status.conditions, "ReplicaFailure")) return found;
  }
  for (const auto& set : old) {
    if (const auto* found = find_condition(set.status.conditions, "ReplicaFailure")) return found;
  }
  return nullptr;
}

void note_progress(const apps::Deployment& of, apps::DeploymentStatus& status,
                   const std::optional<apps::ReplicaSet>& new_set, kube::Time now) {
  const std::string subject =
      new_set ? "ReplicaSet \"" + new_set->metadata.name + "\"" : "Deployment \"" + of.metadata.name + "\"";
  if (is_complete(of, status)) {
    set_progressing(status, "True", kComplete, subject + " has successfully progressed.", now);
  } else if (has_progressed(of.status, status)) {
    const auto* before = find_condition(of.status.conditions, kProgressing);
    const kube::Time since = before != nullptr && before->status == "True" ? before->lastTransitionTime : now;
    remove_condition(status.conditions, kProgressing);
    status.conditions.push_back({.type = kProgressing,
                                 .status = "True",
                                 .reason = "ReplicaSetUpdated",
                                 .message = subject + " is progressing.",
                                 .lastTransitionTime = since,
                                 .lastUpdateTime = now});
  } else if (has_timed_out(of, status, now)) {
    set_progressing(status, "False", kTimedOut, subject + " has timed out progressing.", now);
  }
}

}  // namespace

bool has_deadline(const apps::Deployment& of) {
  return of.spec.progressDeadlineSeconds &&
         *of.spec.progressDeadlineSeconds != std::numeric_limits<std::int32_t>::max();
}

void set_progressing(apps::DeploymentStatus& status, const std::string& holds, const std::string& reason,
                     const std::string& message, kube::Time now) {
  set_condition(status.conditions, {.type = kProgressing,
                                    .status = holds,
                                    .reason = reason,
                                    .message = message,
                                    .lastTransitionTime = now,
                                    .lastUpdateTime = now});
}

void note_pause(apps::Deployment& deployment, kube::Time now) {
  if (!has_deadline(deployment)) return;
  const auto* progressing = find_condition(deployment.status.conditions, kProgressing);
  // What has timed out stays so.
  if (progressing != nullptr && progressing->reason == kTimedOut) return;
  const bool noted = progressing != nullptr && progressing->reason == kPaused;
  if (deployment.spec.paused && !noted) {
    set_progressing(deployment.status, "Unknown", kPaused, "Deployment is paused", now);
  } else if (!deployment.spec.paused && noted) {
    set_progressing(deployment.status, "Unknown", "DeploymentResumed", "Deployment is resumed", now);
  }
}

bool is_complete(const apps::Deployment& of, const apps::DeploymentStatus& status) {
  return status.updatedReplicas == replicas(of) && status.replicas == replicas(of) &&
         status.availableReplicas == replicas(of) && status.observedGeneration >= of.metadata.generation;
}

apps::DeploymentStatus counted(const apps::Deployment& of, const Sets& old,
                               const std::optional<apps::ReplicaSet>& new_set, kube::Time now) {
  apps::DeploymentStatus status = of.status;
  status.observedGeneration = of.metadata.generation;
  status.replicas = sum(old, new_set, [](const auto& set) { return set.status.replicas; });
  status.updatedReplicas = new_set ? new_set->status.replicas : 0;
  status.readyReplicas = sum(old, new_set, [](const auto& set) { return set.status.readyReplicas; });
  status.availableReplicas = sum(old, new_set, [](const auto& set) { return set.status.availableReplicas; });
  status.unavailableReplicas =
      std::max(0, sum(old, new_set, [](const auto& set) { return replicas(set); }) - status.availableReplicas);
  status.terminatingReplicas =
      sum(old, new_set, [](const auto& set) { return set.status.terminatingReplicas.value_or(0); });
  const bool available = status.availableReplicas >= replicas(of) - max_unavailable(of);
  set_condition(status.conditions, {.type = "Available",
                                    .status = available ? "True" : "False",
                                    .reason = available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                                    .message = available ? "Deployment has minimum availability."
                                                         : "Deployment does not have minimum availability.",
                                    .lastTransitionTime = now,
                                    .lastUpdateTime = now});
  return status;
}

apps::DeploymentStatus rolled_out(const apps::Deployment& of, const Sets& old,
                                  const std::optional<apps::ReplicaSet>& new_set, kube::Time now) {
  apps::DeploymentStatus status = counted(of, old, new_set, now);
  const auto* progressing = find_condition(of.status.conditions, kProgressing);
  const bool was_complete =
      status.replicas == status.updatedReplicas && progressing != nullptr && progressing->reason == kComplete;
  if (!has_deadline(of)) remove_condition(status.conditions, kProgressing);
  if (has_deadline(of) && !was_complete) note_progress(of, status, new_set, now);
  if (const auto* failed = failure(old, new_set)) {
    set_condition(status.conditions, {.type = failed->type,
                                      .status = failed->status,
                                      .reason = failed->reason,
                                      .message = failed->message,
                                      .lastTransitionTime = failed->lastTransitionTime,
                                      .lastUpdateTime = failed->lastTransitionTime});
  } else {
    remove_condition(status.conditions, "ReplicaFailure");
  }
  return status;
}

std::optional<Duration> until_deadline(const apps::Deployment& of, const apps::DeploymentStatus& status,
                                       kube::Time now) {
  const auto* progressing = find_condition(status.conditions, kProgressing);
  if (!has_deadline(of) || progressing == nullptr || progressing->reason == kTimedOut || is_complete(of, status)) {
    return std::nullopt;
  }
  const std::int64_t left =
      progressing->lastUpdateTime.unix_seconds() + *of.spec.progressDeadlineSeconds - now.unix_seconds();
  // One more: times are of whole seconds.
  return std::chrono::seconds(std::max<std::int64_t>(left, 0) + 1);
}

}  // namespace flyball::cluster
