// Every verb on typed objects.
#include "kube_test.hpp"

#include "flyball/kube/rbac/v1.hpp"

namespace flyball::kubetest {
namespace {

using Typed = KubeTest;

TEST_F(Typed, CreateGivesWhatTheServerStored) {
  const auto made = client.create(config_map("colours", {{"sky", "blue"}}));
  EXPECT_EQ(made.metadata.namespace_, ns);
  EXPECT_NE(made.metadata.uid, "");
  EXPECT_NE(made.metadata.resourceVersion, "");
  EXPECT_NE(made.metadata.creationTimestamp, kube::Time());
  EXPECT_EQ(made.data.at("sky"), "blue");
}

TEST_F(Typed, GetGivesWhatCreateGave) {
  const auto made = client.create(config_map("colours", {{"sky", "blue"}}));
  EXPECT_EQ(client.get<core::ConfigMap>({ns, "colours"}), made);
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "colours"}), made) << "the client's namespace";
}

TEST_F(Typed, TheServersDefaultsComeBack) {
  const auto made = client.create(deployment("web", 2));
  EXPECT_EQ(made.spec.strategy.type, "RollingUpdate");
  EXPECT_EQ(made.spec.template_.spec.restartPolicy, "Always");
  EXPECT_EQ(made.spec.template_.spec.containers.at(0).terminationMessagePath, "/dev/termination-log");
  EXPECT_EQ(made.metadata.generation, 1);
}

TEST_F(Typed, GetOfWhatIsNotThereSaysWhat) {
  const auto error = refusal([&] { (void)client.get<core::ConfigMap>({.name = "ghost"}); });
  EXPECT_TRUE(error.is_not_found());
  EXPECT_EQ(error.code(), 404);
  EXPECT_THAT(error.what(), HasSubstr("configmaps \"ghost\" not found"));
}

TEST_F(Typed, FindGivesNothingForWhatIsNotThere) {
  EXPECT_FALSE(client.find<core::ConfigMap>({.name = "ghost"}));
  client.create(config_map("ghost"));
  EXPECT_TRUE(client.find<core::ConfigMap>({.name = "ghost"}));
}

TEST_F(Typed, FindInANamespaceThatIsNotThereGivesNothing) {
  EXPECT_FALSE(client.find<core::ConfigMap>({"no-such-namespace", "ghost"}));
}

TEST_F(Typed, CreatingTwiceIsAlreadyExists) {
  client.create(config_map("once"));
  const auto error = refusal([&] { client.create(config_map("once")); });
  EXPECT_TRUE(error.is_already_exists());
  EXPECT_THAT(error.what(), HasSubstr("configmaps \"once\" already exists"));
}

TEST_F(Typed, GenerateNameLetsTheServerChoose) {
  const core::ConfigMap unnamed{.metadata = {.generateName = "part-"}};
  const auto first = client.create(unnamed);
  const auto second = client.create(unnamed);
  EXPECT_THAT(first.metadata.name, StartsWith("part-"));
  EXPECT_NE(first.metadata.name, second.metadata.name);
  EXPECT_EQ(client.get<core::ConfigMap>({.name = first.metadata.name}), first);
}

TEST_F(Typed, CreatingInANamespaceThatIsNotThereNamesIt) {
  auto lost = config_map("lost");
  lost.metadata.namespace_ = "no-such-namespace";
  const auto error = refusal([&] { client.create(lost); });
  EXPECT_TRUE(error.is_not_found());
  EXPECT_THAT(error.what(), HasSubstr("namespaces \"no-such-namespace\" not found"));
}

TEST_F(Typed, KindsWithoutANamespaceAreServedToo) {
  const std::string name = ns + "-role";
  client.create(kube::rbac::v1::ClusterRole{.metadata = {.name = name},
                                            .rules = {{.apiGroups = {""}, .resources = {"pods"}, .verbs = {"get"}}}});
  const auto read = client.get<kube::rbac::v1::ClusterRole>({.name = name});
  EXPECT_THAT(read.rules.at(0).verbs, ElementsAre("get"));
  EXPECT_TRUE(client.delete_<kube::rbac::v1::ClusterRole>({.name = name}));
}

TEST_F(Typed, BytesComeBackAsTheyWere) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  client.create(core::Secret{.metadata = {.name = "key"}, .data = {{"raw", kube::Bytes(every)}}});
  const auto read = client.get<core::Secret>({.name = "key"});
  EXPECT_EQ(read.data.at("raw"), kube::Bytes(every));
  EXPECT_EQ(read.type, "Opaque");
}

