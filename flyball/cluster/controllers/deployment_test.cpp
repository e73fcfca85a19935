#include "flyball/cluster/controllers/deployment.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/deployment_numbers.hpp"
#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/replicaset.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
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

constexpr std::string_view kWeb = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {team: shop}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}]}
)";

struct Deployments : public ::testing::Test {
  TestEnvironment env{[](Operator& op) {
    declare_replicasets(op);
    declare_deployments(op);
  }};

  void begin(const std::function<void(apps::Deployment&)>& change = [](apps::Deployment&) {}) {
    env.apply(kWeb);
    env.edit<apps::Deployment>("web", change);
    env.settle();
  }
  void edit(const std::function<void(apps::Deployment&)>& change) {
    env.edit<apps::Deployment>("web", change);
    env.settle();
  }
  void set_image(const std::string& image) {
    edit([&](auto& web) { web.spec.template_.spec.containers[0].image = image; });
  }
  // Until there is nothing left to do.
  void roll_out() {
    for (int i = 0; i < 30; ++i) {
      run_pods(env);
      end_pods(env);
    }
  }
  apps::Deployment web() { return env.get<apps::Deployment>("web"); }
  apps::DeploymentCondition condition(const std::string& type) {
    const auto status = web().status;
    const auto* found = find_condition(status.conditions, type);
    return found == nullptr ? apps::DeploymentCondition{} : *found;
  }
  std::vector<apps::ReplicaSet> sets() {
    auto all = env.list<apps::ReplicaSet>();
    std::ranges::sort(all, {}, revision);
    return all;
  }
  // How many pods each revision has.
  std::vector<std::int32_t> sizes() {
    std::vector<std::int32_t> all;
    for (const auto& set : sets()) all.push_back(replicas(set));
    return all;
  }
};

TEST_F(Deployments, MakesAReplicaSetOfItsTemplate) {
  begin();
  const auto all = sets();
  ASSERT_THAT(all, SizeIs(1));
  const std::string hash = all[0].metadata.labels.at("pod-template-hash");
  EXPECT_EQ(all[0].metadata.name, "web-" + hash);
  EXPECT_THAT(hash, MatchesRegex("[bcdf-hj-np-tv-xz24-9]{8,10}"));
  EXPECT_EQ(all[0].spec.selector.matchLabels, (Labels{{"app", "web"}, {"pod-template-hash", hash}}));
  EXPECT_EQ(all[0].spec.template_.metadata.labels, (Labels{{"app", "web"}, {"pod-template-hash", hash}}));
  EXPECT_EQ(all[0].metadata.annotations, (Labels{{"team", "shop"},
                                                 {"deployment.kubernetes.io/revision", "1"},
                                                 {"deployment.kubernetes.io/desired-replicas", "3"},
                                                 {"deployment.kubernetes.io/max-replicas", "4"}}));
  EXPECT_TRUE(kube::is_controlled_by(all[0], web()));
  EXPECT_EQ(web().metadata.annotations.at("deployment.kubernetes.io/revision"), "1");
  EXPECT_EQ(web().metadata.generation, 1) << "noting the revision is no change of what is asked for";
  for (const auto& pod : env.list<core::Pod>()) {
    EXPECT_THAT(pod.metadata.name, MatchesRegex("web-[a-z0-9]+-[a-z0-9]{5}"));
  }
  EXPECT_THAT(env.events(), Contains("Normal ScalingReplicaSet: Scaled up replica set web-" + hash + " from 0 to 3"));
}

