#include "flyball/runtime/predicates.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::runtime {
namespace {

using cache::Change;
using Type = cache::Change::Type;

const kube::GroupVersionKind kBox{"example.com", "v1", "Box"};

cache::Object box(const std::string& metadata) {
  return {kBox, cache::Format::json,
          R"({"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"a","uid":"u",)" + metadata + "}}"};
}

bool lets_pass(const Predicate& predicate, const std::string& before, const std::string& now) {
  return predicate(Change(Type::modified, box(now), [&] { return box(before); }));
}

TEST(Predicates, WhatComesAndGoesAlwaysPasses) {
  for (const Predicate& predicate : {generation_changed(), labels_changed(), annotations_changed()}) {
    EXPECT_TRUE(predicate(Change(Type::added, box(R"("generation":1)"), {})));
    EXPECT_TRUE(predicate(Change(Type::deleted, box(R"("generation":1)"), [] { return box(R"("generation":1)"); })));
  }
}

TEST(Predicates, GenerationChanged) {
  const Predicate predicate = generation_changed();
  EXPECT_TRUE(lets_pass(predicate, R"("generation":1)", R"("generation":2)"));
  EXPECT_FALSE(lets_pass(predicate, R"("generation":2)", R"("generation":2,"labels":{"a":"b"})"));
  EXPECT_TRUE(
      lets_pass(predicate, R"("generation":2)", R"("generation":2,"deletionTimestamp":"2026-01-01T00:00:00Z")"));
  EXPECT_TRUE(lets_pass(predicate, R"("resourceVersion":"1")", R"("resourceVersion":"2")")) << "a kind that counts not";
}

TEST(Predicates, LabelsChanged) {
  const Predicate predicate = labels_changed();
  EXPECT_TRUE(lets_pass(predicate, R"("labels":{"a":"b"})", R"("labels":{"a":"c"})"));
  EXPECT_TRUE(lets_pass(predicate, R"("labels":{"a":"b"})", R"("generation":1)"));
  EXPECT_FALSE(lets_pass(predicate, R"("labels":{"a":"b","c":"d"})", R"("generation":7,"labels":{"c":"d","a":"b"})"));
}

TEST(Predicates, AnnotationsChanged) {
  const Predicate predicate = annotations_changed();
  EXPECT_TRUE(lets_pass(predicate, R"("annotations":{"a":"b"})", R"("annotations":{"a":"c"})"));
  EXPECT_TRUE(lets_pass(predicate, R"("generation":1)", R"("annotations":{"a":"c"})"));
  EXPECT_FALSE(lets_pass(predicate, R"("annotations":{"a":"b"})", R"("labels":{"x":"y"},"annotations":{"a":"b"})"));
}

TEST(Predicates, TwoTogether) {
  const std::string before = R"("generation":1)";
  const std::string labelled = R"("generation":1,"labels":{"a":"b"})";
  const std::string all = R"("generation":2,"labels":{"a":"b"})";
  EXPECT_TRUE(lets_pass(either(generation_changed(), labels_changed()), before, labelled));
  EXPECT_FALSE(lets_pass(either(generation_changed(), annotations_changed()), before, labelled));
  EXPECT_FALSE(lets_pass(both(generation_changed(), labels_changed()), before, labelled));
  EXPECT_TRUE(lets_pass(both(generation_changed(), labels_changed()), before, all));
}

}  // namespace
}  // namespace flyball::runtime
