#include "flyball/apiserver/merge/field_manager.hpp"

#include <gtest/gtest.h>

#include "flyball/apiserver/merge/gadget_for_test.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver::merge {
namespace {

using json::Value;
using json::View;

Writer by(std::string_view manager, std::int64_t second = 0, std::string_view subresource = "") {
  return {
      .manager = std::string(manager), .subresource = std::string(subresource), .now = kube::Time::from_unix(second)};
}

// "bob Update {…}" for each, in the order they stand.
std::vector<std::string> owners(View object) {
  std::vector<std::string> lines;
  for (const View entry : object["metadata"]["managedFields"].items()) {
    lines.push_back(std::string(entry["manager"].as_string()) + " " + std::string(entry["operation"].as_string()) +
                    " " + json::write(entry["fieldsV1"], {.escape_html = false}));
  }
  return lines;
}

using Lines = std::vector<std::string>;

Value with(const Value& object, const json::Pointer& at, const Value& value) {
  json::Draft draft(object);
  draft.set(at, value);
  return draft.build();
}

Value created(std::string_view spec, std::string_view manager = "bob") {
  return with(track_update({}, gadget(spec), gadget_kind(), by(manager)), "/metadata/uid", "u");
}

std::string conflict_of(const Value& live, std::string_view spec, std::string_view manager) {
  try {
    apply(live, gadget(spec), gadget_kind(), by(manager), Force::no);
  } catch (const ApplyConflict& e) {
    EXPECT_EQ(e.code(), 409);
    EXPECT_EQ(e.reason(), Reason::Conflict);
    EXPECT_EQ(e.causes().size(), e.conflicts().size());
    return e.message();
  }
  return "";
}

TEST(FieldManager, ACreatorOwnsWhatItSets) {
  const Value made = track_update({}, gadget(R"({"size":1,"tags":["a"]})"), gadget_kind(), by("bob", 60));
  const View entry = made["metadata"]["managedFields"][0];
  EXPECT_EQ(json::write(entry),
            R"({"manager":"bob","operation":"Update","apiVersion":"example.com/v1","time":"1970-01-01T00:01:00Z",)"
            R"("fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:size":{},"f:tags":{".":{},"v:\"a\"":{}}}}})");
}

TEST(FieldManager, AnUpdateTakesWhatItChangesAndOnlyThat) {
  const Value live = created(R"({"size":1,"name":"n"})");
  const Value next = track_update(live, with(live, "/spec/size", 2), gadget_kind(), by("eve", 5));
  EXPECT_EQ(owners(next),
            (Lines{R"(bob Update {"f:spec":{".":{},"f:name":{}}})", R"(eve Update {"f:spec":{"f:size":{}}})"}));
}

TEST(FieldManager, AnUpdateThatChangesNothingOwnsNothing) {
  const Value live = created(R"({"size":1})");
  EXPECT_EQ(track_update(live, live, gadget_kind(), by("eve", 5)), live);
}

TEST(FieldManager, AnEntryWhoseFieldsAreAllGoneGoes) {
  const Value live = created(R"({"size":1})");
  const Value one = track_update(live, with(live, "/spec/name", "n"), gadget_kind(), by("eve"));
  json::Draft draft(one);
  draft.erase("/spec/name");
  EXPECT_EQ(owners(track_update(one, draft.build(), gadget_kind(), by("joe"))), owners(live));
}

TEST(FieldManager, ManagedFieldsOfARequestCountUnlessTheyAreEmptyUnreadableOrOfASubresource) {
  const Value live = created(R"({"size":1})");
  const auto stored = [&](const Value& managed_fields, std::string_view subresource = "") {
    const Value next = with(live, "/metadata/managedFields", managed_fields);
    return owners(track_update(live, next, gadget_kind(), by("eve", 0, subresource)));
  };
  EXPECT_EQ(stored(json::array()), Lines());
  EXPECT_EQ(stored(json::array({json::object()})), Lines());
  EXPECT_EQ(stored(nullptr), owners(live));
  EXPECT_EQ(stored(json::parse(R"([{"manager":"x","operation":"Update"}])")), owners(live));
  const Value other = json::parse(
      R"([{"manager":"x","operation":"Update","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}])");
  EXPECT_EQ(stored(other), Lines{R"(x Update {"f:a":{}})"});
  EXPECT_EQ(stored(other, "status"), owners(live));
}