TEST_F(Deployments, SaysHowFarItIs) {
  begin();
  EXPECT_EQ(web().status.replicas, 3);
  EXPECT_EQ(web().status.updatedReplicas, 3);
  EXPECT_EQ(web().status.unavailableReplicas, 3);
  EXPECT_EQ(condition("Available").status, "False");
  EXPECT_EQ(condition("Available").reason, "MinimumReplicasUnavailable");
  EXPECT_EQ(condition("Progressing").status, "True");
  EXPECT_EQ(condition("Progressing").reason, "ReplicaSetUpdated");
  run_pods(env);
  EXPECT_EQ(web().status.readyReplicas, 3);
  EXPECT_EQ(web().status.availableReplicas, 3);
  EXPECT_EQ(web().status.unavailableReplicas, 0);
  EXPECT_EQ(web().status.observedGeneration, web().metadata.generation);
  EXPECT_EQ(condition("Available").reason, "MinimumReplicasAvailable");
  EXPECT_EQ(condition("Available").message, "Deployment has minimum availability.");
  EXPECT_EQ(condition("Progressing").reason, "NewReplicaSetAvailable");
  EXPECT_EQ(condition("Progressing").message,
            "ReplicaSet \"" + sets()[0].metadata.name + "\" has successfully progressed.");
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST_F(Deployments, ANewTemplateIsRolledOutWithinItsLimits) {
  begin([](auto& web) {
    web.spec.replicas = 10;
    web.spec.strategy.rollingUpdate = {{.maxUnavailable = 2, .maxSurge = 3}};
  });
  run_pods(env);
  set_image("nginx:2");
  EXPECT_THAT(sizes(), ElementsAre(8, 5));
  for (int i = 0; i < 20; ++i) {
    const auto pods = env.list<core::Pod>();
    EXPECT_LE(std::ranges::count_if(pods, is_active), 13);
    EXPECT_GE(web().status.availableReplicas, 8);
    run_pods(env);
  }
  EXPECT_THAT(sizes(), ElementsAre(0, 10));
  EXPECT_EQ(web().metadata.annotations.at("deployment.kubernetes.io/revision"), "2");
  EXPECT_EQ(condition("Progressing").reason, "NewReplicaSetAvailable");
  EXPECT_EQ(web().status.updatedReplicas, 10);
}

TEST_F(Deployments, WithoutSurgePodsGoBeforeOthersCome) {
  begin([](auto& web) { web.spec.strategy.rollingUpdate = {{.maxUnavailable = 1, .maxSurge = 0}}; });
  run_pods(env);
  set_image("nginx:2");
  EXPECT_THAT(sizes(), ElementsAre(2, 1));
  run_pods(env);
  EXPECT_THAT(sizes(), ElementsAre(1, 2));
  roll_out();
  EXPECT_THAT(sizes(), ElementsAre(0, 3));
}

TEST_F(Deployments, OldPodsStayWhileTheNewOnesDoNotWork) {
  begin();
  run_pods(env);
  set_image("broken");
  run_pods(env, false);
  EXPECT_THAT(sizes(), ElementsAre(3, 1));
  EXPECT_EQ(web().status.availableReplicas, 3);
}

TEST_F(Deployments, RecreateBringsTheNewWhenAllOfTheOldAreGone) {
  env.apply("apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n");
  begin([](auto& web) {
    web.spec.strategy = {.type = "Recreate"};
    web.spec.template_.spec.nodeName = "node-1";
  });
  run_pods(env);
  set_image("nginx:2");
  // They are told to end, and still run.
  EXPECT_THAT(sizes(), ElementsAre(0));
  EXPECT_THAT(env.list<core::Pod>(), SizeIs(3));
  end_pods(env);
  EXPECT_THAT(sizes(), ElementsAre(0, 3));
  run_pods(env);
  EXPECT_EQ(condition("Progressing").reason, "NewReplicaSetAvailable");
}

TEST_F(Deployments, AnOlderTemplateComesBackWithANewRevision) {
  begin();
  run_pods(env);
  const std::string first = sets()[0].metadata.name;
  set_image("nginx:2");
  roll_out();
  set_image("nginx:1");
  roll_out();
  const auto all = sets();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[1].metadata.name, first);
  EXPECT_EQ(revision(all[1]), 3);
  EXPECT_EQ(all[1].metadata.annotations.at("deployment.kubernetes.io/revision-history"), "1");
  EXPECT_EQ(web().metadata.annotations.at("deployment.kubernetes.io/revision"), "3");
  EXPECT_THAT(sizes(), ElementsAre(0, 3));
}

TEST_F(Deployments, KeepsAsManyOldSetsAsItsHistoryMayHave) {
  begin([](auto& web) { web.spec.revisionHistoryLimit = 1; });
  run_pods(env);
  for (const char* image : {"nginx:2", "nginx:3", "nginx:4"}) {
    set_image(image);
    roll_out();
  }
  const auto all = sets();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(revision(all[0]), 3);
  EXPECT_EQ(revision(all[1]), 4);
}

