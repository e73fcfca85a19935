// The three kinds of patches. (Apply has a file of its own.)
#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

using Patching = KubeTest;

TEST_F(Patching, AJsonPatchAddsReplacesAndRemoves) {
  client.create(config_map("a", {{"one", "1"}, {"two", "2"}}));
  const auto now = client.patch<core::ConfigMap>({.name = "a"}, Patch::json(R"([
    {"op": "add", "path": "/data/three", "value": "3"},
    {"op": "replace", "path": "/data/one", "value": "uno"},
    {"op": "remove", "path": "/data/two"}])"_json));
  EXPECT_EQ(now.data, (std::map<std::string, std::string>{{"one", "uno"}, {"three", "3"}}));
}

TEST_F(Patching, AJsonPatchMovesAndCopies) {
  client.create(config_map("a", {{"one", "1"}}));
  const auto now = client.patch<core::ConfigMap>({.name = "a"}, Patch::json(R"([
    {"op": "copy", "from": "/data/one", "path": "/data/two"},
    {"op": "add", "path": "/metadata/annotations", "value": {}},
    {"op": "move", "from": "/data/one", "path": "/metadata/annotations/example.com~1one"}])"_json));
  EXPECT_EQ(now.data, (std::map<std::string, std::string>{{"two", "1"}}));
  EXPECT_EQ(now.metadata.annotations.at("example.com/one"), "1");
}

TEST_F(Patching, AJsonPatchWhoseTestFailsChangesNothing) {
  const auto made = client.create(config_map("a", {{"one", "1"}}));
  const auto error = refusal([&] {
    client.patch<core::ConfigMap>({.name = "a"}, Patch::json(R"([
      {"op": "test", "path": "/data/one", "value": "2"},
      {"op": "remove", "path": "/data/one"}])"_json));
  });
  EXPECT_EQ(error.code(), 422);
  EXPECT_THAT(error.what(), HasSubstr("configmaps/a")) << "the server says nothing of value, so the request must do";
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "a"}), made);
}

TEST_F(Patching, AJsonPatchToAPathThatIsNotThereSaysSo) {
  client.create(config_map("a"));
  const auto error = refusal([&] {
    client.patch<core::ConfigMap>({.name = "a"}, Patch::json(R"([{"op": "remove", "path": "/data/none"}])"_json));
  });
  EXPECT_EQ(error.code(), 422);
  EXPECT_THAT(error.what(), HasSubstr("configmaps/a"));
}

TEST_F(Patching, AMergePatchMergesAndNullDeletes) {
  client.create(config_map("a", {{"one", "1"}, {"two", "2"}}));
  const auto now =
      client.patch<core::ConfigMap>({.name = "a"}, Patch::merge(R"({"data":{"one":null,"three":"3"}})"_json));
  EXPECT_EQ(now.data, (std::map<std::string, std::string>{{"two", "2"}, {"three", "3"}}));
}

