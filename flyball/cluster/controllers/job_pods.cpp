#include "flyball/cluster/controllers/job_pods.hpp"

#include <algorithm>
#include <charconv>

#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"

namespace flyball::cluster {

namespace batch = kube::batch::v1;
namespace core = kube::core::v1;

bool is_finished(const batch::Job& job) {
  return std::ranges::any_of(job.status.conditions, [](const auto& condition) {
    return (condition.type == "Complete" || condition.type == "Failed") && condition.status == "True";
  });
}

bool is_tracked(const core::Pod& pod) {
  const auto& finalizers = pod.metadata.finalizers;
  return std::ranges::find(finalizers, kJobTracking) != finalizers.end();
}

bool has_failed(const core::Pod& pod, const batch::Job& job) {
  if (pod.status.phase == "Failed") return true;
  if (job.spec.podReplacementPolicy == "Failed" || job.spec.podFailurePolicy) return false;
  return pod.metadata.deletionTimestamp && pod.status.phase != "Succeeded";
}

std::int32_t index_of(const core::Pod& pod) {
  const auto found = pod.metadata.annotations.find(kCompletionIndex);
  if (found == pod.metadata.annotations.end()) return -1;
  std::int32_t index = -1;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), index);
  return index;
}

kube::Time finished_at(const core::Pod& pod) {
  kube::Time last = pod.metadata.creationTimestamp;
  for (const auto& status : pod.status.containerStatuses) {
    if (status.state.terminated) last = std::max(last, status.state.terminated->finishedAt);
  }
  if (const auto* ready = find_condition(pod.status.conditions, "Ready")) {
    if (ready->status == "False") last = std::max(last, ready->lastTransitionTime);
  }
  return last;
}

Duration backoff_after(std::int32_t failures, kube::Time last, kube::Time now) {
  constexpr std::int64_t kFirst = 10;
  constexpr std::int64_t kMost = 600;
  constexpr int kDoublings = 6;
  if (failures == 0) return Duration::zero();
  const std::int64_t pause = std::min(kMost, kFirst << std::min(failures - 1, kDoublings));
  return std::chrono::seconds(std::max<std::int64_t>(0, last.unix_seconds() + pause - now.unix_seconds()));
}

Duration backoff(const std::vector<core::Pod>& pods, const batch::Job& job, kube::Time now) {
  kube::Time success;
  for (const core::Pod& pod : pods) {
    if (pod.status.phase == "Succeeded") success = std::max(success, finished_at(pod));
  }
  std::int32_t failures = 0;
  kube::Time last;
  for (const core::Pod& pod : pods) {
    if (!has_failed(pod, job) || finished_at(pod) < success) continue;
    ++failures;
    last = std::max(last, finished_at(pod));
  }
  return backoff_after(failures, last, now);
}

bool has_restarted_too_often(const std::vector<core::Pod>& pods, const batch::Job& job) {
  if (job.spec.template_.spec.restartPolicy != "OnFailure") return false;
  std::int32_t restarts = 0;
  for (const core::Pod& pod : pods) {
    if (pod.status.phase != "Running" && pod.status.phase != "Pending") continue;
    for (const auto& status : pod.status.initContainerStatuses) restarts += status.restartCount;
    for (const auto& status : pod.status.containerStatuses) restarts += status.restartCount;
  }
  const std::int32_t limit = job.spec.backoffLimit.value_or(6);
  return limit == 0 ? restarts > 0 : restarts >= limit;
}

core::Pod pod_for(const batch::Job& job, std::optional<std::int32_t> index) {
  core::Pod pod = pod_from(job.spec.template_, job.metadata.name);
  if (!is_tracked(pod)) pod.metadata.finalizers.emplace_back(kJobTracking);
  if (!index) return pod;
  const std::string number = std::to_string(*index);
  pod.metadata.generateName = job.metadata.name + "-" + number + "-";
  pod.metadata.annotations[kCompletionIndex] = number;
  pod.metadata.labels[kCompletionIndex] = number;
  pod.spec.hostname = job.metadata.name + "-" + number;
  const core::EnvVar variable{
      .name = "JOB_COMPLETION_INDEX",
      .valueFrom = {{.fieldRef = {{.fieldPath = std::string("metadata.labels['") + kCompletionIndex + "']"}}}}};
  for (auto* containers : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (core::Container& container : *containers) container.env.push_back(variable);
  }
  return pod;
}

}  // namespace flyball::cluster
