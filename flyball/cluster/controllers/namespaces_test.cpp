#include "flyball/cluster/controllers/namespaces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"

using namespace flyball;
using namespace flyball::cluster;
using namespace std::chrono_literals;
namespace core = kube::core::v1;

namespace {

using ::testing::SizeIs;

struct Namespaces : public ::testing::Test {
  TestEnvironment env{declare_namespaces};

  void SetUp() override { env.make_namespace("shop"); }
  void remove() {
    env.delete_<core::Namespace>("shop");
    env.settle();
  }
  bool is_gone() { return !env.find<core::Namespace>("shop"); }
  core::NamespaceCondition condition(const std::string& type) {
    const auto shop = env.get<core::Namespace>("shop");
    const auto* found = find_condition(shop.status.conditions, type);
    return found == nullptr ? core::NamespaceCondition{} : *found;
  }
};

TEST_F(Namespaces, AnEmptyOneGoesAtOnce) {
  remove();
  EXPECT_TRUE(is_gone());
}

TEST_F(Namespaces, EverythingInItGoesWithIt) {
  env.create(core::ConfigMap{.metadata = {.name = "settings", .namespace_ = "shop"}});
  env.create(core::Secret{.metadata = {.name = "key", .namespace_ = "shop"}});
  env.create(core::ConfigMap{.metadata = {.name = "settings", .namespace_ = "default"}});
  remove();
  EXPECT_TRUE(is_gone());
  EXPECT_FALSE(env.find<core::ConfigMap>({"shop", "settings"}));
  EXPECT_TRUE(env.find<core::ConfigMap>({"default", "settings"}));
}

TEST_F(Namespaces, WaitsForWhatHasAFinalizerAndSaysSo) {
  env.create(core::ConfigMap{.metadata = {.name = "held", .namespace_ = "shop", .finalizers = {"example.com/held"}}});
  remove();
  ASSERT_FALSE(is_gone());
  EXPECT_EQ(env.get<core::Namespace>("shop").status.phase, "Terminating");
  EXPECT_THAT(env.get<core::Namespace>("shop").status.conditions, SizeIs(5));
  EXPECT_EQ(condition("NamespaceContentRemaining").status, "True");
  EXPECT_EQ(condition("NamespaceContentRemaining").message,
            "Some resources are remaining: configmaps. has 1 resource instances");
  EXPECT_EQ(condition("NamespaceFinalizersRemaining").reason, "SomeFinalizersRemain");
  EXPECT_EQ(condition("NamespaceFinalizersRemaining").message,
            "Some content in the namespace has finalizers remaining: example.com/held in 1 resource instances");
  EXPECT_EQ(condition("NamespaceDeletionDiscoveryFailure").status, "False");
  env.client().edit<core::ConfigMap>({"shop", "held"}, [](auto& map) { map.metadata.finalizers.clear(); });
  env.advance(3s);
  EXPECT_TRUE(is_gone());
}

TEST_F(Namespaces, PodsEndBeforeWhatTheyUseGoes) {
  env.apply("apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n");
  env.create(core::ConfigMap{.metadata = {.name = "settings", .namespace_ = "shop"}});
  env.create(core::Pod{.metadata = {.name = "web", .namespace_ = "shop"},
                       .spec = {.containers = {{.name = "web", .image = "nginx"}}, .nodeName = "node-1"}});
  remove();
  EXPECT_TRUE(env.get<core::Pod>({"shop", "web"}).metadata.deletionTimestamp.has_value());
  EXPECT_TRUE(env.find<core::ConfigMap>({"shop", "settings"}));
  end_pods(env);
  env.advance(3s);
  EXPECT_TRUE(is_gone());
}

TEST_F(Namespaces, CustomResourcesGoToo) {
  env.apply(R"(
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
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one, namespace: shop}
)");
  remove();
  EXPECT_TRUE(is_gone());
}

}  // namespace