TEST_F(Patching, AMergePatchReplacesLists) {
  client.create(deployment("web"));
  const auto now = client.patch<apps::Deployment>({.name = "web"}, Patch::merge(R"(
    {"spec":{"template":{"spec":{"containers":[{"name":"other","image":"two"}]}}}})"_json));
  ASSERT_THAT(now.spec.template_.spec.containers, SizeIs(1));
  EXPECT_EQ(now.spec.template_.spec.containers.at(0).name, "other");
}

TEST_F(Patching, AStrategicPatchMergesListsByTheirKey) {
  client.create(deployment("web"));
  const auto now = client.patch<apps::Deployment>({.name = "web"}, Patch::strategic(R"(
    {"spec":{"template":{"spec":{"containers":[{"name":"other","image":"two"}]}}}})"_json));
  ASSERT_THAT(now.spec.template_.spec.containers, SizeIs(2));
  const auto again = client.patch<apps::Deployment>({.name = "web"}, Patch::strategic(R"(
    {"spec":{"template":{"spec":{"containers":[{"name":"main","image":"three"}]}}}})"_json));
  ASSERT_THAT(again.spec.template_.spec.containers, SizeIs(2));
}

TEST_F(Patching, AStrategicPatchDeletesAnElement) {
  auto two = deployment("web");
  two.spec.template_.spec.containers.push_back({.name = "side", .image = "two"});
  client.create(two);
  const auto now = client.patch<apps::Deployment>({.name = "web"}, Patch::strategic(R"(
    {"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}})"_json));
  ASSERT_THAT(now.spec.template_.spec.containers, SizeIs(1));
  EXPECT_EQ(now.spec.template_.spec.containers.at(0).name, "main");
}

TEST_F(Patching, AStrategicPatchAddsToAListOfWords) {
  auto held = config_map("held");
  held.metadata.finalizers = {"example.com/one"};
  client.create(held);
  const auto now = client.patch<core::ConfigMap>(
      {.name = "held"}, Patch::strategic(R"({"metadata":{"finalizers":["example.com/two"]}})"_json));
  EXPECT_THAT(now.metadata.finalizers, UnorderedElementsAre("example.com/one", "example.com/two"));
}

TEST_F(Patching, APatchWithTheVersionThatWasReadIsAPrecondition) {
  const auto read = client.create(config_map("a", {{"one", "1"}}));
  const auto patch =
      Patch::merge(json::object({{"metadata", json::object({{"resourceVersion", read.metadata.resourceVersion}})},
                                 {"data", json::object({{"one", "2"}})}}));
  EXPECT_EQ(client.patch<core::ConfigMap>({.name = "a"}, patch).data.at("one"), "2");
  EXPECT_TRUE(refusal([&] { client.patch<core::ConfigMap>({.name = "a"}, patch); }).is_conflict());
}

TEST_F(Patching, APatchOfWhatIsNotThereIsNotFound) {
  EXPECT_TRUE(refusal([&] {
                client.patch<core::ConfigMap>({.name = "ghost"}, Patch::merge(R"({"data":{"a":"b"}})"_json));
              }).is_not_found());
}

TEST_F(Patching, APatchOfTheStatusReachesTheStatusAlone) {
  client.create(deployment("web", 2));
  const auto now = client.patch_status<apps::Deployment>(
      {.name = "web"}, Patch::merge(R"({"spec":{"replicas":9},"status":{"replicas":2}})"_json));
  EXPECT_EQ(now.spec.replicas, 2);
  EXPECT_EQ(now.status.replicas, 2);
}

TEST_F(Patching, APatchThatBreaksTheObjectNamesTheField) {
  client.create(deployment("web"));
  const auto error = refusal(
      [&] { client.patch<apps::Deployment>({.name = "web"}, Patch::merge(R"({"spec":{"replicas":-1}})"_json)); });
  EXPECT_TRUE(error.is_invalid());
  ASSERT_THAT(error.causes(), SizeIs(1));
  EXPECT_EQ(error.causes().at(0).field, "spec.replicas");
}

TEST_F(Patching, APatchOfTheWrongShapeIsRefusedWithItsPath) {
  client.create(deployment("web"));
  const std::string text = error_text(
      [&] { client.patch<apps::Deployment>({.name = "web"}, Patch::merge(R"({"spec":{"replicas":"many"}})"_json)); });
  EXPECT_THAT(text, HasSubstr("spec.replicas"));
}

TEST_F(Patching, FieldsOurTypesLackSurviveAnUpdate) {
  // A field of a custom nature in a place where the server keeps anything: an annotation the type knows nothing of.
  client.create(config_map("a", {{"one", "1"}}));
  client.patch<core::ConfigMap>({.name = "a"},
                                Patch::merge(R"({"metadata":{"annotations":{"example.com/x":"y"}}})"_json));
  const auto now = client.edit<core::ConfigMap>({.name = "a"}, [](auto& map) { map.data["one"] = "2"; });
  EXPECT_EQ(now.metadata.annotations.at("example.com/x"), "y");
}

}  // namespace
}  // namespace flyball::kubetest
