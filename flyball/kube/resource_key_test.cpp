#include "flyball/kube/resource_key.hpp"

#include <set>
#include <unordered_set>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::kube {
namespace {

TEST(ResourceKeyTest, KindsReadAsInAManifest) {
  // [snippet: resource-key]
  const GroupVersionKind kind{"apps", "v1", "Deployment"};
  EXPECT_EQ(kind.api_version(), "apps/v1");
  EXPECT_EQ(GroupVersionKind::parse("apps/v1", "Deployment"), kind);
  EXPECT_EQ((ObjectKey{"default", "web"}).to_string(), "default/web");
  EXPECT_EQ(ObjectKey::parse("web"), (ObjectKey{.name = "web"}));
  // [end]
  EXPECT_EQ(GroupVersionKind::parse("v1", "Pod").api_version(), "v1");
}

TEST(ResourceKeyTest, ResourcesKnowTheirPath) {
  EXPECT_EQ((GroupVersionResource{"", "v1", "pods"}).path(), "/api/v1/pods");
  EXPECT_EQ((GroupVersionResource{"apps", "v1", "deployments"}).path("default"),
            "/apis/apps/v1/namespaces/default/deployments");
}

TEST(ResourceKeyTest, ServeAsKeys) {
  const std::set<ObjectKey> sorted = {{"b", "a"}, {"a", "b"}, {"a", "a"}};
  EXPECT_EQ(sorted.begin()->to_string(), "a/a");
  const std::unordered_set<ObjectKey> hashed = {{"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "b"}};
  EXPECT_EQ(hashed.size(), 3U);
  const std::hash<GroupVersionKind> hash;
  EXPECT_NE(hash({"a", "b", "c"}), hash({"a", "c", "b"}));
}

TEST(ResourceKeyTest, WhatNamesNoObjectIsRefused) {
  for (const char* text : {"", "default/", "a/b/c"}) EXPECT_THROW(ObjectKey::parse(text), InputError) << text;
  EXPECT_THROW(GroupVersion::parse("a/b/c"), InputError);
}

}  // namespace
}  // namespace flyball::kube