TEST(FieldManager, AnObjectWithoutOwnersStaysSoUntilItIsApplied) {
  const Value live = gadget(R"({"size":1})", "u");
  EXPECT_EQ(owners(track_update(live, with(live, "/spec/size", 2), gadget_kind(), by("eve"))), Lines());
  const Value next = apply(live, gadget(R"({"size":1,"name":"n"})"), gadget_kind(), by("joe"), Force::no);
  EXPECT_EQ(owners(next), (Lines{R"(joe Apply {"f:spec":{"f:name":{},"f:size":{}}})",
                                 R"(before-first-apply Update {"f:spec":{".":{},"f:size":{}}})"}));
}

TEST(FieldManager, ApplyConflictsNameManagerVersionAndField) {
  const Value live = created(R"({"size":1,"name":"n"})");
  EXPECT_EQ(conflict_of(live, R"({"size":2})", "eve"),
            R"(Apply failed with 1 conflict: conflict with "bob" using example.com/v1: .spec.size)");
  const Value applied = apply(live, gadget(R"({"name":"n","on":true})"), gadget_kind(), by("joe"), Force::no);
  EXPECT_EQ(conflict_of(applied, R"({"size":2,"name":"m","on":false})", "eve"),
            "Apply failed with 4 conflicts: conflicts with \"bob\" using example.com/v1:\n- .spec.name\n- .spec.size\n"
            "conflicts with \"joe\":\n- .spec.name\n- .spec.on");
}

TEST(FieldManager, ConflictsWithASubresourceNameIt) {
  const Value live = created("{}");
  const Value next = track_update(live, with(live, "/status/phase", "A"), gadget_kind(), by("bob", 0, "status"));
  Value applied = with(gadget("{}"), "/status/phase", "B");
  try {
    apply(next, applied, gadget_kind(), by("eve"), Force::no);
    FAIL();
  } catch (const ApplyConflict& e) {
    EXPECT_EQ(e.message(),
              "Apply failed with 1 conflict: conflict with \"bob\" with subresource \"status\" using "
              "example.com/v1: .status.phase");
    EXPECT_EQ(e.causes().front(),
              (ApiError::Cause{.reason = "FieldManagerConflict",
                               .message = "conflict with \"bob\" with subresource \"status\" using example.com/v1",
                               .field = ".status.phase"}));
  }
}

TEST(FieldManager, ForceTakesTheFieldAndTheSameValueIsShared) {
  const Value live = created(R"({"size":1,"name":"n"})");
  const Value forced = apply(live, gadget(R"({"size":2})"), gadget_kind(), by("eve"), Force::yes);
  EXPECT_EQ(owners(forced),
            (Lines{R"(eve Apply {"f:spec":{"f:size":{}}})", R"(bob Update {"f:spec":{".":{},"f:name":{}}})"}));
  const Value shared = apply(live, gadget(R"({"size":1})"), gadget_kind(), by("eve"), Force::no);
  EXPECT_EQ(owners(shared)[1], owners(live)[0]);
}

TEST(FieldManager, WhatAnApplierDropsGoesUnlessAnotherOwnsIt) {
  Value live = apply({}, gadget(R"({"size":1,"name":"n","tags":["a","b"]})"), gadget_kind(), by("joe"), Force::no);
  live = apply(live, gadget(R"({"name":"n"})"), gadget_kind(), by("eve"), Force::no);
  live = apply(live, gadget(R"({"tags":["b"]})"), gadget_kind(), by("joe"), Force::no);
  EXPECT_EQ(json::write(live["spec"]), R"({"name":"n","tags":["b"]})");
  EXPECT_EQ(owners(live),
            (Lines{R"(eve Apply {"f:spec":{"f:name":{}}})", R"(joe Apply {"f:spec":{"f:tags":{"v:\"b\"":{}}}})"}));
}

