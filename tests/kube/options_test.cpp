// Dry runs, field validation, warnings.
#include "kube_test.hpp"

#include "flyball/kube/discovery/v1.hpp"

namespace flyball::kubetest {
namespace {

using client::FieldValidation;

using DryRun = KubeTest;

TEST_F(DryRun, ACreateIsCheckedAndDefaultedButNotStored) {
  const auto shown = client.create(deployment("web", 2), {.dry_run = true});
  EXPECT_EQ(shown.spec.strategy.type, "RollingUpdate");
  EXPECT_NE(shown.metadata.uid, "");
  EXPECT_FALSE(client.find<apps::Deployment>({.name = "web"}));
  EXPECT_TRUE(refusal([&] { client.create(deployment("web", -2), {.dry_run = true}); }).is_invalid());
}

TEST_F(DryRun, AnUpdateShowsTheResultOnly) {
  const auto read = client.create(config_map("a", {{"one", "1"}}));
  auto changed = read;
  changed.data["one"] = "2";
  EXPECT_EQ(client.update(read, changed, {.dry_run = true}).data.at("one"), "2");
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "a"}), read);
}

TEST_F(DryRun, APatchAndAReplaceShowTheResultOnly) {
  const auto read = client.create(config_map("a", {{"one", "1"}}));
  client.patch<core::ConfigMap>({.name = "a"}, Patch::merge(R"({"data":{"one":"2"}})"_json), {.dry_run = true});
  client.replace(config_map("a", {{"two", "2"}}), {.dry_run = true});
  EXPECT_EQ(client.get<core::ConfigMap>({.name = "a"}), read);
}

TEST_F(DryRun, ADeleteLeavesItThere) {
  client.create(config_map("a"));
  EXPECT_TRUE(client.delete_<core::ConfigMap>({.name = "a"}, {.dry_run = true}));
  client.delete_collection<core::ConfigMap>({.namespace_ = ns}, {.dry_run = true});
  EXPECT_TRUE(client.find<core::ConfigMap>({.name = "a"}));
}

struct Validation : KubeTest {
  // A manifest with a field nobody knows.
  json::Value odd() const {
    return json::object({{"apiVersion", "v1"},
                         {"kind", "ConfigMap"},
                         {"metadata", json::object({{"name", "odd"}, {"namespace", ns}})},
                         {"datum", json::object({{"sky", "blue"}})}});
  }
  std::vector<std::string> warnings;
  const Client listening = connect({.on_warning = [this](std::string_view text) { warnings.emplace_back(text); }});
  const client::Objects<json::Value> maps = listening.dynamic({"", "v1", "ConfigMap"});
};

TEST_F(Validation, StrictRefusesAnUnknownFieldByItsName) {
  const auto error = refusal([&] { maps.create(odd(), {.validation = FieldValidation::strict}); });
  EXPECT_TRUE(error.is_bad_request());
  EXPECT_THAT(error.what(), HasSubstr("unknown field \"datum\""));
}

TEST_F(Validation, WarnStoresTheRestAndWarns) {
  const json::Value made = maps.create(odd(), {.validation = FieldValidation::warn});
  EXPECT_FALSE(made["datum"].exists());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("unknown field \"datum\"")));
}

TEST_F(Validation, IgnoreStoresTheRestAndSaysNothing) {
  const json::Value made = maps.create(odd(), {.validation = FieldValidation::ignore});
  EXPECT_FALSE(made["datum"].exists());
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Validation, TheServersDefaultIsToWarn) {
  maps.create(odd());
  EXPECT_THAT(warnings, SizeIs(1));
}

TEST_F(Validation, StrictHoldsForPatchesToo) {
  client.create(config_map("a"));
  const auto patch = Patch::merge(R"({"datum":{"sky":"blue"}})"_json);
  EXPECT_THAT(refusal([&] { maps.patch({.name = "a"}, patch, {.validation = FieldValidation::strict}); }).what(),
              HasSubstr("unknown field \"datum\""));
}

TEST_F(Validation, StrictHoldsForApplyAlways) {
  const std::string text = error_text([&] { maps.apply(odd(), {.field_manager = "alpha"}); });
  EXPECT_THAT(text, HasSubstr("datum"));
}

TEST_F(Validation, ADeprecatedKindWarns) {
  listening.create(core::Endpoints{.metadata = {.name = "old"}});
  EXPECT_THAT(warnings, Contains(HasSubstr("Endpoints is deprecated")));
}

TEST_F(Validation, AnOddNameOfAPodWarns) {
  auto odd_pod = pod("with.dots");
  listening.create(odd_pod);
  EXPECT_THAT(warnings, Contains(HasSubstr("metadata.name")));
}

}  // namespace
}  // namespace flyball::kubetest
