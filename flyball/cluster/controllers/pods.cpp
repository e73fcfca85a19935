#include "flyball/cluster/controllers/pods.hpp"

#include <algorithm>

namespace flyball::cluster {

namespace core = kube::core::v1;

bool is_done(const core::Pod& pod) { return pod.status.phase == "Succeeded" || pod.status.phase == "Failed"; }

bool is_active(const core::Pod& pod) { return !is_done(pod) && !pod.metadata.deletionTimestamp; }

bool is_terminating(const core::Pod& pod) { return !is_done(pod) && pod.metadata.deletionTimestamp.has_value(); }

kube::Time ready_since(const core::Pod& pod) {
  const auto found = std::ranges::find_if(pod.status.conditions, [](const auto& condition) {
    return condition.type == "Ready" && condition.status == "True";
  });
  return found == pod.status.conditions.end() ? kube::Time() : found->lastTransitionTime;
}

bool is_available(const core::Pod& pod, std::int32_t min_ready_seconds, kube::Time now) {
  if (!answers(pod)) return false;
  if (min_ready_seconds == 0) return true;
  const kube::Time since = ready_since(pod);
  return !since.is_zero() && since.unix_seconds() + min_ready_seconds <= now.unix_seconds();
}

std::optional<Duration> until_available(const core::Pod& pod, std::int32_t min_ready_seconds, kube::Time now) {
  if (!answers(pod) || is_available(pod, min_ready_seconds, now)) return std::nullopt;
  const std::int64_t left = ready_since(pod).unix_seconds() + min_ready_seconds - now.unix_seconds();
  // A condition without a time, or one from the future, is looked at again after the whole time.
  if (left <= 0 || left > min_ready_seconds) return std::chrono::seconds(min_ready_seconds);
  return std::chrono::seconds(left);
}

core::Pod pod_from(const core::PodTemplateSpec& pattern, const std::string& owner_name) {
  const std::string prefix = owner_name + "-";
  return {.metadata = {.generateName = prefix,
                       .labels = pattern.metadata.labels,
                       .annotations = pattern.metadata.annotations,
                       .finalizers = pattern.metadata.finalizers},
          .spec = pattern.spec};
}

}  // namespace flyball::cluster
