#include "flyball/cluster/controllers/garbage_collector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/testing/environment.hpp"

using namespace flyball;
using namespace flyball::cluster;
using namespace std::chrono_literals;
namespace core = kube::core::v1;
using client::Propagation;
using kube::meta::v1::OwnerReference;

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct GarbageCollector : public ::testing::Test {
  TestEnvironment env{declare_garbage_collector};

  void SetUp() override { env.settle(); }

  core::ConfigMap make(const std::string& name, const std::vector<OwnerReference>& owners = {}) {
    return env.create(core::ConfigMap{.metadata = {.name = name, .namespace_ = "default", .ownerReferences = owners}});
  }
  core::ConfigMap child(const std::string& name, const core::ConfigMap& owner, bool blocks = true) {
    return make(name, {owner_reference(owner, {.controller = false, .blockOwnerDeletion = blocks})});
  }
  void remove(const std::string& name, Propagation propagation = Propagation::background) {
    env.client().delete_<core::ConfigMap>({"default", name}, {.propagation = propagation});
    env.settle();
  }
  bool has(const std::string& name) { return env.find<core::ConfigMap>(name).has_value(); }
  // Something else that the object waits for.
  void hold(const std::string& name) {
    env.edit<core::ConfigMap>(name, [](auto& map) { map.metadata.finalizers.push_back("example.com/held"); });
    env.settle();
  }
  void release(const std::string& name) {
    env.edit<core::ConfigMap>(name, [](auto& map) { std::erase(map.metadata.finalizers, "example.com/held"); });
    env.settle();
  }
};

TEST_F(GarbageCollector, WhatHasLostItsOwnerGoesWithAllThatItOwns) {
  const auto owner = make("owner");
  const auto middle = child("middle", owner);
  child("leaf", middle);
  make("bystander");
  env.settle();
  remove("owner");
  EXPECT_FALSE(has("middle"));
  EXPECT_FALSE(has("leaf"));
  EXPECT_TRUE(has("bystander"));
}

TEST_F(GarbageCollector, OneOfSeveralOwnersThatGoesTakesOnlyItsReferenceAlong) {
  const auto one = make("one");
  const auto other = make("other");
  make("child", {owner_reference(one, {.controller = false}), owner_reference(other, {.controller = false})});
  env.settle();
  remove("one");
  ASSERT_TRUE(has("child"));
  const auto owners = env.get<core::ConfigMap>("child").metadata.ownerReferences;
  ASSERT_THAT(owners, SizeIs(1));
  EXPECT_EQ(owners[0].name, "other");
  remove("other");
  EXPECT_FALSE(has("child"));
}

TEST_F(GarbageCollector, AnOwnerThatNeverWasIsAsGoodAsGone) {
  make("child", {{.apiVersion = "v1", .kind = "ConfigMap", .name = "never", .uid = "no-such-uid"}});
  env.settle();
  EXPECT_FALSE(has("child"));
}

TEST_F(GarbageCollector, AnotherObjectOfTheOwnersNameIsNotTheOwner) {
  auto owner = make("owner");
  child("child", owner);
  env.client().delete_<core::ConfigMap>({"default", "owner"});
  make("owner");
  env.settle();
  EXPECT_TRUE(has("owner"));
  EXPECT_FALSE(has("child"));
}

TEST_F(GarbageCollector, AnOwnerInAnotherNamespaceIsNoOwner) {
  env.make_namespace("far");
  const auto owner = env.create(core::ConfigMap{.metadata = {.name = "owner", .namespace_ = "far"}});
  make("child", {owner_reference(owner)});
  env.settle();
  EXPECT_FALSE(has("child"));
}

TEST_F(GarbageCollector, InTheForegroundTheOwnerWaitsForThoseThatBlockIt) {
  const auto owner = make("owner");
  child("blocks", owner);
  child("does-not", owner, false);
  hold("blocks");
  remove("owner", Propagation::foreground);
  ASSERT_TRUE(has("owner"));
  EXPECT_THAT(env.get<core::ConfigMap>("owner").metadata.finalizers, ElementsAre("foregroundDeletion"));
  EXPECT_TRUE(env.get<core::ConfigMap>("blocks").metadata.deletionTimestamp.has_value());
  EXPECT_FALSE(has("does-not"));
  release("blocks");
  EXPECT_FALSE(has("blocks"));
  EXPECT_FALSE(has("owner"));
}

TEST_F(GarbageCollector, InTheForegroundThoseInTheMiddleWaitToo) {
  const auto owner = make("owner");
  const auto middle = child("middle", owner);
  child("leaf", middle);
  hold("leaf");
  remove("owner", Propagation::foreground);
  ASSERT_TRUE(has("middle"));
  EXPECT_THAT(env.get<core::ConfigMap>("middle").metadata.finalizers, ElementsAre("foregroundDeletion"));
  release("leaf");
  EXPECT_FALSE(has("middle"));
  EXPECT_FALSE(has("owner"));
}

