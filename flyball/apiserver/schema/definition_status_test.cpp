#include "flyball/apiserver/schema/definition_status.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

const kube::Time kNow = kube::Time::parse("2026-11-16T05:36:44Z");

json::Value definition(std::string_view names, std::string_view group = "cond.example.com") {
  const std::string text =
      R"({"metadata": {"annotations": {"api-approved.kubernetes.io": "unapproved, test"}}, "spec": {"group": ")" +
      std::string(group) + R"(", "names": )" + std::string(names) +
      R"(, "versions": [{"name": "v1", "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}})";
  json::Draft draft(json::parse(text));
  draft.set("/status", prepare_definition_status(json::parse(text), {}));
  return draft.build();
}

json::Value settled(const json::Value& crd, const std::vector<json::View>& others = {}) {
  json::Draft draft(crd);
  draft.set("/status", settled_definition_status(crd, others, kNow));
  return draft.build();
}

const char* const kFoos =
    R"({"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList", "shortNames": ["fo"]})";

TEST(DefinitionStatusTest, AcceptsNamesAndEstablishes) {
  EXPECT_EQ(
      json::write(settled(definition(kFoos))["status"], {.sort_keys = true}),
      R"({"acceptedNames":{"kind":"Foo","listKind":"FooList","plural":"foos","shortNames":["fo"],"singular":"foo"},)"
      R"("conditions":[{"lastTransitionTime":"2026-11-16T05:36:44Z","message":"no conflicts found",)"
      R"("reason":"NoConflicts","status":"True","type":"NamesAccepted"},)"
      R"({"lastTransitionTime":"2026-11-16T05:36:44Z","message":"the initial names have been accepted",)"
      R"("reason":"InitialNamesAccepted","status":"True","type":"Established"}],"storedVersions":["v1"]})");
}

TEST(DefinitionStatusTest, RefusesNamesThatAnotherDefinitionOfTheGroupHas) {
  const json::Value foos = settled(definition(kFoos));
  const json::Value bars = definition(
      R"({"plural": "bars", "singular": "foos", "kind": "Foo", "listKind": "FooList", "shortNames": ["fo", "foos"]})");
  // As the real server answered.
  EXPECT_EQ(
      json::write(settled(bars, {foos})["status"], {.sort_keys = true}),
      R"({"acceptedNames":{"kind":"","plural":"bars"},"conditions":[{"lastTransitionTime":"2026-11-16T05:36:44Z",)"
      R"("message":"\"FooList\" is already in use","reason":"ListKindConflict","status":"False",)"
      R"("type":"NamesAccepted"},{"lastTransitionTime":"2026-11-16T05:36:44Z","message":"not all names are accepted",)"
      R"("reason":"NotAccepted","status":"False","type":"Established"}],"storedVersions":["v1"]})");
}

TEST(DefinitionStatusTest, EstablishesOnceTheOtherIsGone) {
  const json::Value foos = settled(definition(kFoos));
  const json::Value waiting =
      settled(definition(R"({"plural": "bars", "singular": "bar", "kind": "Foo", "listKind": "BarList"})"), {foos});
  EXPECT_FALSE(is_condition_true(waiting["status"], "Established"));
  EXPECT_TRUE(is_condition_true(settled(waiting)["status"], "Established"));
}

TEST(DefinitionStatusTest, SaysWhoApprovedACommunityGroup) {
  const json::Value status = settled(definition(kFoos, "cond.k8s.io"))["status"];
  const json::View condition = status["conditions"][2];
  EXPECT_EQ(condition["type"].as_string(), "KubernetesAPIApprovalPolicyConformant");
  EXPECT_EQ(condition["reason"].as_string(), "UnapprovedAnnotation");
  EXPECT_EQ(condition["message"].as_string(), "not approved: \"unapproved, test\"");
}

TEST(DefinitionStatusTest, RemembersEveryVersionThatWasStored) {
  json::Draft next(settled(definition(kFoos)));
  next.set("/spec/versions/0/name", "v2");
  const json::Value crd = next.build();
  EXPECT_EQ(json::write(prepare_definition_status(crd, settled(definition(kFoos)))["storedVersions"]),
            R"(["v1","v2"])");
}

TEST(DefinitionStatusTest, ChangesTheTimeOnlyWithTheStatus) {
  const json::Value first = with_condition(json::object(), terminating_started(), kNow);
  const json::Value again = with_condition(first, terminating_started(), kube::Time::parse("2027-01-01T00:00:00Z"));
  EXPECT_EQ(first, again);
  const json::Value done = with_condition(first, terminating_done(), kube::Time::parse("2027-01-01T00:00:00Z"));
  EXPECT_EQ(done["conditions"][0]["lastTransitionTime"].as_string(), "2027-01-01T00:00:00Z");
  EXPECT_EQ(done["conditions"][0]["message"].as_string(), "removed all instances");
}

}  // namespace
}  // namespace flyball::apiserver
