// All controllers together: what a person applies comes to life, and goes again.
#include "flyball/cluster/controllers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/discovery/v1.hpp"

using namespace flyball;
using namespace flyball::cluster;
namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;

namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kShop = R"(
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx, ports: [{name: http, containerPort: 80}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
)";

struct Controllers : public ::testing::Test {
  TestEnvironment env{[](Operator& op) { declare_controllers(op); }};

  void SetUp() override { make_node(env, "node-1", {{"cpu", 4}, {"pods", 100}}); }
};

TEST_F(Controllers, ADeploymentBehindAServiceComesToLife) {
  env.apply(kShop);
  env.settle();
  run_pods(env);
  const auto web = env.get<apps::Deployment>({"shop", "web"});
  EXPECT_EQ(web.status.availableReplicas, 3);
  for (const auto& pod : env.list<core::Pod>()) EXPECT_EQ(pod.spec.nodeName, "node-1");
  const auto slices = env.list<discovery::EndpointSlice>({.namespace_ = "shop"});
  ASSERT_THAT(slices, SizeIs(1));
  EXPECT_THAT(slices[0].endpoints, SizeIs(3));
}

TEST_F(Controllers, WhatADeploymentOwnsGoesWithIt) {
  env.apply(kShop);
  env.settle();
  run_pods(env);
  env.client().delete_<apps::Deployment>({"shop", "web"}, {.propagation = client::Propagation::foreground});
  env.settle();
  end_pods(env);
  EXPECT_FALSE(env.find<apps::Deployment>({"shop", "web"}));
  EXPECT_THAT(env.list<apps::ReplicaSet>(), IsEmpty());
  EXPECT_THAT(env.list<core::Pod>(), IsEmpty());
}

TEST_F(Controllers, ANamespaceGoesWithAllThatRunsInIt) {
  env.apply(kShop);
  env.settle();
  run_pods(env);
  env.delete_<core::Namespace>("shop");
  for (int i = 0; i < 5; ++i) {
    env.advance(std::chrono::seconds(3));
    end_pods(env);
  }
  EXPECT_FALSE(env.find<core::Namespace>("shop"));
  EXPECT_THAT(env.list<core::Pod>(), IsEmpty());
}

TEST_F(Controllers, NoNameIsUsedTwice) {
  Operator op("cluster");
  declare_controllers(op);
  std::set<std::string> names;
  for (const auto& spec : op.controllers()) EXPECT_TRUE(names.insert(spec->name).second) << spec->name;
}

// With requests that fail and watches that break: the end is the same.
TEST(ControllersInDisorder, WhatIsAskedForIsThereInTheEndAndNothingElse) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    TestEnvironment env(
        [](Operator& op) { declare_controllers(op); },
        {.seed = seed,
         .faults = {.lose_answer = 0.02, .refuse = 0.05, .conflict = 0.05, .break_watch = 0.01, .repeat_event = 0.02}});
    make_node(env, "node-1", {{"cpu", 4}, {"pods", 100}});
    env.apply(kShop);
    const auto pass_time = [&] {
      for (int i = 0; i < 6; ++i) {
        env.advance(std::chrono::seconds(10));
        run_pods(env);
        end_pods(env);
      }
    };
    pass_time();
    env.edit<apps::Deployment>({"shop", "web"}, [](auto& web) { web.spec.template_.spec.containers[0].image = "n:2"; });
    pass_time();
    const auto web = env.get<apps::Deployment>({"shop", "web"});
    EXPECT_EQ(web.status.updatedReplicas, 3) << "seed " << seed;
    EXPECT_EQ(web.status.replicas, 3) << "seed " << seed;
    EXPECT_THAT(env.list<core::Pod>(), SizeIs(3)) << "seed " << seed;
    env.client().delete_<apps::Deployment>({"shop", "web"}, {.propagation = client::Propagation::foreground});
    pass_time();
    EXPECT_THAT(env.list<apps::ReplicaSet>(), IsEmpty()) << "seed " << seed;
    EXPECT_THAT(env.list<core::Pod>(), IsEmpty()) << "seed " << seed;
  }
}

}  // namespace
