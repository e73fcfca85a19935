// Embedded metadata, and what the real server answered to it.
#include "flyball/apiserver/schema/coerce.hpp"

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

Coerced coerced(const std::string& pod) {
  const auto schema = Schema::compile(json::parse(R"({"type": "object", "properties": {"spec": {"type": "object",
      "properties": {"b": {"type": "object", "x-kubernetes-embedded-resource": true,
                           "x-kubernetes-preserve-unknown-fields": true}}}}})"));
  return coerce_embedded(*schema, json::parse(R"({"spec": {"b": )" + pod + "}}"));
}

std::string wrong(const std::string& pod) {
  const Coerced result = coerced(pod);
  return result.wrong ? result.wrong->text() : "";
}

TEST(CoerceTest, DropsWhatIsNoMetadata) {
  const Coerced result = coerced(
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "foo": 1, "creationTimestamp": null,
          "ownerReferences": [{"name": "o", "x": 1}]}, "rest": {"foo": 1}})");
  EXPECT_FALSE(result.wrong);
  EXPECT_EQ(result.unknown, (std::vector<std::string>{"spec.b.metadata.foo", "spec.b.metadata.ownerReferences[0].x"}));
  EXPECT_EQ(result.object["spec"]["b"]["metadata"]["name"].as_string(), "a");
  EXPECT_FALSE(result.object["spec"]["b"]["metadata"].contains("foo"));
  EXPECT_TRUE(result.object["spec"]["b"]["rest"].contains("foo"));
}

TEST(CoerceTest, RefusesWhatHasTheWrongType) {
  EXPECT_EQ(wrong(R"({"metadata": {"name": 5}})"),
            R"(spec.b.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field )"
            "ObjectMeta.name of type string");
  EXPECT_EQ(wrong(R"({"metadata": {"labels": {"a": 5}}})"),
            R"(spec.b.metadata: Invalid value: {"labels":{"a":5}}: json: cannot unmarshal number into Go struct field )"
            "ObjectMeta.labels of type string");
  EXPECT_EQ(
      wrong(R"({"metadata": "x"})"),
      R"(spec.b.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta)");
  EXPECT_EQ(wrong(R"({"metadata": []})"),
            "spec.b.metadata: Invalid value: []: json: cannot unmarshal array into Go value of type v1.ObjectMeta");
  EXPECT_EQ(wrong(R"({"apiVersion": 5})"), "spec.b.apiVersion: Invalid value: 5: must be a string");
  EXPECT_EQ(wrong(R"({"kind": null})"), "spec.b.kind: Invalid value: null: must be a string");
  EXPECT_EQ(wrong(R"({"metadata": null})"), "");
}

}  // namespace
}  // namespace flyball::apiserver
