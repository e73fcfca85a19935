#include "flyball/client/list.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/detail/scripted_transport_for_test.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::client {
namespace {

namespace core = kube::core::v1;
using detail::json_answer;
using detail::protobuf_answer;
using testing::ElementsAre;
using testing::HasSubstr;

core::ConfigMapList page(const std::vector<std::string>& names, const std::string& more) {
  core::ConfigMapList list{.metadata = {.resourceVersion = "100", .continue_ = more}};
  for (const std::string& name : names) list.items.push_back({.metadata = {.name = name}});
  return list;
}

net::Response as_protobuf(const core::ConfigMapList& list) { return protobuf_answer(200, kube::to_protobuf(list)); }

net::Response expired() {
  return json_answer(410, R"({"kind":"Status","metadata":{"continue":"later"},"status":"Failure","reason":"Expired",
    "message":"The provided continue parameter is too old","code":410})");
}

class ListTest : public testing::Test {
 public:
  ~ListTest() override { EXPECT_TRUE(transport.finished()) << "an answer was not asked for"; }

  std::string target(std::size_t index = 0) { return transport.requests.at(index).target; }

  template <class T>
  static std::string names(List<T> list) {
    std::string all;
    for (const auto& item : list) all += key_of(item).name;
    return all;
  }

  ManualClock clock;
  Random random{1};
  detail::ScriptedTransport transport;
  Client client{transport, clock, random};
};

TEST_F(ListTest, GivesTheItemsOfAllPages) {
  transport.answers(as_protobuf(page({"a", "b"}, "next/1")));
  transport.answers(as_protobuf(page({"c"}, "")));
  EXPECT_EQ(names(client.list<core::ConfigMap>({.namespace_ = "shop", .page_size = 2})), "abc");
  EXPECT_EQ(target(0), "/api/v1/namespaces/shop/configmaps?limit=2");
  EXPECT_EQ(target(1), "/api/v1/namespaces/shop/configmaps?limit=2&continue=next%2F1");
}

TEST_F(ListTest, AsksForAPageOnlyWhenItIsNeeded) {
  auto list = client.list<core::ConfigMap>();
  EXPECT_EQ(transport.requests.size(), 0U);
  transport.answers(as_protobuf(page({"a"}, "more")));
  auto at = list.begin();
  EXPECT_EQ(at->metadata.name, "a");
  EXPECT_EQ(transport.requests.size(), 1U);
  transport.answers(as_protobuf(page({"b"}, "")));
  ++at;
  EXPECT_EQ(at->metadata.name, "b");
}

TEST_F(ListTest, ReadsJsonPagesToo) {
  transport.answers(json_answer(200, reflect::encode(page({"a", "b"}, "more"))));
  transport.answers(as_protobuf(page({"c"}, "")));
  EXPECT_EQ(names(client.list<core::ConfigMap>()), "abc");
}

TEST_F(ListTest, AnEmptyPageInTheMiddleIsNotTheEnd) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(as_protobuf(page({}, "still more")));
  transport.answers(json_answer(200, R"({"kind":"ConfigMapList","metadata":{},"items":null})"));
  EXPECT_EQ(names(client.list<core::ConfigMap>()), "a");
}

TEST_F(ListTest, SelectorsStandInTheQueryOfEveryPage) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(as_protobuf(page({"b"}, "")));
  names(client.list<core::ConfigMap>({.labels = {{"app", "web"}},
                                      .selector = kube::Selector::parse("tier in (a,b)"),
                                      .fields = kube::FieldSelector::parse("metadata.name!=x"),
                                      .page_size = 0}));
  const std::string selectors = "labelSelector=app%3Dweb%2Ctier%20in%20%28a%2Cb%29&fieldSelector=metadata.name%21%3Dx";
  EXPECT_EQ(target(0), "/api/v1/configmaps?" + selectors);
  EXPECT_EQ(target(1), "/api/v1/configmaps?continue=more&" + selectors);
}

TEST_F(ListTest, AResourceVersionGoesWithTheFirstPageOnly) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(as_protobuf(page({"b"}, "")));
  names(client.list<core::ConfigMap>(
      {.page_size = 0, .resource_version = "5", .match = ResourceVersionMatch::not_older_than}));
  EXPECT_EQ(target(0), "/api/v1/configmaps?resourceVersion=5&resourceVersionMatch=NotOlderThan");
  EXPECT_EQ(target(1), "/api/v1/configmaps?continue=more");
}

