#include "flyball/apiserver/openapi/documents.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

struct OpenApi : ::testing::Test {
  ManualClock clock;
  Random random{1};
  Store store{clock};
  Engine engine{clock, random, store, {.namespace_defaults = false}};

  net::Response ask(std::string method, std::string target, std::string body = {}) {
    net::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    return engine.handle(request, {.common_name = "admin", .organizations = {"system:masters"}}, {});
  }
  json::Value document(const std::string& path) {
    const net::Response response = ask("GET", "/openapi/v3/" + path);
    EXPECT_EQ(response.status, 200) << path;
    return json::parse(response.body);
  }
  void define() {
    const net::Response made = ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                   R"({"apiVersion":"apiextensions.k8s.io/v1",
    "kind":"CustomResourceDefinition","metadata":{"name":"widgets.shop.example.com"},"spec":{"group":"shop.example.com",
    "names":{"plural":"widgets","kind":"Widget"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,
    "subresources":{"status":{}},
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer",
    "minimum":1}}}}}}}]}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
};

// Every "$ref" leads to a schema of the same document.
void check_references(json::View value, json::View schemas) {
  constexpr std::string_view kPrefix = "#/components/schemas/";
  if (value.is_array()) {
    for (const json::View each : value.items()) check_references(each, schemas);
  }
  if (!value.is_object()) return;
  for (const auto [key, each] : value.entries()) {
    if (key == "$ref" && each.is_string()) {
      const std::string_view to = each.as_string();
      ASSERT_TRUE(to.starts_with(kPrefix)) << to;
      EXPECT_TRUE(schemas[to.substr(kPrefix.size())].is_object()) << to;
    } else {
      check_references(each, schemas);
    }
  }
}

TEST_F(OpenApi, EveryGroupHasADocumentThatIsWhole) {
  const json::Value index = json::parse(ask("GET", "/openapi/v3").body);
  std::size_t count = 0;
  for (const auto [path, about] : index["paths"].entries()) {
    EXPECT_TRUE(about["serverRelativeURL"].as_string().starts_with("/openapi/v3/" + std::string(path) + "?hash="));
    const json::Value whole = document(std::string(path));
    check_references(whole, whole["components"]["schemas"]);
    ++count;
  }
  EXPECT_GT(count, 20U);
  EXPECT_EQ(ask("GET", "/openapi/v3/apis/none/v1").status, 404);
}

TEST_F(OpenApi, SaysWhatClientsMergePatchesBy) {
  const json::Value apps = document("apis/apps/v1");
  const json::View schemas = apps["components"]["schemas"];
  const json::View containers = schemas["io.k8s.api.core.v1.PodSpec"]["properties"]["containers"];
  EXPECT_EQ(containers["x-kubernetes-list-type"].as_string(), "map");
  EXPECT_EQ(containers["x-kubernetes-list-map-keys"][0].as_string(), "name");
  EXPECT_EQ(containers["x-kubernetes-patch-merge-key"].as_string(), "name");
  EXPECT_EQ(containers["x-kubernetes-patch-strategy"].as_string(), "merge");
  EXPECT_EQ(schemas["io.k8s.api.apps.v1.DeploymentSpec"]["required"][0].as_string(), "selector");
  EXPECT_EQ(schemas["io.k8s.api.apps.v1.Deployment"]["x-kubernetes-group-version-kind"][0]["kind"].as_string(),
            "Deployment");
}

TEST_F(OpenApi, SaysThatFieldsAreCheckedHere) {
  const json::Value core = document("api/v1");
  const json::View patch = core["paths"]["/api/v1/namespaces/{namespace}/pods/{name}"]["patch"];
  EXPECT_EQ(patch["x-kubernetes-group-version-kind"]["kind"].as_string(), "Pod");
  std::set<std::string> names;
  for (const json::View parameter : patch["parameters"].items()) names.emplace(parameter["name"].as_string());
  EXPECT_TRUE(names.contains("fieldValidation"));
  EXPECT_TRUE(core["paths"]["/api/v1/namespaces/{namespace}/pods/{name}/eviction"]["post"].is_object());
}

TEST_F(OpenApi, ACustomResourceIsInItsGroupsDocumentAndChangesItsHash) {
  EXPECT_EQ(ask("GET", "/openapi/v3/apis/shop.example.com/v1").status, 404);
  define();
  const json::Value shop = document("apis/shop.example.com/v1");
  const json::View widget = shop["components"]["schemas"]["com.example.shop.v1.Widget"];
  EXPECT_EQ(widget["properties"]["spec"]["properties"]["size"]["minimum"].as_int(), 1);
  EXPECT_TRUE(widget["properties"]["metadata"]["allOf"][0]["$ref"].is_string());
  const json::View paths = shop["paths"];
  EXPECT_TRUE(paths["/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}/status"]["patch"].is_object());
}

}  // namespace
}  // namespace flyball::apiserver
