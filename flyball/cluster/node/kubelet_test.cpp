#include "flyball/cluster/node/kubelet.hpp"

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/node/scripted_runtime_for_test.hpp"
#include "flyball/cluster/node/status_only_runtime.hpp"
#include "flyball/kube/readiness.hpp"
#include "flyball/testing/environment.hpp"

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct KubeletTest : ::testing::Test {
  const Clock* clock = nullptr;
  ScriptedRuntime runtime{clock};
  ImageTable images = ImageTable::usual();
  Kubelet kubelet{runtime, {.node = "here", .images = &images}};
  flyball::testing::Environment env{[this](runtime::Operator& op) { kubelet.declare(op); }, {.start = false}};

  KubeletTest() {
    clock = &env.clock();
    env.start();
  }

  void apply(const std::string& spec, const std::string& name = "web") {
    env.apply("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec:\n  nodeName: here\n" + spec);
    env.settle();
  }
  void apply_simple(const std::string& more = "") {
    apply("  containers: [{name: a, image: busybox, command: [sleep, inf]" + more + "}]\n");
  }
  core::Pod pod(const std::string& name = "web") { return env.get<core::Pod>(name); }
  core::ContainerStatus container(std::size_t index = 0) { return pod().status.containerStatuses.at(index); }
  void end(const std::string& name, std::int32_t code) {
    runtime.end(name, code);
    env.settle();
  }
  std::string condition(const std::string& type) {
    for (const core::PodCondition& each : pod().status.conditions) {
      if (each.type == type) return each.status + (each.reason.empty() ? "" : " " + each.reason);
    }
    return "";
  }
};

