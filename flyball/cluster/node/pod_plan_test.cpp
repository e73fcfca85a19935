#include "flyball/cluster/node/pod_plan.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr kube::Time kNow = kube::Time::from_unix(1'800'000'000);

kube::Time ago(std::int64_t seconds) { return kube::Time::from_unix(kNow.unix_seconds() - seconds); }

struct PodPlanTest : ::testing::Test {
  core::Pod pod{.spec = {.containers = {{.name = "a"}, {.name = "b"}}, .restartPolicy = "Always"}};
  PodRecord record;

  void runs(const std::string& name) { record.containers[name].run = ContainerRun{.started = ago(5)}; }
  void ended(const std::string& name, std::int32_t code, std::int64_t when = 3) {
    record.containers[name].run =
        ContainerRun{.started = ago(5), .end = ContainerEnd{.at = ago(when), .exit_code = code}};
  }
  std::vector<std::string> starts() {
    std::vector<std::string> names;
    for (const core::Container* container : plan_of(pod, record, kNow).start) names.push_back(container->name);
    return names;
  }
  bool done() { return plan_of(pod, record, kNow).done; }
};

TEST_F(PodPlanTest, AllContainersStartTogether) {
  EXPECT_THAT(starts(), ElementsAre("a", "b"));
  runs("a");
  EXPECT_THAT(starts(), ElementsAre("b"));
}

TEST_F(PodPlanTest, InitContainersGoOneAfterTheOther) {
  pod.spec.initContainers = {{.name = "first"}, {.name = "second"}};
  EXPECT_THAT(starts(), ElementsAre("first"));
  runs("first");
  EXPECT_THAT(starts(), IsEmpty());
  ended("first", 0);
  EXPECT_THAT(starts(), ElementsAre("second"));
  ended("second", 1);
  EXPECT_THAT(starts(), ElementsAre("second"));
  ended("second", 0);
  EXPECT_THAT(starts(), ElementsAre("a", "b"));
}

TEST_F(PodPlanTest, AFailedInitContainerEndsAPodThatNeverRestarts) {
  pod.spec.restartPolicy = "Never";
  pod.spec.initContainers = {{.name = "first"}};
  ended("first", 1);
  EXPECT_TRUE(done());
  EXPECT_THAT(starts(), IsEmpty());
}

TEST_F(PodPlanTest, ASidecarHasStartedBeforeTheOthersAndIsStartedAgain) {
  pod.spec.initContainers = {{.name = "proxy", .startupProbe = {{.periodSeconds = 1}}, .restartPolicy = "Always"}};
  EXPECT_THAT(starts(), ElementsAre("proxy"));
  runs("proxy");
  EXPECT_THAT(starts(), IsEmpty());
  record.containers["proxy"].startup = ProbeRecord{ProbeCounter(true)};
  EXPECT_THAT(starts(), ElementsAre("a", "b"));
  runs("a");
  runs("b");
  ended("proxy", 0);
  EXPECT_THAT(starts(), ElementsAre("proxy"));
}

TEST_F(PodPlanTest, ThePolicySaysWhatIsStartedAgain) {
  ended("a", 0);
  ended("b", 1);
  EXPECT_THAT(starts(), ElementsAre("a", "b"));
  pod.spec.restartPolicy = "OnFailure";
  EXPECT_THAT(starts(), ElementsAre("b"));
  EXPECT_FALSE(done());
  pod.spec.restartPolicy = "Never";
  EXPECT_THAT(starts(), IsEmpty());
  EXPECT_TRUE(done());
}

TEST_F(PodPlanTest, WhatCrashesAgainWaitsTenSeconds) {
  runs("b");
  ended("a", 1);
  record.containers["a"].crashes.next(ago(6), ago(6));
  const PodPlan plan = plan_of(pod, record, kNow);
  EXPECT_THAT(plan.start, IsEmpty());
  ASSERT_EQ(plan.held.size(), 1U);
  EXPECT_EQ(plan.held[0].until, ago(-7));
  ended("a", 1, 10);
  EXPECT_THAT(starts(), ElementsAre("a"));
}

TEST_F(PodPlanTest, ADeadlineEndsEverything) {
  runs("a");
  record.deadline_exceeded = true;
  EXPECT_TRUE(done());
}

}  // namespace
}  // namespace flyball::cluster::node
