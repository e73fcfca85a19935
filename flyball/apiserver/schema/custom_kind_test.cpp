#include "flyball/apiserver/schema/custom_kind.hpp"

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

const char* const kDefinition = R"({"spec": {"group": "example.com", "scope": "Cluster",
  "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList", "shortNames": ["gd"]},
  "versions": [
    {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
       "spec": {"type": "object", "properties": {"replicas": {"type": "integer", "default": 1}, "color": {"type": "string"}},
                "x-kubernetes-validations": [{"rule": "true"}]},
       "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}},
     "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}},
     "selectableFields": [{"jsonPath": ".spec.color"}],
     "additionalPrinterColumns": [
       {"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"},
       {"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"},
       {"name": "Labels", "type": "string", "jsonPath": ".metadata.labels", "priority": 1},
       {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}]},
    {"name": "v1beta1", "served": true, "storage": false, "deprecated": true, "schema": {"openAPIV3Schema": {"type": "object"}}},
    {"name": "v1alpha1", "served": false, "storage": false, "schema": {"openAPIV3Schema": {"type": "object"}}}]}})";

std::vector<std::shared_ptr<const CustomKind>> gadgets() { return CustomKind::compile(json::parse(kDefinition)); }

TEST(CustomKindTest, HasOneForEachServedVersion) {
  const auto kinds = gadgets();
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0]->version(), "v1");
  EXPECT_EQ(kinds[0]->names().short_names, std::vector<std::string>{"gd"});
  EXPECT_FALSE(kinds[0]->namespaced());
  EXPECT_TRUE(kinds[0]->has_status());
  EXPECT_EQ(kinds[0]->scale()->spec_replicas, ".spec.replicas");
  EXPECT_EQ(kinds[1]->storage_version(), "v1");
  EXPECT_FALSE(kinds[1]->scale().has_value());
}

TEST(CustomKindTest, WarnsOfDeprecatedVersionsAndNamesTheNewest) {
  const auto kinds = gadgets();
  EXPECT_EQ(kinds[0]->deprecation_warning(), "");
  EXPECT_EQ(kinds[1]->deprecation_warning(), "example.com/v1beta1 Gadget is deprecated; use example.com/v1 Gadget");
}

TEST(CustomKindTest, MakesRowsOfItsColumns) {
  const auto kinds = gadgets();
  const json::Value object = json::parse(R"({"metadata": {"name": "g", "labels": {"a": "b"},
      "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"replicas": 3},
      "status": {"conditions": [{"type": "Other", "status": "False"}, {"type": "Ready", "status": "True"}]}})");
  const kube::Time now = kube::Time::parse("2026-01-01T00:03:20Z");
  EXPECT_EQ(json::write(kinds[0]->cells(object, now)), R"(["g",3,"True","{\"a\":\"b\"}","3m20s"])");
  EXPECT_EQ(json::write(kinds[0]->cells(json::parse(R"({"metadata": {"name": "g"}, "spec": {"replicas": "x"}})"), now)),
            R"(["g",null,null,null,null])");
  ASSERT_EQ(kinds[1]->columns().size(), 1U);
  EXPECT_EQ(kinds[1]->columns()[0].name, "Age");
}

TEST(CustomKindTest, ChecksWhatScaleReads) {
  const auto kinds = gadgets();
  Problems problems;
  kinds[0]->validate(json::parse(R"({"spec": {"replicas": -1}})"), problems);
  EXPECT_EQ(problems.text(), ".spec.replicas: Invalid value: -1: should be a non-negative integer");
}

TEST(CustomKindTest, SaysThatRulesWereNotChecked) {
  const auto kinds = gadgets();
  Problems problems;
  kinds[0]->validate(json::parse(R"({"spec": {"color": 5}})"), problems);
  EXPECT_EQ(
      problems.text(),
      R"([spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer", )"
      "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct "
      "the existing errors to complete validation]");
}

std::string status_problems(std::string_view status) {
  const auto kinds = gadgets();
  Problems problems;
  const json::Value object = json::parse(R"({"status": )" + std::string(status) + "}");
  kinds[0]->validate_status(object, json::parse("{}"), problems);
  return problems.empty() ? "" : problems.text();
}

TEST(CustomKindTest, ChecksAStatusAsTheRealServerDoes) {
  constexpr std::string_view kUnchecked =
      ", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct "
      "the "
      "existing errors to complete validation]";
  EXPECT_EQ(status_problems(R"({"replicas": 2})"), "");
  EXPECT_EQ(status_problems(R"({"replicas": -1})"),
            ".status.replicas: Invalid value: -1: should be a non-negative integer");
  EXPECT_EQ(
      status_problems(R"({"replicas": "x"})"),
      R"([status.replicas: Invalid value: "string": replicas in body must be of type integer: "string", )"
      ".status.replicas: Invalid value: 0: .status.replicas accessor error: x is of the type string, expected int64" +
          std::string(kUnchecked));
  EXPECT_EQ(status_problems(R"("x")"),
            R"([status: Invalid value: "string":  in body must be of type object: "string", )"
            ".status.replicas: Invalid value: 0: .status.replicas accessor error: x is of the type string, expected "
            "map[string]interface{}" +
                std::string(kUnchecked));
}

TEST(CustomKindTest, ReadsWhatAClientSent) {
  const auto kinds = gadgets();
  const Coerced read = kinds[0]->read(json::parse(R"({"spec": {"color": "red", "odd": 1}, "more": 1})"));
  EXPECT_EQ(json::write(read.object), R"({"spec":{"color":"red","replicas":1}})");
  EXPECT_EQ(read.unknown, (std::vector<std::string>{"more", "spec.odd"}));
}

TEST(CustomKindTest, KnowsSelectableFields) {
  const auto kinds = gadgets();
  EXPECT_EQ(kinds[0]->selectable_fields(), std::vector<std::string>{"spec.color"});
  EXPECT_EQ(kinds[0]->selectable_field(json::parse(R"({"spec": {"color": "red"}})"), "spec.color"), "red");
  EXPECT_EQ(kinds[0]->selectable_field(json::parse("{}"), "spec.color"), "");
}

TEST(KubeVersionsTest, AreOrderedByStageAndNumber) {
  EXPECT_GT(compare_kube_versions("v2", "v1"), 0);
  EXPECT_GT(compare_kube_versions("v1", "v2beta1"), 0);
  EXPECT_GT(compare_kube_versions("v10beta3", "v3beta1"), 0);
  EXPECT_GT(compare_kube_versions("v1beta1", "v1alpha2"), 0);
  EXPECT_GT(compare_kube_versions("v1alpha1", "foo1"), 0);
  EXPECT_EQ(compare_kube_versions("v1", "v1"), 0);
}

}  // namespace
}  // namespace flyball::apiserver
