#include "flyball/kube/metadata.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::kube {
namespace {

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

core::v1::Pod pod() {
  return {.metadata = {.name = "web",
                       .namespace_ = "shop",
                       .labels = {{"app", "web"}, {"tier", "front"}},
                       .annotations = {{"note", "not asked for"}},
                       .ownerReferences = {{.apiVersion = "apps/v1",
                                            .kind = "ReplicaSet",
                                            .name = "web-1",
                                            .uid = "u-2",
                                            .controller = true}},
                       .finalizers = {"example.com/f"},
                       .uid = "u-1",
                       .resourceVersion = "42",
                       .generation = 7,
                       .deletionTimestamp = Time::from_unix(1'000'000)},
          .spec = {.containers = {{.name = "web", .image = "nginx"}}}};
}

void expect_all(const Metadata& meta) {
  EXPECT_EQ(meta.name, "web");
  EXPECT_EQ(meta.namespace_, "shop");
  EXPECT_EQ(meta.uid, "u-1");
  EXPECT_EQ(meta.resource_version, "42");
  EXPECT_EQ(meta.generation, 7);
  EXPECT_EQ(meta.deletion_timestamp, Time::from_unix(1'000'000));
  EXPECT_EQ(meta.labels, (Pairs{{"app", "web"}, {"tier", "front"}}));
  EXPECT_EQ(meta.label("tier"), "front");
  EXPECT_EQ(meta.label("none"), std::nullopt);
  EXPECT_EQ(meta.finalizers, std::vector<std::string_view>{"example.com/f"});
  ASSERT_EQ(meta.owners.size(), 1U);
  EXPECT_EQ(meta.owners[0].api_version, "apps/v1");
  EXPECT_EQ(meta.owners[0].kind, "ReplicaSet");
  EXPECT_EQ(meta.owners[0].name, "web-1");
  EXPECT_EQ(meta.owners[0].uid, "u-2");
  EXPECT_TRUE(meta.owners[0].controller);
}

TEST(MetadataTest, IsReadFromProtobuf) {
  const std::string bytes = to_protobuf(pod());
  const Metadata meta = metadata_of(bytes);
  expect_all(meta);
  EXPECT_EQ(meta.api_version, "v1");
  EXPECT_EQ(meta.kind, "Pod");
  expect_all(metadata_of_message(open_envelope(bytes).object));
}

TEST(MetadataTest, IsReadFromJson) {
  const std::string text = reflect::encode(pod());
  const Metadata meta = metadata_of(text);
  expect_all(meta);
  EXPECT_EQ(meta.api_version, "v1");
  EXPECT_EQ(meta.kind, "Pod");
}

TEST(MetadataTest, JsonMayEscapeAndComeInAnyOrder) {
  const Metadata meta = metadata_of(
      R"({"spec":{"metadata":{"name":"no"}},"metadata":{"labels":{"\u0061":"\u0062","c":"d"},"name":"w\u0065b"},"kind":"X","apiVersion":"y/v1"})");
  EXPECT_EQ(meta.name, "web");
  EXPECT_EQ(meta.labels, (Pairs{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(meta.kind, "X");
  EXPECT_EQ(meta.api_version, "y/v1");
}

TEST(MetadataTest, WhatIsNeitherIsAnError) {
  EXPECT_THROW(metadata_of("kind: Pod"), InputError);
  EXPECT_THROW(metadata_of(std::string_view("k8s\0\x0a\x7f", 6)), InputError);
}

}  // namespace
}  // namespace flyball::kube
