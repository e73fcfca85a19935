#include "flyball/cluster/controllers/replicaset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/victims.hpp"
#include "flyball/kube/apps/v1.hpp"

using namespace flyball;
using namespace flyball::cluster;
using namespace std::chrono_literals;
namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kSet = R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: front}, annotations: {note: kept}}
    spec: {containers: [{name: web, image: nginx}]}
)";

TestEnvironment::Setup setup() { return declare_replicasets; }

apps::ReplicaSetStatus status(TestEnvironment& env) { return env.get<apps::ReplicaSet>("web").status; }

std::vector<core::Pod> active(TestEnvironment& env) {
  auto pods = env.list<core::Pod>();
  std::erase_if(pods, [](const auto& pod) { return !is_active(pod); });
  return pods;
}

void scale(TestEnvironment& env, std::int32_t replicas) {
  env.edit<apps::ReplicaSet>("web", [&](auto& set) { set.spec.replicas = replicas; });
  env.settle();
}

TEST(ReplicaSets, MakesAsManyPodsAsAreAskedFor) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.settle();
  const auto pods = env.list<core::Pod>();
  ASSERT_THAT(pods, SizeIs(3));
  const auto set = env.get<apps::ReplicaSet>("web");
  for (const core::Pod& pod : pods) {
    EXPECT_THAT(pod.metadata.name, MatchesRegex("web-[a-z0-9]{5}"));
    EXPECT_EQ(pod.metadata.labels, (Labels{{"app", "web"}, {"tier", "front"}}));
    EXPECT_EQ(pod.metadata.annotations.at("note"), "kept");
    ASSERT_THAT(pod.metadata.ownerReferences, SizeIs(1));
    EXPECT_EQ(pod.metadata.ownerReferences[0], (kube::meta::v1::OwnerReference{.apiVersion = "apps/v1",
                                                                               .kind = "ReplicaSet",
                                                                               .name = "web",
                                                                               .uid = set.metadata.uid,
                                                                               .controller = true,
                                                                               .blockOwnerDeletion = true}));
  }
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST(ReplicaSets, CountsPodsInItsStatus) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.settle();
  EXPECT_EQ(status(env).replicas, 3);
  EXPECT_EQ(status(env).fullyLabeledReplicas, 3);
  EXPECT_EQ(status(env).readyReplicas, 0);
  EXPECT_EQ(status(env).observedGeneration, 1);
  run_pods(env);
  EXPECT_EQ(status(env).readyReplicas, 3);
  EXPECT_EQ(status(env).availableReplicas, 3);
  EXPECT_EQ(status(env).terminatingReplicas, 0);
}

TEST(ReplicaSets, PodsAreAvailableWhenTheyHaveBeenReadyForLongEnough) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.edit<apps::ReplicaSet>("web", [](auto& set) { set.spec.minReadySeconds = 30; });
  env.settle();
  run_pods(env);
  EXPECT_EQ(status(env).readyReplicas, 3);
  EXPECT_EQ(status(env).availableReplicas, 0);
  env.advance(29s);
  EXPECT_EQ(status(env).availableReplicas, 0);
  env.advance(2s);
  EXPECT_EQ(status(env).availableReplicas, 3);
}

TEST(ReplicaSets, AFewerReplicasPodsGo) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.settle();
  scale(env, 1);
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(1));
  EXPECT_EQ(status(env).replicas, 1);
  scale(env, 0);
  EXPECT_THAT(env.list<core::Pod>(), IsEmpty());
  EXPECT_EQ(status(env).observedGeneration, 3);
}

TEST(ReplicaSets, APodThatIsDeletedOrFailsIsReplaced) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.settle();
  env.delete_<core::Pod>(env.list<core::Pod>()[0].metadata.name);
  env.settle();
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(3));
  set_pod(env, env.list<core::Pod>()[0], "Failed", false);
  env.settle();
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(4));
  EXPECT_EQ(status(env).replicas, 3);
}

TEST(ReplicaSets, APodThatIsGoingCountsAsTerminatingUntilItHasGone) {
  TestEnvironment env(setup());
  env.apply("apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n");
  env.apply(kSet);
  env.edit<apps::ReplicaSet>("web", [](auto& set) { set.spec.template_.spec.nodeName = "node-1"; });
  env.settle();
  run_pods(env);
  scale(env, 2);
  EXPECT_THAT(active(env), SizeIs(2));
  EXPECT_EQ(status(env).replicas, 2);
  EXPECT_EQ(status(env).terminatingReplicas, 1);
  end_pods(env);
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(2));
  EXPECT_EQ(status(env).terminatingReplicas, 0);
}

TEST(ReplicaSets, AnOrphanThatMatchesIsAdopted) {
  TestEnvironment env(setup());
  env.apply(R"(
apiVersion: v1
kind: Pod
metadata: {name: lonely, labels: {app: web}}
spec: {containers: [{name: web, image: nginx}]}
)");
  env.apply(kSet);
  env.settle();
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(3));
  EXPECT_TRUE(kube::is_controlled_by(env.get<core::Pod>("lonely"), env.get<apps::ReplicaSet>("web")));
  EXPECT_EQ(status(env).fullyLabeledReplicas, 2);
}

