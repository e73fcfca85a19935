#include "flyball/cluster/controllers/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/index_set.hpp"
#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/kube/batch/v1.hpp"

using namespace flyball;
using namespace flyball::cluster;
using namespace std::chrono_literals;
namespace batch = kube::batch::v1;
namespace core = kube::core::v1;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

struct Jobs : public ::testing::Test {
  TestEnvironment env{declare_jobs};

  void make(const std::function<void(batch::JobSpec&)>& change = {}) {
    batch::Job job{.metadata = {.name = "sum", .namespace_ = "default"}};
    job.spec.template_.spec = {.containers = {{.name = "c", .image = "i"}}, .restartPolicy = "Never"};
    if (change) change(job.spec);
    env.create(job);
    env.settle();
  }
  batch::Job job() { return env.get<batch::Job>("sum"); }
  batch::JobCondition condition(const std::string& type) {
    const auto status = job().status;
    const auto* found = find_condition(status.conditions, type);
    return found == nullptr ? batch::JobCondition{} : *found;
  }
  std::vector<core::Pod> active() {
    auto pods = env.list<core::Pod>();
    std::erase_if(pods, [](const auto& pod) { return !is_active(pod); });
    return pods;
  }
};

TEST_F(Jobs, RunsOnePodAndIsCompleteWhenItSucceeds) {
  make();
  ASSERT_THAT(env.list<core::Pod>(), SizeIs(1));
  const auto pod = env.list<core::Pod>()[0];
  EXPECT_THAT(pod.metadata.name, MatchesRegex("sum-[a-z0-9]{5}"));
  EXPECT_EQ(pod.metadata.labels.at("batch.kubernetes.io/job-name"), "sum");
  EXPECT_THAT(pod.metadata.finalizers, ElementsAre("batch.kubernetes.io/job-tracking"));
  EXPECT_EQ(job().status.active, 1);
  EXPECT_TRUE(job().status.startTime.has_value());
  finish_pods(env, "Succeeded");
  EXPECT_EQ(job().status.active, 0);
  EXPECT_EQ(job().status.succeeded, 1);
  EXPECT_EQ(condition("SuccessCriteriaMet").reason, "CompletionsReached");
  EXPECT_EQ(condition("Complete").status, "True");
  EXPECT_EQ(condition("Complete").message, "Reached expected number of succeeded pods");
  EXPECT_TRUE(job().status.completionTime.has_value());
  EXPECT_THAT(env.list<core::Pod>()[0].metadata.finalizers, IsEmpty());
  EXPECT_THAT(env.events(), Contains("Normal Completed: Job completed"));
}

TEST_F(Jobs, RunsAsManyAtOnceAsItMay) {
  make([](auto& spec) {
    spec.completions = 5;
    spec.parallelism = 2;
  });
  EXPECT_THAT(active(), SizeIs(2));
  finish_pods(env, "Succeeded");
  EXPECT_EQ(job().status.succeeded, 2);
  EXPECT_THAT(active(), SizeIs(2));
  finish_pods(env, "Succeeded");
  EXPECT_THAT(active(), SizeIs(1));
  finish_pods(env, "Succeeded");
  EXPECT_EQ(job().status.succeeded, 5);
  EXPECT_EQ(condition("Complete").status, "True");
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(5));
}

TEST_F(Jobs, AFailureIsTriedAgainLaterEachTime) {
  make();
  finish_pods(env, "Failed");
  EXPECT_EQ(job().status.failed, 1);
  EXPECT_THAT(active(), IsEmpty());
  env.advance(11s);
  EXPECT_THAT(active(), SizeIs(1));
  finish_pods(env, "Failed");
  env.advance(11s);
  EXPECT_THAT(active(), IsEmpty());
  env.advance(10s);
  EXPECT_THAT(active(), SizeIs(1));
  finish_pods(env, "Succeeded");
  EXPECT_EQ(condition("Complete").status, "True");
  EXPECT_EQ(job().status.failed, 2);
}

TEST_F(Jobs, MoreFailuresThanAreAllowedAreTheEnd) {
  make([](auto& spec) {
    spec.backoffLimit = 0;
    spec.parallelism = 2;
    spec.completions = 2;
  });
  set_pod(env, env.list<core::Pod>()[0], "Failed", false);
  env.settle();
  EXPECT_THAT(active(), IsEmpty());
  EXPECT_EQ(condition("FailureTarget").reason, "BackoffLimitExceeded");
  EXPECT_EQ(condition("Failed").status, "True");
  EXPECT_EQ(condition("Failed").message, "Job has reached the specified backoff limit");
  EXPECT_EQ(job().status.failed, 2);
  EXPECT_THAT(env.events(), Contains("Warning BackoffLimitExceeded: Job has reached the specified backoff limit"));
}