TEST_F(KubeletTest, APodRunsAndIsReady) {
  apply_simple();
  const core::Pod now = pod();
  EXPECT_EQ(now.status.phase, "Running");
  EXPECT_EQ(now.status.podIP, "10.244.0.9");
  EXPECT_EQ(now.status.hostIP, "10.244.0.1");
  EXPECT_EQ(now.status.qosClass, "BestEffort");
  EXPECT_TRUE(now.status.startTime);
  EXPECT_TRUE(kube::is_ready(now));
  EXPECT_TRUE(container().state.running);
  EXPECT_TRUE(container().ready);
  EXPECT_EQ(container().started, true);
  for (const char* type : {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    EXPECT_EQ(condition(type), "True") << type;
  }
  EXPECT_THAT(env.events(), Contains(HasSubstr("Started: Container started")));
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST_F(KubeletTest, PodsOfOtherNodesAreNoneOfItsBusiness) {
  env.apply(
      "{apiVersion: v1, kind: Pod, metadata: {name: far}, "
      "spec: {nodeName: there, containers: [{name: a, image: busybox}]}}");
  env.settle();
  EXPECT_EQ(pod("far").status.phase, "Pending");
  EXPECT_THAT(runtime.sandboxes, IsEmpty());
}

TEST_F(KubeletTest, ACrashIsStartedAgainAndThenMadeToWait) {
  apply_simple();
  end("a", 3);
  EXPECT_TRUE(container().state.running);
  EXPECT_EQ(container().restartCount, 1);
  ASSERT_TRUE(container().lastState.terminated);
  EXPECT_EQ(container().lastState.terminated->exitCode, 3);
  EXPECT_EQ(container().lastState.terminated->reason, "Error");
  end("a", 3);
  ASSERT_TRUE(container().state.waiting);
  EXPECT_EQ(container().state.waiting->reason, "CrashLoopBackOff");
  EXPECT_THAT(container().state.waiting->message,
              HasSubstr("back-off 10s restarting failed container=a pod=web_default("));
  EXPECT_EQ(pod().status.phase, "Running");
  EXPECT_EQ(condition("Ready"), "False ContainersNotReady");
  env.advance(9s);
  EXPECT_FALSE(container().state.running);
  env.advance(2s);
  EXPECT_TRUE(container().state.running);
  EXPECT_EQ(container().restartCount, 2);
  EXPECT_EQ(condition("Ready"), "True");
}

TEST_F(KubeletTest, AJobsPodSucceedsOrFails) {
  apply("  restartPolicy: Never\n  containers: [{name: a, image: busybox}]\n");
  end("a", 0);
  EXPECT_EQ(pod().status.phase, "Succeeded");
  EXPECT_EQ(container().state.terminated->reason, "Completed");
  EXPECT_EQ(condition("Ready"), "False PodCompleted");
  EXPECT_EQ(condition("Initialized"), "True PodCompleted");
  EXPECT_THAT(runtime.sandboxes, IsEmpty());
  apply("  restartPolicy: Never\n  containers: [{name: a, image: busybox}]\n", "other");
  end("a", 1);
  EXPECT_EQ(pod("other").status.phase, "Failed");
}

TEST_F(KubeletTest, InitContainersAndSidecarsComeFirst) {
  apply(
      "  initContainers: [{name: prepare, image: busybox}, {name: proxy, image: busybox, restartPolicy: Always}]\n"
      "  containers: [{name: a, image: busybox}]\n");
  EXPECT_EQ(pod().status.phase, "Pending");
  EXPECT_EQ(container().state.waiting->reason, "PodInitializing");
  EXPECT_EQ(condition("Initialized"), "False ContainersNotInitialized");
  end("prepare", 0);
  EXPECT_EQ(pod().status.phase, "Running");
  EXPECT_EQ(condition("Ready"), "True");
  EXPECT_TRUE(pod().status.initContainerStatuses.at(1).state.running);
}

TEST_F(KubeletTest, AnUnknownImageIsPulledAgainAndAgain) {
  apply("  containers: [{name: a, image: \"shop/web:2\"}]\n");
  ASSERT_TRUE(container().state.waiting);
  EXPECT_EQ(container().state.waiting->reason, "ErrImagePull");
  EXPECT_THAT(container().state.waiting->message, HasSubstr("--image shop/web=PATH"));
  env.advance(2s);
  EXPECT_EQ(container().state.waiting->reason, "ImagePullBackOff");
  EXPECT_THAT(container().state.waiting->message, HasSubstr("Back-off pulling image \"shop/web:2\""));
  EXPECT_EQ(pod().status.phase, "Pending");
  images.map("shop/web", {.entrypoint = {"/bin/sh"}});
  env.advance(10s);
  EXPECT_EQ(pod().status.phase, "Running");
}

TEST_F(KubeletTest, ReadinessIsWhatTheProbeSays) {
  runtime.sick = {"a"};
  apply_simple(", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 5, failureThreshold: 2}");
  EXPECT_EQ(pod().status.phase, "Running");
  EXPECT_EQ(condition("Ready"), "False ContainersNotReady");
  EXPECT_THAT(env.events(), Contains(HasSubstr("Unhealthy: Readiness probe failed: it is sick")));
  runtime.sick.clear();
  env.advance(5s);
  EXPECT_EQ(condition("Ready"), "True");
  runtime.sick = {"a"};
  env.advance(5s);
  EXPECT_EQ(condition("Ready"), "True");
  env.advance(5s);
  EXPECT_EQ(condition("Ready"), "False ContainersNotReady");
}

TEST_F(KubeletTest, WhatFailsItsLivenessProbeIsStartedAgain) {
  apply_simple(", livenessProbe: {exec: {command: [\"true\"]}, periodSeconds: 10, failureThreshold: 3}");
  runtime.sick = {"a"};
  env.advance(29s);
  EXPECT_EQ(container().restartCount, 0);
  env.advance(1s);
  EXPECT_THAT(runtime.signals, ElementsAre("a TERM"));
  EXPECT_EQ(container().restartCount, 1);
  EXPECT_EQ(container().lastState.terminated->exitCode, 143);
  EXPECT_THAT(env.events(), Contains(HasSubstr("Killing: Container a failed liveness probe, will be restarted")));
}

TEST_F(KubeletTest, UntilItHasStartedOnlyTheStartupProbeCounts) {
  runtime.sick = {"a"};
  apply_simple(
      ", startupProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 30}, "
      "livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 1}");
  env.advance(10s);
  EXPECT_EQ(container().restartCount, 0);
  EXPECT_EQ(container().started, false);
  EXPECT_FALSE(container().ready);
  runtime.sick.clear();
  env.advance(1s);
  EXPECT_EQ(container().started, true);
  EXPECT_TRUE(container().ready);
}

TEST_F(KubeletTest, ADeletedPodGetsItsGraceAndIsGone) {
  runtime.stubborn = true;
  apply_simple();
  env.delete_<core::Pod>("web");
  env.settle();
  EXPECT_THAT(runtime.signals, ElementsAre("a TERM"));
  ASSERT_TRUE(env.find<core::Pod>("web"));
  env.advance(29s);
  EXPECT_THAT(runtime.signals, ElementsAre("a TERM"));
  ASSERT_TRUE(env.find<core::Pod>("web"));
  env.advance(1s);
  EXPECT_THAT(runtime.signals, ElementsAre("a TERM", "a KILL"));
  EXPECT_FALSE(env.find<core::Pod>("web"));
  EXPECT_THAT(runtime.sandboxes, IsEmpty());
}

TEST_F(KubeletTest, APodThatEndsWhenAskedIsGoneAtOnce) {
  apply_simple();
  env.delete_<core::Pod>("web");
  env.settle();
  EXPECT_FALSE(env.find<core::Pod>("web")) << env.take_log() << env.explain("kubelet-ends", "web");
}

TEST_F(KubeletTest, HooksRunBeforeTheEndAndWhatFailsAfterTheStartEnds) {
  apply_simple(", lifecycle: {postStart: {tcpSocket: {port: 1}}, preStop: {tcpSocket: {port: 2}}}");
  EXPECT_EQ(runtime.probes, 1);
  runtime.sick = {"a"};
  env.delete_<core::Pod>("web");
  env.settle();
  EXPECT_EQ(runtime.probes, 2);
  EXPECT_THAT(runtime.signals, ElementsAre("a TERM")) << "a preStop that fails delays nothing";
  runtime.signals.clear();
  apply("  containers: [{name: a, image: busybox, lifecycle: {postStart: {tcpSocket: {port: 1}}}}]\n", "other");
  EXPECT_THAT(runtime.signals, Contains("a TERM"));
  EXPECT_THAT(env.events(), Contains(HasSubstr("FailedPostStartHook: PostStartHook failed")));
}

TEST_F(KubeletTest, AContainerThatIsAddedLaterRunsOnceAndEndsWithThePod) {
  apply_simple();
  core::Pod more = pod();
  more.spec.ephemeralContainers = {{.name = "look", .image = "busybox", .command = {"sh"}, .targetContainerName = "a"}};
  more.spec.ephemeralContainers.front().stdin = true;
  more.spec.ephemeralContainers.front().tty = true;
  env.client().of<core::Pod>().replace_subresource<core::Pod>({"default", "web"}, "ephemeralcontainers", more);
  env.settle();
  ASSERT_EQ(pod().status.ephemeralContainerStatuses.size(), 1U);
  const auto status = [&] { return pod().status.ephemeralContainerStatuses.front(); };
  EXPECT_TRUE(status().state.running);
  EXPECT_FALSE(status().ready);
  EXPECT_TRUE(kube::is_ready(pod()));
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
  end("look", 3);
  ASSERT_TRUE(status().state.terminated);
  EXPECT_EQ(status().state.terminated->exitCode, 3);
  EXPECT_EQ(status().restartCount, 0);
  EXPECT_EQ(pod().status.phase, "Running");
}

TEST_F(KubeletTest, ADeadlineFailsThePod) {
  apply("  activeDeadlineSeconds: 60\n  containers: [{name: a, image: busybox}]\n");
  env.advance(59s);
  EXPECT_EQ(pod().status.phase, "Running");
  env.advance(2s);
  EXPECT_EQ(pod().status.phase, "Failed");
  EXPECT_EQ(pod().status.reason, "DeadlineExceeded");
  EXPECT_THAT(runtime.signals, ElementsAre("a TERM"));
}

TEST_F(KubeletTest, ASandboxThatCannotBeMadeIsTriedAgain) {
  runtime.sandbox_error = "no more addresses";
  apply_simple();
  EXPECT_EQ(pod().status.phase, "Pending");
  EXPECT_THAT(env.events(),
              Contains(HasSubstr("FailedCreatePodSandBox: Failed to create pod sandbox: no more addresses")));
  runtime.sandbox_error.clear();
  env.advance(10min);
  EXPECT_EQ(pod().status.phase, "Running");
}

TEST(KubeletStatusOnly, EveryImageRunsAndNothingIsStarted) {
  ManualClock time;
  StatusOnlyRuntime runtime(time);
  Kubelet kubelet(runtime, {.node = "here"});
  flyball::testing::Environment env([&](runtime::Operator& op) { kubelet.declare(op); });
  env.apply(
      "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: here, containers: "
      "[{name: a, image: \"who/knows:1\", readinessProbe: {httpGet: {port: 80}}}]}}");
  env.settle();
  EXPECT_TRUE(kube::is_ready(env.get<core::Pod>("web")));
  env.delete_<core::Pod>("web");
  env.settle();
  EXPECT_FALSE(env.find<core::Pod>("web"));
}

}  // namespace
}  // namespace flyball::cluster::node
