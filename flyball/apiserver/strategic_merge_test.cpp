#include "flyball/apiserver/strategic_merge.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver {
namespace {

std::string merged(std::string_view kind, std::string_view original, std::string_view patch) {
  const reflect::Type* type = kube::find_kind(kind == "Deployment" ? "apps/v1" : "v1", kind);
  return json::write(strategic_merge(json::parse(original), json::parse(patch), *type));
}

std::string error(std::string_view kind, std::string_view original, std::string_view patch, int code) {
  try {
    return "no error: " + merged(kind, original, patch);
  } catch (const StrategicMergeError& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
}

TEST(StrategicMergeTest, MergesObjectsAndRemovesWhatIsNull) {
  EXPECT_EQ(merged("ConfigMap", R"({"data":{"a":"1","b":"2"}})", R"({"data":{"b":null,"c":"3"},"immutable":true})"),
            R"({"data":{"a":"1","c":"3"},"immutable":true})");
}

TEST(StrategicMergeTest, NewValuesComeWithoutNulls) {
  EXPECT_EQ(merged("ConfigMap", "{}", R"({"metadata":{"labels":{"a":null,"b":"x"}}})"),
            R"({"metadata":{"labels":{"b":"x"}}})");
}

TEST(StrategicMergeTest, MergesListsByTheirKeyInTheOrderOfThePatch) {
  EXPECT_EQ(merged("Pod", R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"1"}]}})",
                   R"({"spec":{"containers":[{"name":"c"},{"name":"b","image":"2"}]}})"),
            R"({"spec":{"containers":[{"name":"c"},{"name":"a","image":"1"},{"name":"b","image":"2"}]}})");
}

TEST(StrategicMergeTest, ReplacesListsWithoutAStrategy) {
  EXPECT_EQ(merged("Pod", R"({"spec":{"tolerations":[{"key":"a"}]}})", R"({"spec":{"tolerations":[{"key":"b"}]}})"),
            R"({"spec":{"tolerations":[{"key":"b"}]}})");
}

TEST(StrategicMergeTest, DeletesAndReplacesWhatADirectiveNames) {
  EXPECT_EQ(merged("Pod", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                   R"({"spec":{"containers":[{"name":"a","$patch":"delete"}]}})"),
            R"({"spec":{"containers":[{"name":"b"}]}})");
  EXPECT_EQ(merged("Pod", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                   R"({"spec":{"containers":[{"name":"c"},{"$patch":"replace"}]}})"),
            R"({"spec":{"containers":[{"name":"c"}]}})");
  EXPECT_EQ(
      merged("Pod", R"({"metadata":{"labels":{"a":"1"}}})", R"({"metadata":{"labels":{"$patch":"replace","b":"2"}}})"),
      R"({"metadata":{"labels":{"b":"2"}}})");
  EXPECT_EQ(merged("Pod", R"({"metadata":{"labels":{"a":"1"}}})", R"({"metadata":{"labels":{"$patch":"delete"}}})"),
            R"({"metadata":{"labels":{}}})");
}

TEST(StrategicMergeTest, TakesScalarsOutOfAListAndAddsOthers) {
  EXPECT_EQ(merged("Pod", R"({"metadata":{"finalizers":["x/a","x/b"]}})",
                   R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["x/a"],"finalizers":["x/c"]}})"),
            R"({"metadata":{"finalizers":["x/c","x/b"]}})");
}

TEST(StrategicMergeTest, OrdersItemsAsTheDirectiveSays) {
  EXPECT_EQ(merged("Pod", R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
                   R"({"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}]}})"),
            R"({"spec":{"containers":[{"name":"b"},{"name":"c"},{"name":"a"}]}})");
}

TEST(StrategicMergeTest, ClearsWhatRetainKeysDoesNotName) {
  EXPECT_EQ(merged("Deployment",
                   R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}},"replicas":2}})",
                   R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})"),
            R"({"spec":{"strategy":{"type":"Recreate"},"replicas":2}})");
}

TEST(StrategicMergeTest, SaysWhatIsWrongInUpstreamsWords) {
  EXPECT_EQ(error("Deployment", R"({"spec":{"strategy":{}}})",
                  R"({"spec":{"strategy":{"$retainKeys":["type"],"rollingUpdate":{}}}})", 400),
            "invalid patch format of retainKeys");
  EXPECT_EQ(
      error("Pod", R"({"spec":{"containers":[{"name":"a"}]}})", R"({"spec":{"containers":[{"image":"x"}]}})", 500),
      "map: map[image:x] does not contain declared merge key: name");
  EXPECT_EQ(error("Pod", R"({"metadata":{"finalizers":["a"]}})", R"({"metadata":{"finalizers":[["a"]]}})", 500),
            "list element types are not identical: [[a] [[a]]]");
  EXPECT_EQ(error("Pod", R"({"metadata":{}})", R"({"metadata":{"$patch":"merge"}})", 500),
            "unknown patch type: merge in map: map[$patch:merge]");
  EXPECT_EQ(error("Pod", "{}", "[]", 400), "invalid JSON document");
}

}  // namespace
}  // namespace flyball::apiserver