TEST(FieldManager, WhatNobodyOwnsStaysAsLongAsSomebodyOwnsAFieldBesideIt) {
  Value live = apply({}, gadget(R"({"notes":{"a":"1","b":"1"}})"), gadget_kind(), by("joe"), Force::no);
  live = apply(live, gadget(R"({"notes":{"c":"1"}})"), gadget_kind(), by("eve"), Force::no);
  // As a webhook would: set by the server, owned by nobody.
  live = with(live, "/spec/notes/d", "1");
  live = apply(live, gadget(R"({"notes":{"a":"1"}})"), gadget_kind(), by("joe"), Force::no);
  EXPECT_EQ(json::write(live["spec"]), R"({"notes":{"a":"1","c":"1","d":"1"}})");
  live = apply(live, gadget(R"({})"), gadget_kind(), by("joe"), Force::no);
  EXPECT_EQ(json::write(live["spec"]), R"({"notes":{"c":"1","d":"1"}})");
  live = apply(live, gadget(R"({})"), gadget_kind(), by("eve"), Force::no);
  EXPECT_TRUE(live["spec"].is_null());  // upstream, too, leaves null where everything went
}

TEST(FieldManager, ApplyingTheSameAgainKeepsTheTime) {
  const Value live = apply({}, gadget(R"({"size":1})"), gadget_kind(), by("joe", 60), Force::no);
  EXPECT_EQ(apply(live, gadget(R"({"size":1})"), gadget_kind(), by("joe", 120), Force::no), live);
}

TEST(FieldManager, FieldsThatAreResetAreNobodys) {
  const ManagedKind kind = gadget_kind(FieldSet::of({{PathElement::field("status")}}));
  const Value made = track_update({}, with(gadget(R"({"size":1})"), "/status/phase", "A"), kind, by("bob"));
  EXPECT_EQ(owners(made), Lines{R"(bob Update {"f:spec":{".":{},"f:size":{}}})"});
  const Value applied = apply({}, with(gadget(R"({"size":1})"), "/status/phase", "A"), kind, by("bob"), Force::no);
  EXPECT_EQ(owners(applied), Lines{R"(bob Apply {"f:spec":{"f:size":{}}})"});
}

TEST(FieldManager, ElevenUpdatersBecomeTenWithTheOldestAsAncientChanges) {
  Value live = created("{}", "m0");
  for (int i = 1; i <= 10; ++i) {
    const std::string name = "m" + std::to_string(i);
    live = track_update(live, with(live, json::Pointer("/spec/notes") / name, "x"), gadget_kind(), by(name, 60 * i));
  }
  EXPECT_EQ(owners(live).size(), 10U);
  EXPECT_EQ(owners(live).front(), R"(ancient-changes Update {"f:spec":{".":{},"f:notes":{".":{},"f:m1":{}}}})");
}

TEST(FieldManager, RefusesAnApplyOfAnotherKindOrWithManagedFieldsOrOfNoSchema) {
  const auto refusal = [](const Value& applied) {
    try {
      apply({}, applied, gadget_kind(), by("joe"), Force::no);
    } catch (const ApiError& e) {
      return std::to_string(e.code()) + " " + std::string(to_string(e.reason())) + " " + e.message();
    }
    return std::string();
  };
  EXPECT_EQ(refusal(with(gadget("{}"), "/apiVersion", "v1")), "400 BadRequest invalid object type: /v1, Kind=Gadget");
  EXPECT_EQ(refusal(with(gadget("{}"), "/kind", "Other")),
            "400 BadRequest invalid object type: example.com/v1, Kind=Other");
  EXPECT_EQ(refusal(with(gadget("{}"), "/metadata/managedFields", json::array())),
            "400 BadRequest metadata.managedFields must be nil");
  EXPECT_EQ(refusal(gadget(R"({"other":1})")),
            "500  failed to create typed patch object (d/x; example.com/v1, Kind=Gadget): .spec.other: field not "
            "declared in schema");
}

TEST(FieldManager, OwnersInOtherVersionsAreComparedInTheirVersionAndForgottenInUnknownOnes) {
  ManagedKind kind = gadget_kind();
  kind.convert = [](View object, std::string_view to) -> std::optional<Converted> {
    if (to != "example.com/v0") return std::nullopt;
    json::Draft draft = json::Draft::over(object);
    draft.set("/apiVersion", to);
    return Converted{.object = draft.build(), .schema = &gadget_schema()};
  };
  const Value old_owners = json::parse(
      R"([{"manager":"old","operation":"Update","apiVersion":"example.com/v0","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:size":{},"f:name":{}}}},
          {"manager":"gone","operation":"Update","apiVersion":"example.com/v9","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:size":{}}}}])");
  const Value live = with(gadget(R"({"size":1,"name":"n"})", "u"), "/metadata/managedFields", old_owners);
  const Value next = track_update(live, with(live, "/spec/size", 2), kind, by("eve"));
  EXPECT_EQ(owners(next), (Lines{R"(eve Update {"f:spec":{"f:size":{}}})", R"(old Update {"f:spec":{"f:name":{}}})"}));
}