TEST_F(Typed, TextOutsideAsciiComesBackAsItWas) {
  const std::string text = "Ärger mit Umlauten, 統治者, 🎡, \"quotes\" and \\ and \n lines";
  client.create(config_map("words", {{"text", text}}));
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "words"}).data.at("text"), text);
}

TEST_F(Typed, UpdateSendsOnlyWhatChanged) {
  const auto read = client.create(config_map("colours", {{"sky", "blue"}, {"grass", "green"}}));
  auto changed = read;
  changed.data["sky"] = "grey";
  const auto now = client.update(read, changed, {.field_manager = "painter"});
  EXPECT_EQ(now.data.at("sky"), "grey");
  EXPECT_EQ(now.data.at("grass"), "green");
  for (const auto& entry : now.metadata.managedFields) {
    const std::string& fields = entry.fieldsV1.text();
    if (entry.manager != "painter") continue;
    EXPECT_THAT(fields, AllOf(HasSubstr("f:sky"), Not(HasSubstr("f:grass"))));
  }
}

TEST_F(Typed, UpdateLeavesFieldsAlonePutThereMeanwhileOnlyByConflict) {
  const auto read = client.create(config_map("colours", {{"sky", "blue"}}));
  client.patch<core::ConfigMap>({.name = "colours"}, Patch::merge(R"({"data":{"sea":"teal"}})"_json));
  auto changed = read;
  changed.data["sky"] = "grey";
  const auto error = refusal([&] { client.update(read, changed); });
  EXPECT_TRUE(error.is_conflict());
  EXPECT_EQ(error.code(), 409);
  EXPECT_THAT(error.what(), HasSubstr("the object has been modified"));
}

TEST_F(Typed, UpdateRemovesWhatIsGone) {
  const auto read = client.create(config_map("colours", {{"sky", "blue"}, {"grass", "green"}}));
  auto changed = read;
  changed.data.erase("grass");
  EXPECT_THAT(client.update(read, changed).data, SizeIs(1));
}

TEST_F(Typed, UpdateOfNothingWritesNothing) {
  const auto read = client.create(config_map("still", {{"a", "1"}}));
  EXPECT_EQ(client.update(read, read), read);
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "still"}).metadata.resourceVersion, read.metadata.resourceVersion);
}

TEST_F(Typed, UpdateInsideAListOfObjectsTouchesOneElement) {
  auto two = deployment("web");
  two.spec.template_.spec.containers.push_back({.name = "side", .image = "two"});
  const auto read = client.create(two);
  auto changed = read;
  changed.spec.template_.spec.containers.at(1).image = "three";
  const auto now = client.update(read, changed, {.field_manager = "painter"});
  EXPECT_EQ(now.spec.template_.spec.containers.at(0), read.spec.template_.spec.containers.at(0));
  EXPECT_EQ(now.spec.template_.spec.containers.at(1).image, "three");
}

TEST_F(Typed, EditTriesAgainWhenSomebodyWasFaster) {
  client.create(config_map("busy", {{"count", "0"}}));
  int tries = 0;
  const auto now = client.edit<core::ConfigMap>({.name = "busy"}, [&](core::ConfigMap& read) {
    if (++tries == 1) {
      client.patch<core::ConfigMap>({.name = "busy"}, Patch::merge(R"({"data":{"count":"7"}})"_json));
    }
    read.data["count"] += "+1";
  });
  EXPECT_EQ(tries, 2);
  EXPECT_EQ(now.data.at("count"), "7+1");
}

TEST_F(Typed, EditGivesUpWhenSomebodyIsAlwaysFaster) {
  client.create(config_map("busy", {{"count", "0"}}));
  int tries = 0;
  const auto error = refusal([&] {
    client.edit<core::ConfigMap>({.name = "busy"}, [&](core::ConfigMap& read) {
      client.patch<core::ConfigMap>({.name = "busy"},
                                    Patch::merge(json::object({{"data", json::object({{"count", ++tries}})}})));
      read.data["mine"] = "yes";
    });
  });
  EXPECT_FALSE(error.message().empty());
}

TEST_F(Typed, ReplaceDropsWhatIsNotSaid) {
  const auto read = client.create(config_map("colours", {{"sky", "blue"}}, {{"tier", "one"}}));
  auto other = config_map("colours", {{"sea", "teal"}});
  other.metadata.resourceVersion = read.metadata.resourceVersion;
  const auto now = client.replace(other);
  EXPECT_THAT(now.data, SizeIs(1));
  EXPECT_EQ(now.data.at("sea"), "teal");
  EXPECT_THAT(now.metadata.labels, IsEmpty());
  EXPECT_EQ(now.metadata.uid, read.metadata.uid);
}

