#include "flyball/client/update.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/json/merge_patch.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/write.hpp"

namespace flyball::client {
namespace {

using json::parse;

const json::Value kRead = parse(R"({"kind":"Deployment","metadata":{"name":"web","resourceVersion":"7",
  "labels":{"a":"1"},"finalizers":["x","y"],"managedFields":[{"manager":"m"}]},
  "spec":{"replicas":1,"containers":[{"name":"a","image":"a:1"},{"name":"b","image":"b:1"}]},
  "status":{"ready":1}})");

json::Value edited(const char* merge_patch) { return json::merge_patch(kRead, parse(merge_patch)); }

TEST(Update, NothingChangedIsNothingToSend) {
  EXPECT_FALSE(changes_between(kRead, kRead, Part::object, true).has_value());
  EXPECT_FALSE(changes_between(kRead, kRead, Part::status, true).has_value());
}

TEST(Update, FieldsThatTheServerKeepsAreNoChange) {
  const json::Value changed = edited(R"({"metadata":{"resourceVersion":null,"managedFields":null}})");
  EXPECT_FALSE(changes_between(kRead, changed, Part::object, true).has_value());
}

TEST(Update, AChangedFieldIsAMergePatchWithTheVersion) {
  const auto patch =
      changes_between(kRead, edited(R"({"spec":{"replicas":3},"metadata":{"labels":{"a":null}}})"), Part::object, true);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(patch->type, PatchType::merge);
  EXPECT_EQ(patch->body, parse(R"({"spec":{"replicas":3},"metadata":{"labels":{"a":null},"resourceVersion":"7"}})"));
}

TEST(Update, AListOfPlainValuesIsReplaced) {
  const auto patch = changes_between(kRead, edited(R"({"metadata":{"finalizers":["y"]}})"), Part::object, true);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(patch->body, parse(R"({"metadata":{"finalizers":["y"],"resourceVersion":"7"}})"));
}

TEST(Update, AnElementOfAListOfObjectsIsChangedInPlaceSoThatUnknownFieldsStay) {
  const auto patch = changes_between(
      kRead, edited(R"({"spec":{"replicas":2,"containers":[{"name":"a","image":"a:1"},{"name":"b","image":"b:2"}]}})"),
      Part::object, true);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(patch->type, PatchType::json);
  EXPECT_EQ(patch->body[0], parse(R"({"op":"replace","path":"/metadata/resourceVersion","value":"7"})"));
  // The server knows more than we do.
  const json::Value stored = parse(R"({"metadata":{"resourceVersion":"7"},"spec":{"replicas":1,"containers":[
    {"name":"a","image":"a:1"},{"name":"b","image":"b:1","fromTheFuture":true}]}})");
  const json::Value result = json::apply_patch(stored, patch->body);
  EXPECT_EQ(result["spec"]["replicas"].as_int(), 2);
  EXPECT_EQ(result["spec"]["containers"][1], parse(R"({"name":"b","image":"b:2","fromTheFuture":true})"));
}

TEST(Update, AListOfObjectsThatIsNewIsAMergePatch) {
  const auto patch = changes_between(kRead, edited(R"({"spec":{"volumes":[{"name":"v"}]}})"), Part::object, true);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(patch->type, PatchType::merge);
}

TEST(Update, TheStatusGoesAlone) {
  const auto patch =
      changes_between(kRead, edited(R"({"spec":{"replicas":3},"status":{"ready":2}})"), Part::status, true);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(patch->body, parse(R"({"status":{"ready":2},"metadata":{"resourceVersion":"7"}})"));
}

TEST(Update, AFirstStatusCanBeSent) {
  const json::Value read = edited(R"({"status":null})");
  const auto patch = changes_between(read, kRead, Part::status, true);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(patch->body, parse(R"({"status":{"ready":1},"metadata":{"resourceVersion":"7"}})"));
}

TEST(Update, AStatusThatWouldBeLostIsAnError) {
  EXPECT_THROW(changes_between(kRead, edited(R"({"status":{"ready":2}})"), Part::object, true), InputError);
  EXPECT_TRUE(changes_between(kRead, edited(R"({"status":{"ready":2}})"), Part::object, false).has_value());
}

TEST(Update, WhatWasNotReadCannotBeUpdated) {
  const json::Value made = edited(R"({"metadata":{"resourceVersion":null}})");
  EXPECT_THROW(changes_between(made, made, Part::object, true), InputError);
}

TEST(Update, AnotherObjectIsNotAnUpdate) {
  EXPECT_THROW(changes_between(kRead, edited(R"({"metadata":{"name":"other"}})"), Part::object, true), InputError);
}

}  // namespace
}  // namespace flyball::client
