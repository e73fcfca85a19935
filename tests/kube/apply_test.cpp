// Server-side apply: who owns which field.
#include "kube_test.hpp"

namespace flyball::kubetest {
namespace {

using Applying = KubeTest;

// The fields a manager owns by applying, as the server tells them.
template <class T>
std::string owned_by(const T& object, const std::string& manager) {
  for (const auto& entry : object.metadata.managedFields) {
    if (entry.manager == manager && entry.operation == "Apply") return entry.fieldsV1.text();
  }
  return {};
}

TEST_F(Applying, MakesTheObjectAndOwnsWhatWasSet) {
  const auto made = client.apply(config_map("a", {{"one", "1"}}), {.field_manager = "alpha"});
  EXPECT_NE(made.metadata.uid, "");
  EXPECT_THAT(owned_by(made, "alpha"), HasSubstr("f:one"));
}

TEST_F(Applying, ChangesWhatIsThere) {
  client.create(config_map("a", {{"two", "2"}}));
  const auto now = client.apply(config_map("a", {{"one", "1"}}), {.field_manager = "alpha"});
  EXPECT_EQ(now.data, (std::map<std::string, std::string>{{"one", "1"}, {"two", "2"}}));
}

TEST_F(Applying, TwiceTheSameWritesNothing) {
  const auto first = client.apply(deployment("web", 2), {.field_manager = "alpha"});
  const auto second = client.apply(deployment("web", 2), {.field_manager = "alpha"});
  EXPECT_EQ(second.metadata.resourceVersion, first.metadata.resourceVersion);
}

TEST_F(Applying, WhatIsNoLongerSaidGoes) {
  client.apply(config_map("a", {{"one", "1"}, {"two", "2"}}), {.field_manager = "alpha"});
  const auto now = client.apply(config_map("a", {{"one", "1"}}), {.field_manager = "alpha"});
  EXPECT_THAT(now.data, SizeIs(1));
}

TEST_F(Applying, ADifferentValueOfAnothersFieldIsAConflictThatNamesBoth) {
  client.apply(config_map("a", {{"owner", "alpha"}}), {.field_manager = "alpha"});
  const auto error = refusal([&] { client.apply(config_map("a", {{"owner", "beta"}}), {.field_manager = "beta"}); });
  EXPECT_TRUE(error.is_conflict());
  ASSERT_THAT(error.causes(), SizeIs(1));
  EXPECT_EQ(error.causes().at(0).field, ".data.owner");
  EXPECT_THAT(error.causes().at(0).message, HasSubstr("conflict with \"alpha\""));
  EXPECT_THAT(error.what(), HasSubstr("Apply failed with 1 conflict"));
}

TEST_F(Applying, EveryConflictIsACause) {
  client.apply(config_map("a", {{"one", "1"}, {"two", "2"}}), {.field_manager = "alpha"});
  const auto error =
      refusal([&] { client.apply(config_map("a", {{"one", "x"}, {"two", "y"}}), {.field_manager = "beta"}); });
  EXPECT_THAT(error.causes(), SizeIs(2));
}

TEST_F(Applying, ForceTakesTheFieldOver) {
  client.apply(config_map("a", {{"owner", "alpha"}}), {.field_manager = "alpha"});
  const auto now = client.apply(config_map("a", {{"owner", "beta"}}), {.force = true, .field_manager = "beta"});
  EXPECT_EQ(now.data.at("owner"), "beta");
  EXPECT_THAT(owned_by(now, "beta"), HasSubstr("f:owner"));
  EXPECT_THAT(owned_by(now, "alpha"), Not(HasSubstr("f:owner")));
}

TEST_F(Applying, TheSameValueIsOwnedTogether) {
  client.apply(config_map("a", {{"owner", "both"}}), {.field_manager = "alpha"});
  const auto now = client.apply(config_map("a", {{"owner", "both"}}), {.field_manager = "beta"});
  EXPECT_THAT(owned_by(now, "alpha"), HasSubstr("f:owner"));
  EXPECT_THAT(owned_by(now, "beta"), HasSubstr("f:owner"));
}

TEST_F(Applying, WhatAnotherStillOwnsStaysWhenOneGivesItUp) {
  client.apply(config_map("a", {{"owner", "both"}}), {.field_manager = "alpha"});
  client.apply(config_map("a", {{"owner", "both"}}), {.field_manager = "beta"});
  const auto now = client.apply(config_map("a"), {.field_manager = "alpha"});
  EXPECT_EQ(now.data.at("owner"), "both");
}

TEST_F(Applying, WhatAnUpdateWroteIsAConflictToo) {
  client.create(config_map("a", {{"one", "1"}}), {.field_manager = "editor"});
  const auto error = refusal([&] { client.apply(config_map("a", {{"one", "2"}}), {.field_manager = "alpha"}); });
  EXPECT_TRUE(error.is_conflict());
  EXPECT_THAT(error.what(), HasSubstr("editor"));
}

TEST_F(Applying, ElementsOfAMapListHaveOwnersOfTheirOwn) {
  client.apply(deployment("web"), {.field_manager = "alpha"});
  auto side = deployment("web");
  side.spec.template_.spec.containers = {{.name = "side", .image = "two"}};
  const auto now = client.apply(side, {.field_manager = "beta"});
  ASSERT_THAT(now.spec.template_.spec.containers, SizeIs(2));
  EXPECT_THAT(owned_by(now, "beta"), HasSubstr(R"(k:{\"name\":\"side\"})"));
}

TEST_F(Applying, TheClientsOwnNameIsTheManagerWithoutAnother) {
  const Client named = connect({.field_manager = "shop-operator"});
  EXPECT_THAT(owned_by(named.apply(config_map("a", {{"one", "1"}})), "shop-operator"), HasSubstr("f:one"));
}

TEST_F(Applying, WhatTheServerKeepsOfOwnersIsNotSentBack) {
  // The server refuses an apply with metadata.managedFields, and every object that was read has them.
  const auto read = client.apply(config_map("a", {{"one", "1"}}), {.field_manager = "alpha"});
  EXPECT_FALSE(read.metadata.managedFields.empty());
  EXPECT_EQ(client.apply(read, {.field_manager = "alpha"}).data, read.data);
}

TEST_F(Applying, WithAnOldVersionItIsAConflict) {
  const auto read = client.apply(config_map("a", {{"one", "1"}}), {.field_manager = "alpha"});
  client.apply(config_map("a", {{"one", "2"}}), {.field_manager = "alpha"});
  auto old = config_map("a", {{"one", "3"}});
  old.metadata.resourceVersion = read.metadata.resourceVersion;
  EXPECT_TRUE(refusal([&] { client.apply(old, {.field_manager = "alpha"}); }).is_conflict());
}

TEST_F(Applying, TheStatusIsAppliedApart) {
  client.apply(deployment("web", 2), {.field_manager = "alpha"});
  apps::Deployment seen{.metadata = {.name = "web"}};
  seen.status.replicas = 2;
  seen.status.observedGeneration = 1;
  const auto now = client.apply_status(seen, {.field_manager = "watcher"});
  EXPECT_EQ(now.status.replicas, 2);
  EXPECT_EQ(now.spec.replicas, 2);
  EXPECT_THAT(owned_by(now, "watcher"), HasSubstr("f:status"));
}

TEST_F(Applying, ADryRunShowsTheResultAndStoresNothing) {
  const auto shown = client.apply(config_map("a", {{"one", "1"}}), {.dry_run = true, .field_manager = "alpha"});
  EXPECT_EQ(shown.data.at("one"), "1");
  EXPECT_FALSE(client.find<core::ConfigMap>({.name = "a"}));
}

TEST_F(Applying, WhatTheKindDoesNotAllowNamesTheField) {
  const auto error = refusal([&] { client.apply(deployment("web", -1), {.field_manager = "alpha"}); });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_EQ(error.causes().at(0).field, "spec.replicas");
}

}  // namespace
}  // namespace flyball::kubetest