TEST(ReplicaSets, APodThatMatchesNoMoreIsLetGoAndReplaced) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.settle();
  const std::string name = env.list<core::Pod>()[0].metadata.name;
  env.edit<core::Pod>(name, [](auto& pod) { pod.metadata.labels["app"] = "broken"; });
  env.settle();
  EXPECT_THAT(env.get<core::Pod>(name).metadata.ownerReferences, IsEmpty());
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(4));
  EXPECT_EQ(status(env).replicas, 3);
}

TEST(ReplicaSets, PodsOfAnotherAreLeftAlone) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.settle();
  auto other = env.get<apps::ReplicaSet>("web");
  env.create(apps::ReplicaSet{.metadata = {.name = "other", .namespace_ = "default"}, .spec = other.spec});
  env.settle();
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(6));
}

TEST(ReplicaSets, TellsOfWhatItMakesAndDeletes) {
  TestEnvironment env(setup());
  env.apply(kSet);
  scale(env, 1);
  const std::string first = env.list<core::Pod>()[0].metadata.name;
  scale(env, 0);
  EXPECT_THAT(env.events(), ElementsAre("Normal SuccessfulCreate: Created pod: " + first,
                                        "Normal SuccessfulDelete: Deleted pod: " + first));
}

TEST(ReplicaSets, APodThatCannotBeMadeIsAConditionAndIsTriedAgain) {
  TestEnvironment env(setup());
  env.apply(kSet);
  env.edit<apps::ReplicaSet>("web", [](auto& set) { set.spec.template_.spec.priorityClassName = "absent"; });
  env.settle();
  ASSERT_THAT(status(env).conditions, SizeIs(1));
  const apps::ReplicaSetCondition condition = status(env).conditions[0];
  EXPECT_EQ(condition.type, "ReplicaFailure");
  EXPECT_EQ(condition.status, "True");
  EXPECT_EQ(condition.reason, "FailedCreate");
  EXPECT_THAT(env.events(), Contains(StartsWith("Warning FailedCreate: Error creating: ")));
  env.apply("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: absent}\nvalue: 7\n");
  env.advance(20min);
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(3));
  EXPECT_THAT(status(env).conditions, IsEmpty());
}

TEST(ReplicaSets, CountIsRightWhateverTheOrderOfEvents) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    TestEnvironment env(setup(), {.seed = seed});
    env.apply(kSet);
    env.settle();
    scale(env, 5);
    run_pods(env);
    scale(env, 2);
    EXPECT_THAT(active(env), SizeIs(2)) << "seed " << seed;
    EXPECT_EQ(status(env).replicas, 2) << "seed " << seed;
  }
}

// --- Which pods go first

core::Pod pod(const std::string& name, const std::string& phase = "Running", bool ready = true) {
  core::Pod made{.metadata = {.name = name, .uid = name}, .spec = {.nodeName = "node"}, .status = {.phase = phase}};
  made.metadata.creationTimestamp = kube::Time::from_unix(1000);
  made.status.conditions = {
      {.type = "Ready", .status = ready ? "True" : "False", .lastTransitionTime = kube::Time::from_unix(1000)}};
  return made;
}

std::vector<std::string> order(const std::vector<core::Pod>& pods, const std::vector<core::Pod>& related = {}) {
  std::vector<std::string> names;
  const WallTime now{std::chrono::seconds(100'000)};
  for (const core::Pod& one : victims(pods, related, pods.size() - 1, now)) names.push_back(one.metadata.name);
  return names;
}

TEST(Victims, ThoseThatRunNowhereThenPendingThenNotReadyGoFirst) {
  core::Pod unassigned = pod("unassigned", "Pending", false);
  unassigned.spec.nodeName.clear();
  EXPECT_THAT(order({pod("ready"), pod("not-ready", "Running", false), pod("pending", "Pending", false), unassigned}),
              ElementsAre("unassigned", "pending", "not-ready"));
}

TEST(Victims, ACheaperOneGoesBeforeADearerOne) {
  core::Pod cheap = pod("cheap");
  cheap.metadata.annotations["controller.kubernetes.io/pod-deletion-cost"] = "-5";
  core::Pod dear = pod("dear");
  dear.metadata.annotations["controller.kubernetes.io/pod-deletion-cost"] = "5";
  EXPECT_THAT(order({dear, pod("plain"), cheap}), ElementsAre("cheap", "plain"));
}

TEST(Victims, OneThatSharesItsNodeGoesFirst) {
  core::Pod alone = pod("a-alone");
  alone.spec.nodeName = "other";
  const std::vector<core::Pod> pods{alone, pod("b"), pod("c")};
  EXPECT_THAT(order(pods, pods), ElementsAre("b", "c"));
}

TEST(Victims, OneThatRestartedMoreOrIsYoungerGoesFirst) {
  core::Pod restarted = pod("restarted");
  restarted.status.containerStatuses = {{.name = "c", .restartCount = 3}};
  EXPECT_THAT(order({pod("calm"), restarted}), ElementsAre("restarted"));
  core::Pod young = pod("young");
  young.metadata.creationTimestamp = kube::Time::from_unix(99'999);
  young.status.conditions[0].lastTransitionTime = kube::Time::from_unix(99'999);
  EXPECT_THAT(order({pod("old"), young}), ElementsAre("young"));
}

}  // namespace
