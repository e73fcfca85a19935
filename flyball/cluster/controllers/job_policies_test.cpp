#include "flyball/cluster/controllers/job_policies.hpp"

#include <gtest/gtest.h>

using namespace flyball;
using namespace flyball::cluster;
namespace batch = kube::batch::v1;
namespace core = kube::core::v1;

namespace {

core::Pod failed_with(std::int32_t code, const std::string& container = "main") {
  core::Pod pod{.metadata = {.name = "work-1", .namespace_ = "shop"}, .status = {.phase = "Failed"}};
  core::ContainerStatus status{.name = container};
  status.state.terminated = core::ContainerStateTerminated{.exitCode = code};
  pod.status.containerStatuses.push_back(std::move(status));
  return pod;
}

batch::Job job_with(std::vector<batch::PodFailurePolicyRule> rules) {
  batch::Job job;
  job.spec.podFailurePolicy = batch::PodFailurePolicy{.rules = std::move(rules)};
  return job;
}

batch::PodFailurePolicyRule on_codes(const std::string& action, const std::string& op,
                                     std::vector<std::int32_t> values) {
  batch::PodFailurePolicyRule rule{.action = action};
  rule.onExitCodes = batch::PodFailurePolicyOnExitCodesRequirement{.operator_ = op, .values = std::move(values)};
  return rule;
}

batch::Job indexed(std::int32_t completions, std::int32_t limit) {
  batch::Job job;
  job.spec.completions = completions;
  job.spec.completionMode = "Indexed";
  job.spec.backoffLimitPerIndex = limit;
  return job;
}

core::Pod failed_index(std::int32_t index, std::int32_t failures) {
  core::Pod pod = failed_with(1);
  pod.metadata.annotations["batch.kubernetes.io/job-completion-index"] = std::to_string(index);
  pod.metadata.annotations["batch.kubernetes.io/job-index-failure-count"] = std::to_string(failures);
  return pod;
}

TEST(JobPolicies, WithoutAPolicyEveryFailureCounts) { EXPECT_EQ(judge({}, failed_with(1)).verdict, Verdict::count); }

TEST(JobPolicies, TheFirstRuleThatFitsDecides) {
  const auto job = job_with({on_codes("Ignore", "In", {3}), on_codes("FailJob", "NotIn", {4})});
  EXPECT_EQ(judge(job, failed_with(3)).verdict, Verdict::ignore);
  EXPECT_EQ(judge(job, failed_with(4)).verdict, Verdict::count);
  EXPECT_EQ(judge(job, failed_with(5)).verdict, Verdict::fail_job);
}

TEST(JobPolicies, AFailedJobSaysWhichContainerFailedAndHow) {
  const auto job = job_with({on_codes("Count", "In", {1}), on_codes("FailJob", "In", {42})});
  EXPECT_EQ(judge(job, failed_with(42)).message,
            "Container main for pod shop/work-1 failed with exit code 42 matching FailJob rule at index 1");
}

TEST(JobPolicies, ARuleForOneContainerLooksAtNoOther) {
  auto rule = on_codes("FailJob", "In", {1});
  rule.onExitCodes->containerName = "side";
  EXPECT_EQ(judge(job_with({rule}), failed_with(1)).verdict, Verdict::count);
  EXPECT_EQ(judge(job_with({rule}), failed_with(1, "side")).verdict, Verdict::fail_job);
}

TEST(JobPolicies, AConditionOfThePodDecidesToo) {
  const auto job =
      job_with({{.action = "Ignore", .onPodConditions = {{.type = "DisruptionTarget", .status = "True"}}}});
  core::Pod pod = failed_with(1);
  EXPECT_EQ(judge(job, pod).verdict, Verdict::count);
  pod.status.conditions.push_back({.type = "DisruptionTarget", .status = "True"});
  EXPECT_EQ(judge(job, pod).verdict, Verdict::ignore);
}

TEST(JobPolicies, ASuccessPolicyWantsItsIndexesOrEnoughOfThem) {
  batch::Job job;
  job.spec.successPolicy = batch::SuccessPolicy{.rules = {{.succeededIndexes = "0-2", .succeededCount = 2}}};
  EXPECT_EQ(success_of(job, {}), std::nullopt);
  EXPECT_EQ(success_of(job, {0, 5}), std::nullopt);
  EXPECT_EQ(success_of(job, {0, 2}), "Matched rules at index 0");
  job.spec.successPolicy->rules[0].succeededCount.reset();
  EXPECT_EQ(success_of(job, {0, 2}), std::nullopt);
  EXPECT_EQ(success_of(job, {0, 1, 2}), "Matched rules at index 0");
}

TEST(JobPolicies, AnIndexHasFailedWhenItFailedMoreOftenThanItMay) {
  const auto job = indexed(3, 1);
  EXPECT_EQ(failed_indexes(job, {failed_index(0, 0), failed_index(1, 1), failed_index(7, 9)}), (Indexes{1}));
}

TEST(JobPolicies, TheNextPodOfAnIndexKnowsHowOftenItFailed) {
  const auto job = indexed(3, 5);
  const core::Pod before = failed_index(0, 2);
  core::Pod next;
  note_failures(job, &before, next);
  EXPECT_EQ(next.metadata.annotations["batch.kubernetes.io/job-index-failure-count"], "3");
  core::Pod first;
  note_failures(job, nullptr, first);
  EXPECT_EQ(first.metadata.annotations["batch.kubernetes.io/job-index-failure-count"], "0");
}

}  // namespace
