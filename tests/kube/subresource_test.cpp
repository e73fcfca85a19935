// Subresources: scale, eviction, binding, token, approval, finalize. (Status is among the verbs.)
#include "kube_test.hpp"

#include "flyball/client/credentials.hpp"
#include "flyball/client/logs.hpp"
#include "flyball/client/subresources.hpp"
#include "flyball/kube/authentication/v1.hpp"
#include "flyball/kube/policy/v1.hpp"

namespace flyball::kubetest {
namespace {

using Subresource = KubeTest;

TEST_F(Subresource, ScaleTellsAndSetsHowMany) {
  client.create(deployment("web", 2));
  EXPECT_EQ(client::get_scale<apps::Deployment>(client, {.name = "web"}).spec.replicas, 2);
  EXPECT_EQ(client::scale<apps::Deployment>(client, {.name = "web"}, 5).spec.replicas, 5);
  EXPECT_EQ(client.get<apps::Deployment>({.name = "web"}).spec.replicas, 5);
}

TEST_F(Subresource, ScaleTellsTheSelector) {
  client.create(deployment("web", 2));
  EXPECT_EQ(client::get_scale<apps::Deployment>(client, {.name = "web"}).status.selector, "app=web");
}

TEST_F(Subresource, AScaleCanBeReplacedIfNobodyWasFaster) {
  client.create(deployment("web", 2));
  auto scale = client::get_scale<apps::Deployment>(client, {.name = "web"});
  scale.spec.replicas = 3;
  const auto deployments = client.of<apps::Deployment>();
  EXPECT_EQ(deployments.replace_subresource({.name = "web"}, "scale", scale).spec.replicas, 3);
  EXPECT_TRUE(refusal([&] { deployments.replace_subresource({.name = "web"}, "scale", scale); }).is_conflict());
}

TEST_F(Subresource, AKindWithoutScaleHasNone) {
  client.create(config_map("a"));
  EXPECT_TRUE(refusal([&] { client::get_scale<core::ConfigMap>(client, {.name = "a"}); }).is_not_found());
}

TEST_F(Subresource, AnEvictionDeletesAPod) {
  client.create(pod("leaving"));
  client::evict(client, {.name = "leaving"});
  EXPECT_FALSE(client.find<core::Pod>({.name = "leaving"}));
}

TEST_F(Subresource, AnEvictionTheBudgetForbidsSaysWhichBudget) {
  client.create(pod("needed", {{"app", "web"}}));
  client.edit_status<core::Pod>({.name = "needed"}, [](auto& p) {
    p.status.phase = "Running";
    p.status.conditions = {{.type = "Ready", .status = "True"}};
  });
  client.create(kube::policy::v1::PodDisruptionBudget{
      .metadata = {.name = "keep-all"},
      .spec = {.minAvailable = kube::IntOrString(1), .selector = {{.matchLabels = {{"app", "web"}}}}}});
  client.edit_status<kube::policy::v1::PodDisruptionBudget>({.name = "keep-all"}, [](auto& budget) {
    budget.status.observedGeneration = 1;
    budget.status.expectedPods = 1;
    budget.status.currentHealthy = 1;
    budget.status.desiredHealthy = 1;
  });
  const auto error = refusal([&] { client::evict(client, {.name = "needed"}); });
  EXPECT_TRUE(error.is_too_many_requests());
  EXPECT_THAT(error.what(), HasSubstr("Cannot evict pod as it would violate the pod's disruption budget"));
  ASSERT_THAT(error.causes(), SizeIs(1));
  EXPECT_THAT(error.causes().at(0).message, HasSubstr("keep-all"));
  EXPECT_TRUE(client.find<core::Pod>({.name = "needed"}));
}

TEST_F(Subresource, ABindingPutsAPodOnANode) {
  client.create(pod("loose"));
  client::bind(client, {.name = "loose"}, "node-7");
  EXPECT_EQ(client.get<core::Pod>({.name = "loose"}).spec.nodeName, "node-7");
  const auto error = refusal([&] { client::bind(client, {.name = "loose"}, "node-8"); });
  EXPECT_TRUE(error.is_conflict());
  EXPECT_THAT(error.what(), HasSubstr("already assigned to node \"node-7\""));
}

TEST_F(Subresource, ATokenOfAServiceAccountOpensTheDoor) {
  client.create(core::ServiceAccount{.metadata = {.name = "robot"}});
  const auto issued = client::request_token(client, {.name = "robot"});
  auto config = server_.config_without_user();
  config.credentials = client::bearer_token(issued.token);
  const auto me = connect(config).create(kube::authentication::v1::SelfSubjectReview{});
  EXPECT_EQ(me.status.userInfo.username, "system:serviceaccount:" + ns + ":robot");
  EXPECT_THAT(me.status.userInfo.groups, Contains("system:serviceaccounts:" + ns));
}

TEST_F(Subresource, ATokenForSomebodyElseDoesNotOpenIt) {
  client.create(core::ServiceAccount{.metadata = {.name = "robot"}});
  const auto issued = client::request_token(client, {.name = "robot"}, {.audiences = {"vault"}});
  auto config = server_.config_without_user();
  config.credentials = client::bearer_token(issued.token);
  EXPECT_TRUE(
      refusal([&] { connect(config).create(kube::authentication::v1::SelfSubjectReview{}); }).is_unauthorized());
}

TEST_F(Subresource, AnEphemeralContainerIsAddedThroughItsOwnDoor) {
  client.create(pod("odd"));
  const auto now = client.of<core::Pod>().patch_subresource<core::Pod>(
      {.name = "odd"}, "ephemeralcontainers",
      Patch::strategic(R"({"spec":{"ephemeralContainers":[{"name":"debug","image":"busybox"}]}})"_json));
  ASSERT_THAT(now.spec.ephemeralContainers, SizeIs(1));
  EXPECT_TRUE(refusal([&] {
                client.patch<core::Pod>({.name = "odd"}, Patch::merge(R"({"spec":{"ephemeralContainers":[]}})"_json));
              }).code() >= 400);
}

TEST_F(Subresource, TheLogOfAPodThatRunsNowhereIsEmpty) {
  client.create(pod("idle"));
  EXPECT_EQ(client::pod_log_text(client, {.name = "idle"}), "");
  EXPECT_TRUE(refusal([&] { (void)client::pod_log_text(client, {.name = "ghost"}); }).is_not_found());
}

TEST_F(Subresource, TheLogOfAPodOnANodeThatIsNotThereNamesTheNode) {
  auto placed = pod("placed");
  placed.spec.nodeName = "node-9";
  client.create(placed);
  const auto error =
      refusal([&] { (void)client::pod_log_text(connect({.retry = {.attempts = 1}}), {.name = "placed"}); });
  EXPECT_THAT(error.what(), HasSubstr("node-9"));
}

TEST_F(Subresource, ANamespaceIsFinalizedThroughItsOwnDoor) {
  const std::string name = ns + "-f";
  client.create(core::Namespace{.metadata = {.name = name}});
  client.delete_<core::Namespace>({.name = name});
  auto dying = client.get<core::Namespace>({.name = name});
  EXPECT_THAT(dying.spec.finalizers, ElementsAre("kubernetes"));
  dying.spec.finalizers.clear();
  client.of<core::Namespace>().replace_subresource({.name = name}, "finalize", dying);
  EXPECT_FALSE(client.find<core::Namespace>({.name = name}));
}

}  // namespace
}  // namespace flyball::kubetest
