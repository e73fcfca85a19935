#include "flyball/cluster/controllers/job_policies.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "flyball/cluster/controllers/job_pods.hpp"

namespace flyball::cluster {

namespace batch = kube::batch::v1;
namespace core = kube::core::v1;

namespace {

constexpr const char* kFailures = "batch.kubernetes.io/job-index-failure-count";
constexpr const char* kIgnoredFailures = "batch.kubernetes.io/job-index-ignored-failure-count";

const core::ContainerStatus* find_exit(const std::vector<core::ContainerStatus>& statuses,
                                       const batch::PodFailurePolicyOnExitCodesRequirement& wanted) {
  for (const core::ContainerStatus& status : statuses) {
    if (!status.state.terminated || status.state.terminated->exitCode == 0) continue;
    if (wanted.containerName && *wanted.containerName != status.name) continue;
    const bool listed = std::ranges::find(wanted.values, status.state.terminated->exitCode) != wanted.values.end();
    if (listed == (wanted.operator_ == "In")) return &status;
  }
  return nullptr;
}

// Why the rule fits, up to its end "matching … rule at index …"; nothing when it does not.
std::optional<std::string> fits(const batch::PodFailurePolicyRule& rule, const core::Pod& pod) {
  const std::string name = pod.metadata.namespace_ + "/" + pod.metadata.name;
  if (rule.onExitCodes) {
    const auto* found = find_exit(pod.status.containerStatuses, *rule.onExitCodes);
    if (found == nullptr) found = find_exit(pod.status.initContainerStatuses, *rule.onExitCodes);
    if (found == nullptr) return std::nullopt;
    return "Container " + found->name + " for pod " + name + " failed with exit code " +
           std::to_string(found->state.terminated->exitCode);
  }
  for (const core::PodCondition& condition : pod.status.conditions) {
    for (const auto& wanted : rule.onPodConditions) {
      if (condition.type == wanted.type && condition.status == wanted.status) {
        return "Pod " + name + " has condition " + condition.type;
      }
    }
  }
  return std::nullopt;
}

std::int32_t number_of(const core::Pod& pod, const char* annotation) {
  const auto found = pod.metadata.annotations.find(annotation);
  if (found == pod.metadata.annotations.end()) return 0;
  std::int32_t number = 0;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
  return std::max(number, 0);
}

std::int32_t all_failures(const core::Pod& pod) { return number_of(pod, kFailures) + number_of(pod, kIgnoredFailures); }

}  // namespace

Judgement judge(const batch::Job& job, const core::Pod& failed) {
  if (!job.spec.podFailurePolicy) return {};
  const auto& rules = job.spec.podFailurePolicy->rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto why = fits(rules[i], failed);
    if (!why) continue;
    if (rules[i].action == "Ignore") return {.verdict = Verdict::ignore};
    if (rules[i].action == "FailIndex") return {.verdict = Verdict::fail_index};
    if (rules[i].action == "Count") return {};
    return {.verdict = Verdict::fail_job, .message = *why + " matching FailJob rule at index " + std::to_string(i)};
  }
  return {};
}

std::optional<std::string> success_of(const batch::Job& job, const Indexes& succeeded) {
  if (!job.spec.successPolicy || succeeded.empty()) return std::nullopt;
  const auto& rules = job.spec.successPolicy->rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    Indexes wanted = succeeded;
    if (rules[i].succeededIndexes) wanted = parse_indexes(*rules[i].succeededIndexes);
    if (wanted.empty()) continue;
    const auto there = static_cast<std::size_t>(
        std::ranges::count_if(wanted, [&](std::int32_t index) { return succeeded.contains(index); }));
    const bool all = rules[i].succeededIndexes && there == wanted.size();
    const bool enough = rules[i].succeededCount && static_cast<std::int32_t>(there) >= *rules[i].succeededCount;
    if (all || enough) return "Matched rules at index " + std::to_string(i);
  }
  return std::nullopt;
}

Indexes failed_indexes(const batch::Job& job, const std::vector<core::Pod>& pods) {
  Indexes failed = parse_indexes(job.status.failedIndexes.value_or(""));
  for (const core::Pod& pod : pods) {
    const std::int32_t index = index_of(pod);
    if (index < 0 || index >= job.spec.completions.value_or(0) || !has_failed(pod, job)) continue;
    const Verdict verdict = judge(job, pod).verdict;
    const bool last = verdict != Verdict::ignore && number_of(pod, kFailures) >= *job.spec.backoffLimitPerIndex;
    if (verdict == Verdict::fail_index || last) failed.insert(index);
  }
  return failed;
}

const core::Pod* last_failed(const batch::Job& job, const std::vector<core::Pod>& pods, std::int32_t index) {
  const core::Pod* last = nullptr;
  const auto age = [](const core::Pod& pod) { return std::tuple(all_failures(pod), finished_at(pod)); };
  for (const core::Pod& pod : pods) {
    if (index_of(pod) != index || !has_failed(pod, job)) continue;
    if (last == nullptr || age(*last) <= age(pod)) last = &pod;
  }
  return last;
}

Duration index_backoff(const core::Pod* failed, kube::Time now) {
  if (failed == nullptr) return Duration::zero();
  return backoff_after(all_failures(*failed) + 1, finished_at(*failed), now);
}

void note_failures(const batch::Job& job, const core::Pod* failed, core::Pod& pod) {
  std::int32_t counted = 0;
  std::int32_t ignored = 0;
  if (failed != nullptr) {
    counted = number_of(*failed, kFailures);
    ignored = number_of(*failed, kIgnoredFailures);
    ++(judge(job, *failed).verdict == Verdict::ignore ? ignored : counted);
  }
  pod.metadata.annotations[kFailures] = std::to_string(counted);
  if (ignored > 0) pod.metadata.annotations[kIgnoredFailures] = std::to_string(ignored);
}

}  // namespace flyball::cluster
