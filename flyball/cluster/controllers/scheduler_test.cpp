#include "flyball/cluster/controllers/scheduler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/kube/readiness.hpp"

using namespace flyball;
using namespace flyball::cluster;
namespace core = kube::core::v1;

namespace {

using ::testing::Contains;
using ::testing::StartsWith;

struct Scheduler : public ::testing::Test {
  TestEnvironment env{declare_scheduler};

  void make_node(const std::string& name, const std::string& cpu = "2", Labels labels = {}) {
    labels["kubernetes.io/hostname"] = name;
    cluster::make_node(env, name, {{"cpu", cpu}, {"memory", "4Gi"}, {"pods", 10}}, labels);
  }
  void make_pod(const std::string& name, const std::function<void(core::Pod&)>& change = {}) {
    core::Pod pod{.metadata = {.name = name, .namespace_ = "default", .labels = {{"app", name}}},
                  .spec = {.containers = {{.name = "c", .image = "i"}}}};
    if (change) change(pod);
    env.create(pod);
    env.settle();
  }
  void ask(const std::string& name, const std::string& cpu) {
    make_pod(name, [&](auto& pod) { pod.spec.containers[0].resources.requests = {{"cpu", cpu}}; });
  }
  std::string node_of(const std::string& pod) { return env.get<core::Pod>(pod).spec.nodeName; }
  std::string why(const std::string& name) {
    const auto pod = env.get<core::Pod>(name);
    const auto* condition = find_condition(pod.status.conditions, "PodScheduled");
    if (condition == nullptr || condition->status != "False") return "";
    EXPECT_EQ(condition->reason, "Unschedulable");
    return condition->message;
  }
};

TEST_F(Scheduler, APodGetsANode) {
  make_node("one");
  make_pod("web");
  EXPECT_EQ(node_of("web"), "one");
  EXPECT_TRUE(kube::has_condition(env.get<core::Pod>("web"), "PodScheduled"));
  EXPECT_THAT(env.events(), Contains("Normal Scheduled: Successfully assigned default/web to one"));
}

TEST_F(Scheduler, WithoutNodesItWaitsForOne) {
  make_pod("web");
  EXPECT_EQ(why("web"), "no nodes available to schedule pods");
  EXPECT_THAT(env.events(), Contains("Warning FailedScheduling: no nodes available to schedule pods"));
  make_node("one");
  EXPECT_EQ(node_of("web"), "one");
}

TEST_F(Scheduler, APodThatAsksForMoreThanIsLeftWaitsUntilSomethingGoes) {
  make_node("one", "2");
  ask("big", "1500m");
  ask("late", "1");
  EXPECT_EQ(node_of("late"), "");
  EXPECT_EQ(why("late"),
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are "
            "available: 1 No preemption victims found for incoming pod.");
  set_pod(env, env.get<core::Pod>("big"), "Succeeded", false);
  env.settle();
  EXPECT_EQ(node_of("late"), "one");
}

TEST_F(Scheduler, WhatFitsNoNodeAtAllIsNotHelpedByPreemption) {
  make_node("one", "2");
  ask("huge", "64");
  EXPECT_EQ(why("huge"),
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are "
            "available: 1 Preemption is not helpful for scheduling.");
}

TEST_F(Scheduler, TheEmptiestNodeIsTaken) {
  make_node("one");
  make_node("two");
  ask("a", "1");
  ask("b", "1");
  EXPECT_NE(node_of("a"), node_of("b"));
}

TEST_F(Scheduler, APodOfHigherPriorityTakesThePlaceOfTheLeastImportantOnes) {
  make_node("one", "2");
  const auto with_priority = [&](const std::string& name, const std::string& cpu, const std::string& priority_class) {
    make_pod(name, [&](auto& pod) {
      pod.spec.containers[0].resources.requests = {{"cpu", cpu}};
      pod.spec.priorityClassName = priority_class;
    });
  };
  env.apply("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: middle}, value: 10}");
  env.apply("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 100}");
  with_priority("low", "1", "");
  with_priority("middle", "1", "middle");
  with_priority("high", "1", "high");
  EXPECT_EQ(env.get<core::Pod>("high").status.nominatedNodeName, "one");
  EXPECT_TRUE(env.get<core::Pod>("low").metadata.deletionTimestamp);
  EXPECT_FALSE(env.get<core::Pod>("middle").metadata.deletionTimestamp);
  end_pods(env);
  EXPECT_EQ(node_of("high"), "one");
  EXPECT_EQ(env.get<core::Pod>("high").status.nominatedNodeName, "");
}

TEST_F(Scheduler, APodThatMayNotPreemptWaits) {
  make_node("one", "2");
  ask("low", "2");
  env.apply(
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: polite}, value: 100, "
      "preemptionPolicy: Never}");
  make_pod("polite", [&](auto& pod) {
    pod.spec.containers[0].resources.requests = {{"cpu", "1"}};
    pod.spec.priorityClassName = "polite";
  });
  EXPECT_FALSE(env.get<core::Pod>("low").metadata.deletionTimestamp);
  EXPECT_EQ(why("polite"),
            "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.");
}

TEST_F(Scheduler, APreferredNodeIsTakenThoughAnotherIsEmptier) {
  make_node("one", "4");
  make_node("two", "2", {{"disk", "ssd"}});
  ask("there", "1");
  make_pod("web", [](auto& pod) {
    core::NodeSelectorTerm ssd{.matchExpressions = {{.key = "disk", .operator_ = "In", .values = {"ssd"}}}};
    core::NodeAffinity wish;
    wish.preferredDuringSchedulingIgnoredDuringExecution = {{.weight = 1, .preference = std::move(ssd)}};
    pod.spec.affinity = core::Affinity{.nodeAffinity = std::move(wish)};
  });
  EXPECT_EQ(node_of("web"), "two");
}

