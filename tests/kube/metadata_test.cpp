// Objects of which only the metadata travels.
#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

struct MetadataOnly : KubeTest {
  const client::Objects<PartialObjectMetadata> maps = client.metadata<core::ConfigMap>();
};

TEST_F(MetadataOnly, GetGivesTheMetadataOfTheObject) {
  const auto made = client.create(config_map("big", {{"text", std::string(100000, 'x')}}, {{"tier", "one"}}));
  EXPECT_EQ(maps.get({.name = "big"}).metadata, made.metadata);
}

TEST_F(MetadataOnly, FindGivesNothingForWhatIsNotThere) { EXPECT_FALSE(maps.find({.name = "ghost"})); }

TEST_F(MetadataOnly, ListGivesTheMetadataOfEach) {
  client.create(config_map("a", {}, {{"tier", "one"}}));
  client.create(config_map("b", {}, {{"tier", "two"}}));
  const auto all = maps.list({.namespace_ = ns}).all();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all.at(0).metadata.name, "a");
  EXPECT_EQ(all.at(1).metadata.labels.at("tier"), "two");
}

TEST_F(MetadataOnly, ListGoesByPages) {
  for (const char* name : {"a", "b", "c", "d", "e"}) client.create(config_map(name));
  EXPECT_THAT(names_of(maps.list({.namespace_ = ns, .page_size = 2})), ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(MetadataOnly, PatchChangesLabels) {
  client.create(config_map("a", {{"keep", "this"}}));
  const auto now = maps.patch({.name = "a"}, Patch::merge(R"({"metadata":{"labels":{"tier":"two"}}})"_json));
  EXPECT_EQ(now.metadata.labels.at("tier"), "two");
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "a"}).data.at("keep"), "this");
}

TEST_F(MetadataOnly, DeleteDeletes) {
  client.create(config_map("a"));
  EXPECT_TRUE(maps.delete_({.name = "a"}));
  EXPECT_FALSE(maps.find({.name = "a"}));
}

TEST_F(MetadataOnly, WorksAsJsonToo) {
  const auto made = client.create(config_map("a", {}, {{"tier", "one"}}));
  const Client json = connect({.protobuf = false});
  EXPECT_EQ(json.metadata<core::ConfigMap>().get({.name = "a"}).metadata, made.metadata);
  EXPECT_THAT(names_of(json.metadata<core::ConfigMap>().list({.namespace_ = ns})), ElementsAre("a"));
}

}  // namespace
}  // namespace flyball::kubetest
