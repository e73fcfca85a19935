#include "flyball/apiserver/auth/rbac.hpp"

#include <gtest/gtest.h>

namespace flyball::apiserver {
namespace {

using kube::rbac::v1::PolicyRule;

TEST(RbacRules, AllowTheVerbsGroupsAndResourcesTheyName) {
  const PolicyRule rule{.apiGroups = {"apps"}, .resources = {"deployments", "*/scale"}, .verbs = {"get", "list"}};
  EXPECT_TRUE(rule_allows(rule, {.verb = "get", .group = "apps", .resource = "deployments"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "delete", .group = "apps", .resource = "deployments"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .group = "", .resource = "deployments"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .group = "apps", .resource = "replicasets"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .group = "apps", .resource = "deployments", .subresource = "status"}));
  EXPECT_TRUE(rule_allows(rule, {.verb = "get", .group = "apps", .resource = "replicasets", .subresource = "scale"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .path = "/metrics"}));
}

TEST(RbacRules, ANameIsAskedForByThoseThatHaveNames) {
  const PolicyRule rule{.apiGroups = {""}, .resources = {"secrets"}, .resourceNames = {"mine"}, .verbs = {"*"}};
  EXPECT_TRUE(rule_allows(rule, {.verb = "get", .resource = "secrets", .name = "mine"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .resource = "secrets", .name = "yours"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "list", .resource = "secrets"}));
}

TEST(RbacRules, PathsMayEndWithAStar) {
  const PolicyRule rule{.nonResourceURLs = {"/healthz", "/api/*"}, .verbs = {"get"}};
  EXPECT_TRUE(rule_allows(rule, {.verb = "get", .path = "/healthz"}));
  EXPECT_TRUE(rule_allows(rule, {.verb = "get", .path = "/api/v1"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .path = "/healthz/x"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "post", .path = "/healthz"}));
  EXPECT_FALSE(rule_allows(rule, {.verb = "get", .resource = "healthz"}));
}

}  // namespace
}  // namespace flyball::apiserver