TEST(FieldManager, KubectlTakesOverFromItsClientSideApply) {
  constexpr const char* kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
  const Value annotated = with(gadget(R"({"size":1})"), json::Pointer("/metadata/annotations") / kAnnotation,
                               json::write(gadget(R"({"size":1})")));
  const Value live =
      with(track_update({}, annotated, gadget_kind(), by("kubectl-client-side-apply")), "/metadata/uid", "u");
  EXPECT_NE(conflict_of(live, R"({"size":2})", "other"), "");
  const Value next = apply(live, gadget(R"({"size":2})"), gadget_kind(), by("kubectl"), Force::no);
  EXPECT_EQ(json::write(next["spec"]), R"({"size":2})");
  EXPECT_EQ(next["metadata"]["annotations"][kAnnotation].as_string(),
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"x\",\"namespace\":\"d\"},"
            "\"spec\":{\"size\":2}}\n");
}

TEST(FieldManager, OfAPodThatIsCreatedOwnsNoEmptyPartsThatGoHasAnyway) {
  const MergeSchema schema = MergeSchema::of(*kube::find_kind("v1", "Pod"));
  const ManagedKind kind{.schema = schema, .api_version = "v1", .kind = "Pod"};
  const Value pod = json::parse(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","labels":{"a":"b"}},
          "spec":{"containers":[{"name":"c","image":"i","resources":{},"ports":[{"containerPort":80}]}]},"status":{}})");
  EXPECT_EQ(
      owners(track_update({}, pod, kind, by("bob"))),
      Lines{R"(bob Update {"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":)"
            R"({".":{},"f:image":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":)"
            R"({".":{},"f:containerPort":{}}},"f:resources":{}}}}})"});
}

TEST(FieldManager, AWriteThatChangesOnlyTimesKeepsTheOldOnes) {
  const Value live = created(R"({"size":1})");
  const Value later = with(live, "/metadata/managedFields/0/time", "2030-01-01T00:00:00Z");
  EXPECT_EQ(keep_times_of_noop(live, later), live);
  const Value changed = with(later, "/spec/size", 2);
  EXPECT_EQ(keep_times_of_noop(live, changed), changed);
  const Value renamed = with(later, "/metadata/managedFields/0/manager", "eve");
  EXPECT_EQ(keep_times_of_noop(live, renamed), renamed);
}

TEST(FieldManager, AWriterWithoutANameIsKnownByItsUserAgent) {
  EXPECT_EQ(manager_from_user_agent("kubectl/v1.36.0 (linux/amd64)"), "kubectl");
  EXPECT_EQ(manager_from_user_agent("a\tb\x7f c"), "ab c");
  EXPECT_EQ(manager_from_user_agent(std::string(200, 'x')), std::string(128, 'x'));
  EXPECT_EQ(manager_from_user_agent(std::string(127, 'x') + "ü"), std::string(127, 'x'));
  EXPECT_EQ(manager_from_user_agent(""), "");
}

TEST(FieldManager, ManagedFieldsThatCannotBeReadSayWhy) {
  const auto problem = [](std::string_view entry) {
    try {
      check_managed_fields(json::array({json::parse(entry)}));
    } catch (const FieldsError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem("{}"), "operation must be `Apply` or `Update`");
  EXPECT_EQ(problem(R"({"operation":"Apply"})"), "apiVersion must not be empty");
  EXPECT_EQ(problem(R"({"operation":"Apply","apiVersion":"v1"})"), "missing fieldsType in managed fields entry 0");
  EXPECT_EQ(problem(R"({"operation":"Apply","apiVersion":"v1","fieldsType":"X"})"),
            "invalid fieldsType \"X\" in managed fields entry 0");
  EXPECT_EQ(problem(R"({"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1"})"), "");
}

}  // namespace
}  // namespace flyball::apiserver::merge
