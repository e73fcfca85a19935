// Updates of custom resources: what was wrong before and did not change is tolerated.
#include <string>

#include <gtest/gtest.h>

#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

const char* const kSchema = R"({"type": "object", "properties": {"spec": {"type": "object", "properties": {
    "a": {"type": "string", "maxLength": 2},
    "b": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string", "maxLength": 2}},
    "map": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "properties": {"name": {"type": "string"}, "v": {"type": "integer", "maximum": 5}}}}
}}}})";

std::string update(std::string_view old, std::string_view next) {
  Problems problems;
  validate_update(*Schema::compile(json::parse(kSchema)), json::parse(next), json::parse(old), problems);
  return problems.empty() ? "" : problems.text();
}

TEST(SchemaUpdateTest, ToleratesWhatWasWrongBefore) {
  EXPECT_EQ(update(R"({"spec": {"a": "long"}})", R"({"spec": {"a": "long", "b": "x"}})"), "");
  EXPECT_EQ(update(R"({"spec": {"a": "long"}})", R"({"spec": {"a": "longer"}})"),
            "spec.a: Too long: may not be more than 2 bytes");
}

TEST(SchemaUpdateTest, TakesAListWithoutKeysAsAWhole) {
  EXPECT_EQ(update(R"({"spec": {"list": ["long"]}})", R"({"spec": {"list": ["long"], "b": "x"}})"), "");
  EXPECT_EQ(update(R"({"spec": {"list": ["long"]}})", R"({"spec": {"list": ["long", "b"]}})"),
            "spec.list[0]: Too long: may not be more than 2 bytes");
}

TEST(SchemaUpdateTest, KnowsItemsOfMapsAgainByTheirKeys) {
  EXPECT_EQ(update(R"({"spec": {"map": [{"name": "a", "v": 9}]}})",
                   R"({"spec": {"map": [{"name": "b", "v": 1}, {"name": "a", "v": 9}]}})"),
            "");
  EXPECT_EQ(update(R"({"spec": {"map": [{"name": "a", "v": 9}]}})", R"({"spec": {"map": [{"name": "b", "v": 9}]}})"),
            "spec.map[0].v: Invalid value: 9: spec.map[0].v in body should be less than or equal to 5");
}

TEST(SchemaUpdateTest, ChecksAStatusFromItsOwnRoot) {
  const auto schema = Schema::compile(json::parse(kSchema));
  Problems problems;
  validate_part(*schema->root().property("spec"), json::parse(R"({"a": 5})"), FieldPath("status"), problems);
  EXPECT_EQ(problems.text(), R"(status.a: Invalid value: "integer": a in body must be of type string: "integer")");
}

}  // namespace
}  // namespace flyball::apiserver