TEST_F(Typed, ReplaceOfAnOldVersionIsAConflict) {
  const auto read = client.create(config_map("colours", {{"sky", "blue"}}));
  client.patch<core::ConfigMap>({.name = "colours"}, Patch::merge(R"({"data":{"sky":"grey"}})"_json));
  EXPECT_TRUE(refusal([&] { client.replace(read); }).is_conflict());
}

TEST_F(Typed, ReplaceWithoutAVersionReplacesWhateverIsThere) {
  client.create(config_map("colours", {{"sky", "blue"}}));
  EXPECT_EQ(client.replace(config_map("colours", {{"sky", "grey"}})).data.at("sky"), "grey");
}

TEST_F(Typed, ReplaceOfWhatIsNotThereIsNotFound) {
  EXPECT_TRUE(refusal([&] { client.replace(config_map("ghost")); }).is_not_found());
}

TEST_F(Typed, UpdateStatusLeavesTheSpecAlone) {
  const auto read = client.create(deployment("web", 2));
  auto changed = read;
  changed.status.observedGeneration = 1;
  changed.status.replicas = 2;
  const auto now = client.update_status(read, changed);
  EXPECT_EQ(now.status.replicas, 2);
  EXPECT_EQ(now.spec, read.spec);
  EXPECT_EQ(now.metadata.generation, 1) << "only the spec counts";
}

TEST_F(Typed, EditStatusSetsACondition) {
  client.create(pod("lonely"));
  const auto now = client.edit_status<core::Pod>({.name = "lonely"}, [](core::Pod& p) {
    p.status.phase = "Running";
    p.status.conditions.push_back({.type = "Ready", .status = "True"});
  });
  EXPECT_EQ(now.status.phase, "Running");
  EXPECT_EQ(client.get<core::Pod>({.name = "lonely"}).status.conditions.at(0).type, "Ready");
}

TEST_F(Typed, ReplaceStatusIgnoresTheSpec) {
  auto changed = client.create(deployment("web", 2));
  changed.spec.replicas = 99;
  changed.status.observedGeneration = 1;
  const auto now = client.replace_status(changed);
  EXPECT_EQ(now.spec.replicas, 2);
  EXPECT_EQ(now.status.observedGeneration, 1);
}

TEST_F(Typed, DeleteRemovesAndSaysSo) {
  client.create(config_map("brief"));
  EXPECT_TRUE(client.delete_<core::ConfigMap>({.name = "brief"}));
  EXPECT_FALSE(client.find<core::ConfigMap>({.name = "brief"}));
}

TEST_F(Typed, DeleteOfWhatIsNotThereIsNotFoundUnlessThatIsFine) {
  EXPECT_TRUE(refusal([&] { client.delete_<core::ConfigMap>({.name = "ghost"}); }).is_not_found());
  EXPECT_FALSE(client.delete_<core::ConfigMap>({.name = "ghost"}, {.missing_is_fine = true}));
}

TEST_F(Typed, DeleteCollectionRemovesWhatTheSelectorChooses) {
  client.create(config_map("a1", {}, {{"set", "a"}}));
  client.create(config_map("a2", {}, {{"set", "a"}}));
  client.create(config_map("b1", {}, {{"set", "b"}}));
  client.delete_collection<core::ConfigMap>({.namespace_ = ns, .labels = {{"set", "a"}}});
  EXPECT_THAT(names_of(client.list<core::ConfigMap>({.namespace_ = ns})), ElementsAre("b1"));
}

TEST_F(Typed, ListGivesOneNamespaceOrAll) {
  client.create(config_map("here"));
  client.create(core::Namespace{.metadata = {.name = ns + "2"}});
  auto there = config_map("there", {}, {{"of", ns}});
  there.metadata.namespace_ = ns + "2";
  client.create(there);
  EXPECT_THAT(names_of(client.list<core::ConfigMap>({.namespace_ = ns})), ElementsAre("here"));
  EXPECT_THAT(names_of(client.list<core::ConfigMap>()), AllOf(Contains("here"), Contains("there")));
}

TEST_F(Typed, AListOfNothingHasAVersionAllTheSame) {
  auto none = client.list<core::ConfigMap>({.namespace_ = ns});
  EXPECT_THAT(none.all(), IsEmpty());
  EXPECT_NE(none.resource_version(), "");
}

}  // namespace
}  // namespace flyball::kubetest