TEST_F(ListTest, TheListHasAVersion) {
  transport.answers(as_protobuf(page({"a"}, "")));
  auto list = client.list<core::ConfigMap>();
  EXPECT_EQ(list.resource_version(), "100");
  EXPECT_EQ(list.all().size(), 1U);
}

TEST_F(ListTest, AnExpiredTokenIsAnError) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(expired());
  auto list = client.list<core::ConfigMap>();
  auto at = list.begin();
  try {
    ++at;
    FAIL() << "no error";
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_expired());
  }
}

TEST_F(ListTest, AnExpiredListMayGoOnWithTheObjectsOfNow) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(expired());
  transport.answers(as_protobuf(page({"b"}, "")));
  EXPECT_EQ(names(client.list<core::ConfigMap>({.page_size = 1, .on_expired = OnExpired::go_on})), "ab");
  EXPECT_EQ(target(2), "/api/v1/configmaps?limit=1&continue=later");
}

TEST_F(ListTest, AllStartsOverInOnePageWhenTheTokenExpired) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(expired());
  transport.answers(as_protobuf(page({"a", "b"}, "")));
  EXPECT_EQ(client.list<core::ConfigMap>({.page_size = 1}).all().size(), 2U);
  EXPECT_EQ(target(2), "/api/v1/configmaps");
}

TEST_F(ListTest, AnErrorIsNotTheEndOfTheList) {
  transport.answers(as_protobuf(page({"a"}, "more")));
  transport.answers(json_answer(403, R"({"kind":"Status","reason":"Forbidden","code":403})"));
  transport.answers(as_protobuf(page({"b"}, "")));
  ListReader reader = client.of<core::ConfigMap>().list_bytes({.page_size = 1});
  EXPECT_TRUE(reader.next().has_value());
  EXPECT_THROW(reader.next(), ApiError);
  EXPECT_TRUE(reader.next().has_value());
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.next().has_value());
}

TEST_F(ListTest, DynamicItemsSayWhatTheyAre) {
  transport.answers(json_answer(200, R"({"kind":"ConfigMapList","metadata":{},"items":[{"metadata":{"name":"a"}}]})"));
  const auto all = client.dynamic_at(resource_of<core::ConfigMap>()).list().all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["kind"].as_string(), "ConfigMap");
  EXPECT_EQ(all[0]["apiVersion"].as_string(), "v1");
}

TEST_F(ListTest, OfMetadataAListOfMetadataIsAskedFor) {
  kube::meta::v1::PartialObjectMetadataList partial{.items = {{.metadata = {.name = "a"}}}};
  transport.answers(protobuf_answer(200, kube::to_protobuf(partial)));
  EXPECT_EQ(names(client.metadata<core::ConfigMap>().list()), "a");
  EXPECT_THAT(std::string(transport.requests[0].headers.get("Accept")), HasSubstr(";as=PartialObjectMetadataList;"));
}

TEST_F(ListTest, AServerWithoutProtobufIsAskedForJson) {
  transport.answers({.status = 406});
  transport.answers(json_answer(200, reflect::encode(page({"a"}, ""))));
  EXPECT_EQ(names(client.list<core::ConfigMap>()), "a");
  EXPECT_EQ(transport.requests[1].headers.get("Accept"), "application/json");
}

TEST_F(ListTest, WhatIsNoListSaysWhichRequest) {
  transport.answers(json_answer(200, "[1,2]"));
  try {
    client.list<core::ConfigMap>().all();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("GET /api/v1/configmaps?limit=500: the answer is not a list"));
  }
}

TEST_F(ListTest, AnItemThatDoesNotFitSaysWhichRequest) {
  transport.answers(json_answer(200, R"({"kind":"ConfigMapList","items":[{"metadata":{"name":5}}]})"));
  try {
    client.list<core::ConfigMap>().all();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("GET /api/v1/configmaps?limit=500: an item of the list"));
    EXPECT_THAT(error.what(), HasSubstr("metadata.name"));
  }
}

}  // namespace
}  // namespace flyball::client