TEST_F(Deployments, APausedOneIsScaledButNotRolledOut) {
  begin();
  run_pods(env);
  edit([](auto& web) {
    web.spec.paused = true;
    web.spec.template_.spec.containers[0].image = "nginx:2";
  });
  EXPECT_EQ(condition("Progressing").status, "Unknown");
  EXPECT_EQ(condition("Progressing").reason, "DeploymentPaused");
  edit([](auto& web) { web.spec.replicas = 5; });
  EXPECT_THAT(sizes(), ElementsAre(5));
  edit([](auto& web) { web.spec.paused = false; });
  roll_out();
  EXPECT_THAT(sizes(), ElementsAre(0, 5));
  EXPECT_EQ(condition("Progressing").reason, "NewReplicaSetAvailable");
}

TEST_F(Deployments, ScaledInTheMiddleOfARolloutAllSetsGrowInProportion) {
  begin([](auto& web) {
    web.spec.replicas = 10;
    web.spec.strategy.rollingUpdate = {{.maxUnavailable = 2, .maxSurge = 3}};
  });
  run_pods(env);
  set_image("broken");
  run_pods(env, false);
  EXPECT_THAT(sizes(), ElementsAre(8, 5));
  edit([](auto& web) { web.spec.replicas = 15; });
  EXPECT_THAT(sizes(), ElementsAre(11, 7));
}

TEST_F(Deployments, ARolloutThatDoesNotGoOnIsATimeout) {
  begin([](auto& web) { web.spec.progressDeadlineSeconds = 60; });
  run_pods(env);
  set_image("broken");
  env.advance(50s);
  EXPECT_EQ(condition("Progressing").status, "True");
  env.advance(15s);
  EXPECT_EQ(condition("Progressing").status, "False");
  EXPECT_EQ(condition("Progressing").reason, "ProgressDeadlineExceeded");
  EXPECT_THAT(condition("Progressing").message, MatchesRegex("ReplicaSet \"web-.*\" has timed out progressing."));
  roll_out();
  EXPECT_EQ(condition("Progressing").reason, "NewReplicaSetAvailable");
}

TEST_F(Deployments, ANameThatIsTakenIsNotUsed) {
  begin();
  const auto first = sets()[0];
  env.edit<apps::Deployment>("web", [](auto& web) { web.spec.template_.spec.containers[0].image = "nginx:2"; });
  env.settle();
  const std::string second = sets()[1].metadata.name;
  // The same deployment again, in the way of whose second set stands a stranger.
  TestEnvironment other([](Operator& op) { declare_deployments(op); });
  auto stranger = first.spec;
  stranger.selector = {.matchLabels = {{"app", "stranger"}}};
  stranger.template_.metadata.labels = {{"app", "stranger"}};
  other.create(apps::ReplicaSet{.metadata = {.name = second, .namespace_ = "default"}, .spec = stranger});
  other.apply(kWeb);
  other.edit<apps::Deployment>("web", [](auto& web) { web.spec.template_.spec.containers[0].image = "nginx:2"; });
  other.settle();
  EXPECT_EQ(other.get<apps::Deployment>("web").status.collisionCount, 1);
  EXPECT_THAT(other.list<apps::ReplicaSet>(), SizeIs(2));
}

TEST_F(Deployments, ASetThatNobodyControlsIsAdopted) {
  begin();
  run_pods(env);
  const std::string name = sets()[0].metadata.name;
  env.edit<apps::ReplicaSet>(name, [](auto& set) { set.metadata.ownerReferences.clear(); });
  env.settle();
  ASSERT_THAT(sets(), SizeIs(1));
  EXPECT_TRUE(kube::is_controlled_by(sets()[0], web()));
}

TEST(DeploymentOrders, ARolloutEndsWhateverTheOrderOfEvents) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    TestEnvironment env(
        [](Operator& op) {
          declare_replicasets(op);
          declare_deployments(op);
        },
        {.seed = seed});
    env.apply(kWeb);
    env.settle();
    run_pods(env);
    env.edit<apps::Deployment>("web", [](auto& web) { web.spec.template_.spec.containers[0].image = "nginx:2"; });
    env.settle();
    for (int i = 0; i < 10; ++i) run_pods(env);
    const auto web = env.get<apps::Deployment>("web");
    EXPECT_EQ(web.status.updatedReplicas, 3) << "seed " << seed;
    EXPECT_EQ(web.status.replicas, 3) << "seed " << seed;
    EXPECT_THAT(env.list<core::Pod>(), SizeIs(3)) << "seed " << seed;
  }
}

}  // namespace
