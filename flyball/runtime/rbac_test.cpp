#include "flyball/runtime/rbac.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::runtime {
namespace {

using client::resource_of;
using ::testing::HasSubstr;
using ::testing::Not;

const client::Resource kMemcached{
    .kind = {"cache.example.com", "v1alpha1", "Memcached"}, .plural = "memcacheds", .status = true};
const RoleOptions kOptions{.name = "memcached-operator", .namespace_ = "memcached-system"};

TEST(RbacTest, TheRolesOfTheMemcachedOperator) {
  Rbac rbac;
  rbac.reconciles(kMemcached);
  rbac.owns(resource_of<kube::apps::v1::Deployment>());
  rbac.reads(resource_of<kube::core::v1::Pod>());
  rbac.events();
  EXPECT_EQ(rbac.yaml(kOptions), R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: memcached-operator
rules:
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - apps
  resources:
  - deployments
  verbs:
  - get
  - list
  - watch
  - create
  - patch
  - delete
- apiGroups:
  - cache.example.com
  resources:
  - memcacheds
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - cache.example.com
  resources:
  - memcacheds/finalizers
  verbs:
  - update
- apiGroups:
  - cache.example.com
  resources:
  - memcacheds/status
  verbs:
  - patch
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: memcached-operator
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: memcached-operator
subjects:
- kind: ServiceAccount
  name: memcached-operator
  namespace: memcached-system
)");
}

TEST(RbacTest, TheOrderOfTheDeclarationsDoesNotMatterAndNothingStandsTwice) {
  Rbac one;
  one.reads(resource_of<kube::core::v1::Pod>());
  one.reconciles(kMemcached);
  one.owns(resource_of<kube::core::v1::Service>());
  one.owns(resource_of<kube::core::v1::ConfigMap>());
  Rbac other;
  other.owns(resource_of<kube::core::v1::ConfigMap>());
  other.owns(resource_of<kube::core::v1::Service>());
  other.reads(resource_of<kube::core::v1::Service>());
  other.reconciles(kMemcached);
  other.watches(resource_of<kube::core::v1::Pod>());
  EXPECT_EQ(one.yaml(kOptions), other.yaml(kOptions));
}

TEST(RbacTest, ResourcesWithTheSameVerbsShareARule) {
  Rbac rbac;
  rbac.owns(resource_of<kube::core::v1::Service>());
  rbac.owns(resource_of<kube::core::v1::ConfigMap>());
  const auto rules = rbac.namespaced_rules();
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_THAT(rules[0].resources, ::testing::ElementsAre("configmaps", "services"));
}

TEST(RbacTest, OnlyACleanupMayWriteTheObjectAndOnlyOwnersNeedTheirFinalizers) {
  Rbac plain;
  plain.reconciles(kMemcached, {.status = false});
  EXPECT_THAT(plain.yaml(kOptions), Not(HasSubstr("patch")));
  EXPECT_THAT(plain.yaml(kOptions), Not(HasSubstr("finalizers")));
  Rbac cleans;
  cleans.reconciles(kMemcached, {.status = false, .finalizer = true});
  EXPECT_THAT(cleans.yaml(kOptions), HasSubstr("patch"));
}

TEST(RbacTest, WithNamespacesThereIsARoleInEachAndAClusterRoleOnlyForWhatHasNone) {
  Rbac rbac;
  rbac.reads(resource_of<kube::core::v1::Pod>());
  rbac.reads(resource_of<kube::core::v1::Node>());
  RoleOptions options = kOptions;
  options.namespaces = {"b", "a", "b"};
  const auto manifests = rbac.manifests(options);
  ASSERT_EQ(manifests.size(), 6U);
  EXPECT_EQ(manifests[0]["kind"].as_string(), "ClusterRole");
  EXPECT_EQ(manifests[0]["rules"][0]["resources"][0].as_string(), "nodes");
  EXPECT_EQ(manifests[2]["kind"].as_string(), "Role");
  EXPECT_EQ(manifests[2]["metadata"]["namespace"].as_string(), "a");
  EXPECT_EQ(manifests[3]["kind"].as_string(), "RoleBinding");
  EXPECT_EQ(manifests[3]["subjects"][0]["namespace"].as_string(), "memcached-system");
  EXPECT_EQ(manifests[4]["metadata"]["namespace"].as_string(), "b");
}

TEST(RbacTest, EventsOfObjectsWithoutANamespaceAreAllowedWhereTheyLie) {
  Rbac rbac;
  rbac.reconciles(resource_of<kube::core::v1::Node>());
  rbac.events();
  RoleOptions options = kOptions;
  options.namespaces = {"a"};
  const auto manifests = rbac.manifests(options);
  ASSERT_EQ(manifests.size(), 6U);
  EXPECT_EQ(manifests[4]["metadata"]["namespace"].as_string(), "default");
  EXPECT_EQ(manifests[4]["rules"][0]["resources"][0].as_string(), "events");
}

TEST(RbacTest, LeasesAreAllowedInTheOperatorsNamespaceOnly) {
  Rbac rbac;
  rbac.leases();
  const auto manifests = rbac.manifests(kOptions);
  ASSERT_EQ(manifests.size(), 2U);
  EXPECT_EQ(manifests[0]["kind"].as_string(), "Role");
  EXPECT_EQ(manifests[0]["metadata"]["namespace"].as_string(), "memcached-system");
  EXPECT_THAT(rbac.yaml(kOptions), HasSubstr("- coordination.k8s.io\n  resources:\n  - leases\n  verbs:\n  - get\n  - "
                                             "list\n  - watch\n  - create\n  - update\n"));
}

TEST(RbacTest, WhatCannotBeDerivedCanBeAdded) {
  Rbac rbac;
  rbac.may("", "pods/eviction", {Verb::create});
  EXPECT_THAT(rbac.yaml(kOptions), HasSubstr("  - pods/eviction\n  verbs:\n  - create\n"));
}

TEST(RbacTest, AnOperatorWithoutANameHasNoRoles) { EXPECT_THROW(Rbac().manifests({}), InputError); }

}  // namespace
}  // namespace flyball::runtime