TEST_F(Scheduler, ANodeSelectorIsKept) {
  make_node("plain");
  make_pod("picky", [](auto& pod) { pod.spec.nodeSelector = {{"disk", "ssd"}}; });
  EXPECT_THAT(why("picky"),
              StartsWith("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."));
  make_node("fast", "2", {{"disk", "ssd"}});
  EXPECT_EQ(node_of("picky"), "fast");
}

TEST_F(Scheduler, RequiredNodeAffinityIsKept) {
  make_node("a", "2", {{"zone", "a"}});
  make_node("b", "2", {{"zone", "b"}});
  make_pod("picky", [](auto& pod) {
    core::NodeSelector wanted{
        .nodeSelectorTerms = {{.matchExpressions = {{.key = "zone", .operator_ = "NotIn", .values = {"a"}}}}}};
    pod.spec.affinity = {{.nodeAffinity = {{.requiredDuringSchedulingIgnoredDuringExecution = wanted}}}};
  });
  EXPECT_EQ(node_of("picky"), "b");
}

TEST_F(Scheduler, ATaintKeepsPodsOffThatDoNotTolerateIt) {
  make_node("tainted");
  env.edit<core::Node>("tainted",
                       [](auto& node) { node.spec.taints = {{.key = "gpu", .value = "yes", .effect = "NoSchedule"}}; });
  env.settle();
  make_pod("plain");
  EXPECT_THAT(why("plain"), StartsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s)."));
  make_pod("tolerant", [](auto& pod) { pod.spec.tolerations = {{.key = "gpu", .operator_ = "Exists"}}; });
  EXPECT_EQ(node_of("tolerant"), "tainted");
}

TEST_F(Scheduler, ACordonedNodeIsNotTaken) {
  make_node("one");
  env.edit<core::Node>("one", [](auto& node) { node.spec.unschedulable = true; });
  env.settle();
  make_pod("web");
  EXPECT_THAT(why("web"), StartsWith("0/1 nodes are available: 1 node(s) were unschedulable."));
  env.edit<core::Node>("one", [](auto& node) { node.spec.unschedulable = false; });
  env.settle();
  EXPECT_EQ(node_of("web"), "one");
}

TEST_F(Scheduler, PodsThatMustNotStandTogetherDoNot) {
  make_node("one");
  make_node("two");
  const auto apart = [](auto& pod) {
    pod.metadata.labels = {{"app", "db"}};
    pod.spec.affinity = {{.podAntiAffinity = {{.requiredDuringSchedulingIgnoredDuringExecution = {
                                                   {.labelSelector = {{.matchLabels = {{"app", "db"}}}},
                                                    .topologyKey = "kubernetes.io/hostname"}}}}}};
  };
  make_pod("a", apart);
  make_pod("b", apart);
  make_pod("c", apart);
  EXPECT_NE(node_of("a"), node_of("b"));
  EXPECT_THAT(why("c"), StartsWith("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules."));
}

TEST_F(Scheduler, PodsThatMustStandTogetherDo) {
  make_node("one");
  make_node("two");
  const auto together = [](auto& pod) {
    pod.metadata.labels = {{"app", "db"}};
    pod.spec.containers[0].resources.requests = {{"cpu", "500m"}};
    pod.spec.affinity = {{.podAffinity = {{.requiredDuringSchedulingIgnoredDuringExecution = {
                                               {.labelSelector = {{.matchLabels = {{"app", "db"}}}},
                                                .topologyKey = "kubernetes.io/hostname"}}}}}};
  };
  make_pod("a", together);
  make_pod("b", together);
  EXPECT_NE(node_of("a"), "");
  EXPECT_EQ(node_of("a"), node_of("b"));
}

TEST_F(Scheduler, AHostPortIsUsedOncePerNode) {
  make_node("one");
  const auto port = [](auto& pod) { pod.spec.containers[0].ports = {{.containerPort = 80, .hostPort = 80}}; };
  make_pod("a", port);
  make_pod("b", port);
  EXPECT_EQ(node_of("a"), "one");
  EXPECT_THAT(why("b"), StartsWith("0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod "
                                   "ports."));
}

TEST_F(Scheduler, PodsOfAnotherSchedulerAndGatedOnesAreLeftAlone) {
  make_node("one");
  make_pod("other", [](auto& pod) { pod.spec.schedulerName = "mine"; });
  make_pod("gated", [](auto& pod) { pod.spec.schedulingGates = {{.name = "example.com/wait"}}; });
  EXPECT_EQ(node_of("other"), "");
  EXPECT_EQ(node_of("gated"), "");
  env.edit<core::Pod>("gated", [](auto& pod) { pod.spec.schedulingGates.clear(); });
  env.settle();
  EXPECT_EQ(node_of("gated"), "one");
}

TEST_F(Scheduler, APodWaitsForAClaimThatIsNotThere) {
  make_node("one");
  make_pod("db",
           [](auto& pod) { pod.spec.volumes = {{.name = "data", .persistentVolumeClaim = {{.claimName = "data"}}}}; });
  EXPECT_THAT(why("db"), StartsWith("0/1 nodes are available: persistentvolumeclaim \"data\" not found."));
}

}  // namespace