TEST_F(GarbageCollector, InTheForegroundOneWithAnotherOwnerIsLetGo) {
  const auto owner = make("owner");
  const auto other = make("other");
  make("child", {owner_reference(owner, {.controller = false}), owner_reference(other, {.controller = false})});
  env.settle();
  remove("owner", Propagation::foreground);
  EXPECT_FALSE(has("owner"));
  ASSERT_TRUE(has("child"));
  EXPECT_EQ(env.get<core::ConfigMap>("child").metadata.ownerReferences.at(0).name, "other");
}

TEST_F(GarbageCollector, OrphansStayWithoutTheReference) {
  const auto owner = make("owner");
  child("child", owner);
  env.settle();
  remove("owner", Propagation::orphan);
  EXPECT_FALSE(has("owner"));
  ASSERT_TRUE(has("child"));
  EXPECT_THAT(env.get<core::ConfigMap>("child").metadata.ownerReferences, IsEmpty());
}

TEST_F(GarbageCollector, ACircleGoesInTheForeground) {
  const auto a = make("a");
  const auto b = child("b", a);
  env.edit<core::ConfigMap>(
      "a", [&](auto& map) { map.metadata.ownerReferences = {owner_reference(b, {.controller = false})}; });
  env.settle();
  remove("a", Propagation::foreground);
  EXPECT_FALSE(has("a"));
  EXPECT_FALSE(has("b"));
}

TEST_F(GarbageCollector, ACircleGoesInTheBackground) {
  const auto a = make("a");
  const auto b = child("b", a);
  env.edit<core::ConfigMap>(
      "a", [&](auto& map) { map.metadata.ownerReferences = {owner_reference(b, {.controller = false})}; });
  env.settle();
  remove("a");
  EXPECT_FALSE(has("a"));
  EXPECT_FALSE(has("b"));
}

constexpr std::string_view kWidgets = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
)";

TEST_F(GarbageCollector, KindsThatComeLaterAreCollectedToo) {
  env.apply(kWidgets);
  env.advance(2s);
  env.apply("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n");
  const auto one = env.client().dynamic({"example.com", "v1", "Widget"}).get({"default", "one"});
  make("child", {{.apiVersion = "example.com/v1",
                  .kind = "Widget",
                  .name = "one",
                  .uid = std::string(one["metadata"]["uid"].string_or(""))}});
  env.settle();
  EXPECT_TRUE(has("child"));
  env.client().dynamic({"example.com", "v1", "Widget"}).delete_({"default", "one"});
  env.settle();
  EXPECT_FALSE(has("child"));
}

TEST_F(GarbageCollector, WhatHasAnOwnerOfAKindThatGoesGoesToo) {
  env.apply(kWidgets);
  env.advance(2s);
  env.apply("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n");
  const auto one = env.client().dynamic({"example.com", "v1", "Widget"}).get({"default", "one"});
  make("child", {{.apiVersion = "example.com/v1",
                  .kind = "Widget",
                  .name = "one",
                  .uid = std::string(one["metadata"]["uid"].string_or(""))}});
  env.settle();
  env.client().dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).delete_({"", "widgets.example.com"});
  env.advance(2min);
  EXPECT_FALSE(has("child"));
}

TEST_F(GarbageCollector, WhatAnAbsentOwnerLeftBehindWhileItWasDownGoes) {
  const auto owner = make("owner");
  child("child", owner);
  env.settle();
  env.crash();
  env.client().delete_<core::ConfigMap>({"default", "owner"});
  env.start();
  env.settle();
  EXPECT_FALSE(has("child"));
}

TEST(GarbageCollectorOrders, NothingIsLeftAndNothingElseGoesWhateverTheOrderOfEvents) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    TestEnvironment env(declare_garbage_collector, {.seed = seed});
    env.settle();
    const auto owner = env.create(core::ConfigMap{.metadata = {.name = "owner", .namespace_ = "default"}});
    const auto kept = env.create(core::ConfigMap{.metadata = {.name = "kept", .namespace_ = "default"}});
    for (int i = 0; i < 5; ++i) {
      core::ConfigMap child{.metadata = {.name = "child-" + std::to_string(i), .namespace_ = "default"}};
      child.metadata.ownerReferences = {owner_reference(i % 2 == 0 ? owner : kept)};
      env.create(child);
    }
    env.settle();
    env.client().delete_<core::ConfigMap>({"default", "owner"}, {.propagation = Propagation::foreground});
    env.settle();
    std::vector<std::string> names;
    for (const auto& map : env.list<core::ConfigMap>({.namespace_ = "default"})) names.push_back(map.metadata.name);
    EXPECT_THAT(names, ElementsAre("child-1", "child-3", "kept")) << "seed " << seed;
  }
}

}  // namespace