TEST_F(Jobs, IsFailedOnlyWhenItsPodsHaveEnded) {
  env.apply("apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n");
  make([](auto& spec) {
    spec.backoffLimit = 0;
    spec.parallelism = 2;
    spec.completions = 2;
    spec.template_.spec.nodeName = "node-1";
  });
  run_pods(env);
  set_pod(env, env.list<core::Pod>()[0], "Failed", false);
  env.settle();
  EXPECT_EQ(condition("FailureTarget").status, "True");
  EXPECT_EQ(condition("Failed").status, "");
  EXPECT_EQ(job().status.terminating, 1);
  end_pods(env);
  EXPECT_EQ(condition("Failed").status, "True");
  EXPECT_EQ(job().status.terminating, 0);
}

TEST_F(Jobs, IsNotActiveLongerThanItMay) {
  make([](auto& spec) { spec.activeDeadlineSeconds = 30; });
  run_pods(env);
  env.advance(29s);
  EXPECT_THAT(active(), SizeIs(1));
  env.advance(2s);
  EXPECT_THAT(active(), IsEmpty());
  EXPECT_EQ(condition("Failed").reason, "DeadlineExceeded");
  EXPECT_EQ(condition("Failed").message, "Job was active longer than specified deadline");
}

TEST_F(Jobs, EachIndexIsCompletedOnce) {
  make([](auto& spec) {
    spec.completions = 4;
    spec.parallelism = 4;
    spec.completionMode = "Indexed";
  });
  const auto pods = env.list<core::Pod>();
  ASSERT_THAT(pods, SizeIs(4));
  EXPECT_THAT(pods[2].metadata.name, MatchesRegex("sum-2-[a-z0-9]{5}"));
  EXPECT_EQ(pods[2].spec.hostname, "sum-2");
  EXPECT_EQ(pods[2].metadata.annotations.at("batch.kubernetes.io/job-completion-index"), "2");
  EXPECT_EQ(pods[2].spec.containers[0].env.at(0).name, "JOB_COMPLETION_INDEX");
  set_pod(env, pods[0], "Succeeded", false);
  set_pod(env, pods[3], "Succeeded", false);
  set_pod(env, pods[1], "Failed", false);
  env.settle();
  EXPECT_EQ(job().status.completedIndexes, "0,3");
  env.advance(11s);
  EXPECT_THAT(active(), SizeIs(2));
  finish_pods(env, "Succeeded");
  EXPECT_EQ(job().status.completedIndexes, "0-3");
  EXPECT_EQ(condition("Complete").status, "True");
}

TEST_F(Jobs, ASuspendedOneRunsNothing) {
  make([](auto& spec) { spec.suspend = true; });
  EXPECT_THAT(env.list<core::Pod>(), IsEmpty());
  EXPECT_EQ(condition("Suspended").status, "True");
  EXPECT_FALSE(job().status.startTime.has_value());
  env.edit<batch::Job>("sum", [](auto& sum) { sum.spec.suspend = false; });
  env.settle();
  EXPECT_THAT(active(), SizeIs(1));
  EXPECT_EQ(condition("Suspended").status, "False");
  EXPECT_EQ(condition("Suspended").reason, "JobResumed");
}

TEST_F(Jobs, OneThatIsDoneGoesAfterItsTime) {
  make([](auto& spec) { spec.ttlSecondsAfterFinished = 60; });
  finish_pods(env, "Succeeded");
  env.advance(59s);
  EXPECT_FALSE(job().metadata.deletionTimestamp.has_value());
  env.advance(2s);
  EXPECT_THAT(job().metadata.finalizers, Contains("foregroundDeletion"));
}

TEST_F(Jobs, PodsOfAJobThatIsGoneAreKeptByNothing) {
  make();
  env.client().delete_<batch::Job>({"default", "sum"}, {.propagation = client::Propagation::background});
  env.settle();
  EXPECT_THAT(env.list<core::Pod>().at(0).metadata.finalizers, IsEmpty());
}

TEST(JobOrders, EveryPodIsCountedOnceWhateverTheOrderOfEvents) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    TestEnvironment env(declare_jobs, {.seed = seed});
    batch::Job job{.metadata = {.name = "sum", .namespace_ = "default"}};
    job.spec = {.parallelism = 3, .completions = 6};
    job.spec.template_.spec = {.containers = {{.name = "c", .image = "i"}}, .restartPolicy = "Never"};
    env.create(job);
    env.settle();
    for (int i = 0; i < 4; ++i) finish_pods(env, "Succeeded");
    EXPECT_EQ(env.get<batch::Job>("sum").status.succeeded, 6) << "seed " << seed;
    EXPECT_THAT(env.list<core::Pod>(), SizeIs(6)) << "seed " << seed;
  }
}

TEST(IndexSet, IsWrittenShort) {
  EXPECT_EQ(to_string(Indexes{}), "");
  EXPECT_EQ(to_string(Indexes{1, 3, 4, 5, 7}), "1,3-5,7");
  EXPECT_EQ(to_string(Indexes{0, 1}), "0,1");
  EXPECT_EQ(parse_indexes("1,3-5,7"), (Indexes{1, 3, 4, 5, 7}));
  EXPECT_EQ(parse_indexes("x,2"), (Indexes{2}));
}

}  // namespace
