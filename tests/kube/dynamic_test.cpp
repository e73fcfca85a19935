// Every verb on objects that are known only by name, as JSON.
#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

struct Dynamic : KubeTest {
  json::Value colours() const {
    return json::object({{"apiVersion", "v1"},
                         {"kind", "ConfigMap"},
                         {"metadata", json::object({{"name", "colours"}, {"namespace", ns}})},
                         {"data", json::object({{"sky", "blue"}})}});
  }
  const client::Objects<json::Value> maps = client.dynamic({"", "v1", "ConfigMap"});
};

TEST_F(Dynamic, CreateAndGetGiveWholeDocuments) {
  const json::Value made = maps.create(colours());
  EXPECT_EQ(made["apiVersion"].as_string(), "v1");
  EXPECT_EQ(made["kind"].as_string(), "ConfigMap");
  EXPECT_NE(made["metadata"]["uid"].as_string(), "");
  EXPECT_EQ(maps.get({.name = "colours"}), made);
}

TEST_F(Dynamic, FindGivesNothingForWhatIsNotThere) {
  EXPECT_FALSE(maps.find({.name = "colours"}));
  maps.create(colours());
  EXPECT_TRUE(maps.find({.name = "colours"}));
}

TEST_F(Dynamic, ItemsOfAListSayWhatTheyAre) {
  maps.create(colours());
  for (const json::Value& item : maps.list({.namespace_ = ns})) {
    EXPECT_EQ(item["apiVersion"].as_string(), "v1");
    EXPECT_EQ(item["kind"].as_string(), "ConfigMap");
    EXPECT_EQ(item["data"]["sky"].as_string(), "blue");
  }
  EXPECT_THAT(maps.list({.namespace_ = ns}).all(), SizeIs(1));
}

TEST_F(Dynamic, UpdateSendsTheDifference) {
  const json::Value read = maps.create(colours());
  json::Draft draft(read);
  draft.set("/data/sky", "grey");
  const json::Value now = maps.update(read, draft.build());
  EXPECT_EQ(now["data"]["sky"].as_string(), "grey");
  EXPECT_TRUE(refusal([&] { maps.update(read, draft.build()); }).is_conflict());
}

TEST_F(Dynamic, EditReadsChangesAndWrites) {
  maps.create(colours());
  const json::Value now = maps.edit({.name = "colours"}, [](json::Value& read) {
    json::Draft draft(read);
    draft.set("/data/sea", "teal");
    read = draft.build();
  });
  EXPECT_EQ(now["data"]["sea"].as_string(), "teal");
}

TEST_F(Dynamic, ReplaceReplaces) {
  maps.create(colours());
  json::Draft draft(colours());
  draft.erase("/data");
  EXPECT_FALSE(maps.replace(draft.build())["data"].exists());
}

TEST_F(Dynamic, PatchPatches) {
  maps.create(colours());
  const json::Value now = maps.patch({.name = "colours"}, Patch::merge(R"({"data":{"sky":null,"sea":"teal"}})"_json));
  EXPECT_FALSE(now["data"]["sky"].exists());
  EXPECT_EQ(now["data"]["sea"].as_string(), "teal");
}

TEST_F(Dynamic, ApplyApplies) {
  const json::Value made = maps.apply(colours(), {.field_manager = "alpha"});
  EXPECT_EQ(made["metadata"]["managedFields"][0]["operation"].as_string(), "Apply");
  EXPECT_TRUE(refusal([&] {
                json::Draft draft(colours());
                draft.set("/data/sky", "grey");
                maps.apply(draft.build(), {.field_manager = "beta"});
              }).is_conflict());
}

TEST_F(Dynamic, StatusIsWrittenApart) {
  const auto deployments = client.dynamic({"apps", "v1", "Deployment"});
  client.create(deployment("web", 2));
  const json::Value now = deployments.patch_status({.name = "web"}, Patch::merge(R"({"status":{"replicas":2}})"_json));
  EXPECT_EQ(now["status"]["replicas"].as_int(), 2);
  EXPECT_EQ(client.get<apps::Deployment>({.name = "web"}).status.replicas, 2);
}

TEST_F(Dynamic, DeleteAndDeleteCollectionDelete) {
  maps.create(colours());
  EXPECT_TRUE(maps.delete_({.name = "colours"}));
  EXPECT_FALSE(maps.find({.name = "colours"}));
  maps.create(colours());
  maps.delete_collection({.namespace_ = ns});
  EXPECT_THAT(maps.list({.namespace_ = ns}).all(), IsEmpty());
}

TEST_F(Dynamic, AKindTheServerDoesNotKnowIsNotFound) {
  const client::Resource unknown{.kind = {"example.org", "v1", "Unicorn"}, .plural = "unicorns"};
  const auto error = refusal([&] { (void)client.dynamic_at(unknown).get({.name = "any"}); });
  EXPECT_TRUE(error.is_not_found());
  EXPECT_THAT(error.what(), HasSubstr("unicorns"));
}

TEST_F(Dynamic, FindOfAKindTheServerDoesNotKnowIsAnErrorAndNotAbsence) {
  const client::Resource unknown{.kind = {"example.org", "v1", "Unicorn"}, .plural = "unicorns"};
  EXPECT_TRUE(refusal([&] { (void)client.dynamic_at(unknown).find({.name = "any"}); }).is_not_found());
}

TEST_F(Dynamic, TheTypedAndTheDynamicViewAgree) {
  const auto typed = client.create(deployment("web", 3));
  const json::Value dynamic = client.dynamic({"apps", "v1", "Deployment"}).get({.name = "web"});
  EXPECT_EQ(dynamic["metadata"]["uid"].as_string(), typed.metadata.uid);
  EXPECT_EQ(dynamic["spec"]["replicas"].as_int(), 3);
  EXPECT_EQ(dynamic["metadata"]["resourceVersion"].as_string(), typed.metadata.resourceVersion);
}

}  // namespace
}  // namespace flyball::kubetest
