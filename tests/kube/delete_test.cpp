// Deleting: preconditions, finalizers, grace, and what becomes of what is owned.
#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

using client::Propagation;

using Deleting = KubeTest;

TEST_F(Deleting, OnlyTheObjectThatWasMeant) {
  client.create(config_map("a"));
  const auto error =
      refusal([&] { client.delete_<core::ConfigMap>({.name = "a"}, {.uid = "00000000-0000-0000-0000-000000000000"}); });
  EXPECT_TRUE(error.is_conflict());
  EXPECT_THAT(error.what(), HasSubstr("the UID in the precondition"));
  EXPECT_TRUE(client.find<core::ConfigMap>({.name = "a"}));
}

TEST_F(Deleting, OnlyTheVersionThatWasSeen) {
  const auto read = client.create(config_map("a"));
  client.patch<core::ConfigMap>({.name = "a"}, Patch::merge(R"({"data":{"one":"1"}})"_json));
  EXPECT_TRUE(refusal([&] {
                client.delete_<core::ConfigMap>({.name = "a"}, {.resource_version = read.metadata.resourceVersion});
              }).is_conflict());
  const auto now = client.get<core::ConfigMap>({.name = "a"});
  EXPECT_TRUE(client.delete_<core::ConfigMap>(
      {.name = "a"}, {.uid = now.metadata.uid, .resource_version = now.metadata.resourceVersion}));
}

TEST_F(Deleting, AFinalizerHoldsTheObjectUntilItIsRemoved) {
  auto held = config_map("held");
  held.metadata.finalizers = {"example.com/hold"};
  client.create(held);
  EXPECT_TRUE(client.delete_<core::ConfigMap>({.name = "held"}));
  const auto dying = client.get<core::ConfigMap>({.name = "held"});
  EXPECT_TRUE(dying.metadata.deletionTimestamp.has_value());
  auto released = dying;
  released.metadata.finalizers.clear();
  client.update(dying, released);
  EXPECT_FALSE(client.find<core::ConfigMap>({.name = "held"}));
}

TEST_F(Deleting, ADyingObjectTakesNoNewFinalizer) {
  auto held = config_map("held");
  held.metadata.finalizers = {"example.com/hold"};
  client.create(held);
  client.delete_<core::ConfigMap>({.name = "held"});
  const auto error = refusal([&] {
    client.edit<core::ConfigMap>({.name = "held"},
                                 [](auto& map) { map.metadata.finalizers.push_back("example.com/more"); });
  });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_THAT(error.what(), HasSubstr("no new finalizers can be added if the object is being deleted"));
}

TEST_F(Deleting, AFinalizerNeedsAQualifiedName) {
  auto held = pod("held");
  held.metadata.finalizers = {"hold me"};
  const auto error = refusal([&] { client.create(held); });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_THAT(error.causes().at(0).field, StartsWith("metadata.finalizers"));
}

TEST_F(Deleting, APodOnANodeGetsItsGracePeriod) {
  auto placed = pod("placed");
  placed.spec.nodeName = "node-1";
  client.create(placed);
  client.delete_<core::Pod>({.name = "placed"}, {.grace = 90s});
  const auto dying = client.get<core::Pod>({.name = "placed"});
  EXPECT_EQ(dying.metadata.deletionGracePeriodSeconds, 90);
  EXPECT_TRUE(client.delete_<core::Pod>({.name = "placed"}, {.grace = 0s}));
  EXPECT_FALSE(client.find<core::Pod>({.name = "placed"})) << "no grace means now";
}

TEST_F(Deleting, ForegroundWaitsForWhatIsOwned) {
  client.create(deployment("web"));
  client.delete_<apps::Deployment>({.name = "web"}, {.propagation = Propagation::foreground});
  EXPECT_THAT(client.get<apps::Deployment>({.name = "web"}).metadata.finalizers, ElementsAre("foregroundDeletion"));
}

TEST_F(Deleting, OrphanKeepsWhatIsOwned) {
  client.create(deployment("web"));
  client.delete_<apps::Deployment>({.name = "web"}, {.propagation = Propagation::orphan});
  EXPECT_THAT(client.get<apps::Deployment>({.name = "web"}).metadata.finalizers, ElementsAre("orphan"));
}

TEST_F(Deleting, BackgroundIsGoneAtOnce) {
  client.create(deployment("web"));
  client.delete_<apps::Deployment>({.name = "web"}, {.propagation = Propagation::background});
  EXPECT_FALSE(client.find<apps::Deployment>({.name = "web"}));
}

TEST_F(Deleting, ANamespaceStaysUntilItIsEmpty) {
  client.create(config_map("a"));
  client.delete_<core::Namespace>({.name = ns});
  EXPECT_EQ(client.get<core::Namespace>({.name = ns}).status.phase, "Terminating");
  const auto error = refusal([&] { client.create(config_map("b")); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_THAT(error.what(), HasSubstr("is being terminated"));
}

TEST_F(ControllersTest, ADeploymentMakesReplicaSetsAndPods) {
  client.create(deployment("web", 2));
  eventually("two pods", [&] { return client.list<core::Pod>({.namespace_ = ns}).all().size() == 2; });
  const auto sets = client.list<apps::ReplicaSet>({.namespace_ = ns}).all();
  ASSERT_THAT(sets, SizeIs(1));
  EXPECT_EQ(sets.at(0).metadata.ownerReferences.at(0).name, "web");
}

TEST_F(ControllersTest, WhatIsOwnedGoesAfterItsOwner) {
  client.create(deployment("web", 1));
  eventually("a pod", [&] { return !client.list<core::Pod>({.namespace_ = ns}).all().empty(); });
  client.delete_<apps::Deployment>({.name = "web"}, {.propagation = Propagation::foreground});
  eventually("all is gone", [&] {
    return client.list<core::Pod>({.namespace_ = ns}).all().empty() &&
           client.list<apps::ReplicaSet>({.namespace_ = ns}).all().empty() &&
           !client.find<apps::Deployment>({.name = "web"});
  });
}

TEST_F(ControllersTest, WhatWasOrphanedStaysWithoutOwner) {
  client.create(deployment("web", 1));
  eventually("a set", [&] { return !client.list<apps::ReplicaSet>({.namespace_ = ns}).all().empty(); });
  client.delete_<apps::Deployment>({.name = "web"}, {.propagation = Propagation::orphan});
  eventually("it is gone", [&] { return !client.find<apps::Deployment>({.name = "web"}); });
  const auto sets = client.list<apps::ReplicaSet>({.namespace_ = ns}).all();
  ASSERT_THAT(sets, SizeIs(1));
  EXPECT_THAT(sets.at(0).metadata.ownerReferences, IsEmpty());
}

TEST_F(ControllersTest, ADeletedNamespaceTakesItsContentAlong) {
  client.create(config_map("cargo"));
  client.delete_<core::Namespace>({.name = ns});
  eventually("it is gone", [&] { return !client.find<core::Namespace>({.name = ns}); });
}

}  // namespace
}  // namespace flyball::kubetest
