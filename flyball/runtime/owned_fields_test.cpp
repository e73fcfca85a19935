#include "flyball/runtime/owned_fields.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"

namespace flyball::runtime {
namespace {

using kube::meta::v1::ManagedFieldsEntry;
using kube::meta::v1::ObjectMeta;

struct OwnedFields : ::testing::Test {
  // The fields that "op" has applied, as the server writes them down.
  static ObjectMeta owning(const std::string& fields, const std::string& operation = "Apply") {
    ManagedFieldsEntry entry{.manager = "op", .operation = operation, .apiVersion = "v1", .fieldsType = "FieldsV1"};
    entry.fieldsV1 = kube::RawJson::checked(fields);
    return {.managedFields = {entry}};
  }
  static bool owns(const std::string& fields, const std::string& desired) {
    return owns_exactly(owning(fields), "op", "v1", json::parse(desired));
  }
};

constexpr const char* kData = R"({"f:data":{"f:a":{}}})";
constexpr const char* kDesired = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"1"}})";

TEST_F(OwnedFields, TheSameFieldsWhateverTheirValues) {
  EXPECT_TRUE(owns(kData, kDesired));
  EXPECT_TRUE(owns(R"({"f:data":{".":{},"f:a":{}}})", kDesired)) << "with the parent itself";
}

TEST_F(OwnedFields, OneThatIsNotOwnedYet) {
  EXPECT_FALSE(owns(kData, R"({"data":{"a":"1","b":"2"}})"));
  EXPECT_FALSE(owns(kData, R"({"data":{"a":"1"},"immutable":true})"));
}

TEST_F(OwnedFields, OneThatIsNoLongerWanted) {
  EXPECT_FALSE(owns(R"({"f:data":{"f:a":{},"f:b":{}}})", kDesired));
  EXPECT_FALSE(owns(R"({"f:data":{"f:a":{}},"f:immutable":{}})", kDesired));
}

TEST_F(OwnedFields, OfAnotherManagerAnotherVersionOrAnotherWayOfWriting) {
  const json::Value desired = json::parse(kDesired);
  EXPECT_FALSE(owns_exactly(owning(kData), "somebody", "v1", desired));
  EXPECT_FALSE(owns_exactly(owning(kData), "op", "v2", desired));
  EXPECT_FALSE(owns_exactly(owning(kData, "Update"), "op", "v1", desired));
  EXPECT_FALSE(owns_exactly({}, "op", "v1", desired));
  ObjectMeta status = owning(kData);
  status.managedFields.front().subresource = "status";
  EXPECT_FALSE(owns_exactly(status, "op", "v1", desired));
}

TEST_F(OwnedFields, LabelsAndOwnersOfTheMetadataButNotItsNames) {
  const char* desired = R"({"metadata":{"name":"x","namespace":"y","labels":{"app":"web"},
      "ownerReferences":[{"apiVersion":"v1","kind":"Box","name":"b","uid":"u-1","controller":true}]}})";
  EXPECT_TRUE(
      owns(R"({"f:metadata":{"f:labels":{"f:app":{}},"f:ownerReferences":{"k:{\"uid\":\"u-1\"}":{}}}})", desired));
  EXPECT_FALSE(owns(R"({"f:metadata":{"f:labels":{"f:app":{}}}})", desired));
  EXPECT_FALSE(
      owns(R"({"f:metadata":{"f:labels":{"f:app":{}},"f:ownerReferences":{"k:{\"uid\":\"u-2\"}":{}}}})", desired))
      << "another owner";
  EXPECT_FALSE(owns(R"({"f:metadata":{"f:annotations":{"f:a":{}},"f:labels":{"f:app":{}},
      "f:ownerReferences":{"k:{\"uid\":\"u-1\"}":{}}}})",
                    desired));
}

TEST_F(OwnedFields, ElementsOfListsByTheirKeysInAnyOrder) {
  const char* owned = R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:image":{},"f:name":{}},
      "k:{\"name\":\"b\"}":{".":{},"f:image":{},"f:name":{}}}}})";
  EXPECT_TRUE(owns(owned, R"({"spec":{"containers":[{"name":"b","image":"1"},{"name":"a","image":"2"}]}})"));
  EXPECT_FALSE(owns(owned, R"({"spec":{"containers":[{"name":"a","image":"2"}]}})")) << "one too few";
  EXPECT_FALSE(owns(owned, R"({"spec":{"containers":[{"name":"a","image":"2"},{"name":"c","image":"1"}]}})"));
  EXPECT_FALSE(owns(owned, R"({"spec":{"containers":[{"name":"a"},{"name":"b","image":"1"}]}})"));
}

TEST_F(OwnedFields, KeysThatHaveADefault) {
  const char* owned = R"({"f:spec":{"f:ports":{
      "k:{\"port\":53,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},
      "k:{\"port\":53,\"protocol\":\"UDP\"}":{".":{},"f:port":{},"f:protocol":{}}}}})";
  EXPECT_TRUE(owns(owned, R"({"spec":{"ports":[{"port":53},{"port":53,"protocol":"UDP"}]}})"));
  EXPECT_TRUE(owns(owned, R"({"spec":{"ports":[{"port":53,"protocol":"UDP"},{"port":53}]}})"));
  EXPECT_FALSE(owns(owned, R"({"spec":{"ports":[{"port":53},{"port":54,"protocol":"UDP"}]}})"));
  const char* sctp = R"({"f:spec":{"f:ports":{
      "k:{\"port\":53,\"protocol\":\"SCTP\"}":{".":{},"f:port":{},"f:protocol":{}},
      "k:{\"port\":53,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}})";
  EXPECT_TRUE(owns(sctp, R"({"spec":{"ports":[{"port":53},{"port":53,"protocol":"SCTP"}]}})"))
      << "one that says its keys goes before one that leaves them out";
}

TEST_F(OwnedFields, SetsByTheirValues) {
  const char* owned = R"({"f:metadata":{"f:finalizers":{"v:\"a\"":{},"v:\"b\"":{}}}})";
  EXPECT_TRUE(owns(owned, R"({"metadata":{"finalizers":["b","a"]}})"));
  EXPECT_FALSE(owns(owned, R"({"metadata":{"finalizers":["a"]}})"));
  EXPECT_FALSE(owns(owned, R"({"metadata":{"finalizers":["a","b","c"]}})"));
}

TEST_F(OwnedFields, WhatIsOwnedAsAWholeCountsWhateverIsInIt) {
  EXPECT_TRUE(owns(R"({"f:spec":{"f:selector":{},"f:args":{}}})",
                   R"({"spec":{"selector":{"matchLabels":{"a":"b"}},"args":["x","y"]}})"));
}

}  // namespace
}  // namespace flyball::runtime
