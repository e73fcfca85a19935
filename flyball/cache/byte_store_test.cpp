#include "flyball/cache/byte_store.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cache/detail/objects_for_test.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::cache {
namespace {

namespace core = kube::core::v1;
using detail::listed;
using detail::Made;
using detail::Sent;
using testing::ElementsAre;
using testing::HasSubstr;

const kube::GroupVersionKind kConfigMap{"", "v1", "ConfigMap"};

struct ByteStoreTest : testing::Test {
  explicit ByteStoreTest(StoreOptions options = {})
      : store([&] {
          options.kind = kConfigMap;
          options.on_change = [this](const Change& change) { hear(change); };
          return std::move(options);
        }()) {}

  void hear(const Change& change) {
    std::string text = std::string(to_string(change.type())) + " " + change.key().to_string();
    text += "@" + std::string(change.resource_version());
    if (change.old_metadata() != nullptr) text += " was " + std::string(change.old_metadata()->resource_version);
    heard.push_back(text);
  }
  void put(const Made& made) { store.put(source, Sent(made).arrival()); }
  void remove(const Made& made) { store.remove(source, Sent(made).arrival()); }
  std::string list(const Query& query = {}) { return listed(store.snapshot(), query); }

  std::vector<std::string> heard;
  ByteStore store;
  ByteStore::Source source;
};

TEST_F(ByteStoreTest, gives_an_object_back_as_it_came) {
  const Made made{.data = std::string(2000, 'x')};
  put(made);
  const auto found = store.snapshot().find({"shop", "web"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes(), detail::json_of(made));
  EXPECT_EQ(found->as<core::ConfigMap>().data.at("text"), made.data);
  EXPECT_EQ(found->json()["kind"].string_or(""), "ConfigMap");
  EXPECT_EQ(found->metadata().uid, "uid-web");
  EXPECT_FALSE(store.snapshot().find({"shop", "other"}));
  EXPECT_FALSE(store.snapshot().find({"other", "web"}));
}

TEST_F(ByteStoreTest, keeps_protobuf_as_protobuf_and_reads_it_in_every_way) {
  core::ConfigMap map{.metadata = {.name = "web", .namespace_ = "shop"}, .data = {{"text", "hello"}}};
  map.metadata.resourceVersion = "9";
  const std::string bytes = kube::encode_message(reflect::type_of<core::ConfigMap>(), &map);
  const kube::Metadata metadata = kube::metadata_of_message(bytes);
  store.put(source, {.format = Format::protobuf, .bytes = bytes, .metadata = &metadata});
  const auto found = store.snapshot().find({"shop", "web"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->format(), Format::protobuf);
  EXPECT_EQ(found->bytes(), bytes);
  EXPECT_EQ(found->as<core::ConfigMap>().data.at("text"), "hello");
  EXPECT_EQ(found->json()["data"]["text"].string_or(""), "hello");
  EXPECT_EQ(found->json()["apiVersion"].string_or(""), "v1");
  EXPECT_EQ(found->metadata().resource_version, "9");
}

TEST_F(ByteStoreTest, lists_by_namespace_label_and_owner_in_the_order_of_names) {
  put({.name = "b", .labels = {{"app", "web"}, {"tier", "1"}}, .owners = {"rs1"}});
  put({.name = "a", .labels = {{"app", "web"}, {"tier", "2"}}, .owners = {"rs1", "rs2"}});
  put({.namespace_ = "lab", .name = "c", .labels = {{"app", "web"}}});
  put({.name = "d"});
  EXPECT_EQ(list(), "lab/c@1,shop/a@1,shop/b@1,shop/d@1");
  EXPECT_EQ(list({.namespace_ = "shop"}), "shop/a@1,shop/b@1,shop/d@1");
  EXPECT_EQ(list({.labels = {{"app", "web"}}}), "lab/c@1,shop/a@1,shop/b@1");
  EXPECT_EQ(list({.namespace_ = "shop", .labels = {{"app", "web"}, {"tier", "1"}}}), "shop/b@1");
  EXPECT_EQ(list({.owner = "rs2"}), "shop/a@1");
  EXPECT_EQ(list({.namespace_ = "lab", .owner = "rs1"}), "");
  EXPECT_EQ(list({.labels = {{"app", "we"}}}), "");
  EXPECT_EQ(list({.labels = {{"ap", "web"}}}), "");
}

TEST_F(ByteStoreTest, lists_by_every_operator_of_selectors) {
  put({.name = "a", .labels = {{"app", "web"}, {"size", "3"}}});
  put({.name = "b", .labels = {{"app", "db"}, {"size", "7"}}});
  put({.name = "c", .labels = {{"app", ""}}});
  put({.name = "d"});
  const auto select = [&](const char* text) { return list({.selector = kube::Selector::parse(text)}); };
  EXPECT_EQ(select("app=web"), "shop/a@1");
  EXPECT_EQ(select("app!=web"), "shop/b@1,shop/c@1,shop/d@1");
  EXPECT_EQ(select("app in (web,db,none)"), "shop/a@1,shop/b@1");
  EXPECT_EQ(select("app notin (web,db)"), "shop/c@1,shop/d@1");
  EXPECT_EQ(select("app"), "shop/a@1,shop/b@1,shop/c@1");
  EXPECT_EQ(select("!app"), "shop/d@1");
  EXPECT_EQ(select("size>5"), "shop/b@1");
  EXPECT_EQ(select("app=,!size"), "shop/c@1");
  EXPECT_EQ(list({.selector = kube::Selector::nothing()}), "");
}

TEST_F(ByteStoreTest, indexes_follow_an_object_that_changes_and_goes) {
  put({.name = "a", .labels = {{"app", "web"}}, .owners = {"rs1"}});
  put({.name = "a", .version = 2, .labels = {{"app", "db"}}});
  EXPECT_EQ(list({.labels = {{"app", "web"}}}), "");
  EXPECT_EQ(list({.owner = "rs1"}), "");
  EXPECT_EQ(list({.labels = {{"app", "db"}}}), "shop/a@2");
  remove({.name = "a", .version = 3});
  EXPECT_EQ(list(), "");
  EXPECT_EQ(store.count(), 0);
}

TEST_F(ByteStoreTest, tells_of_changes_in_order_with_what_was_before) {
  put({.name = "a"});
  put({.name = "a", .version = 2});
  remove({.name = "a", .version = 5});
  remove({.name = "unknown"});
  EXPECT_THAT(heard, ElementsAre("added shop/a@1", "modified shop/a@2 was 1", "deleted shop/a@5 was 2"));
}

TEST_F(ByteStoreTest, a_resync_sweeps_what_did_not_come_and_tells_only_of_changes) {
  put({.name = "a"});
  put({.name = "b"});
  put({.name = "c"});
  store.end_resync(source, "10");
  heard.clear();
  store.begin_resync(source);
  put({.name = "a"});
  EXPECT_EQ(list(), "shop/a@1,shop/b@1,shop/c@1") << "until its end nothing goes";
  // It was cut short, and begins anew.
  store.begin_resync(source);
  put({.name = "b", .version = 12});
  put({.name = "d", .version = 13});
  store.end_resync(source, "20");
  EXPECT_EQ(list(), "shop/b@12,shop/d@13");
  EXPECT_THAT(heard, ElementsAre("modified shop/b@12 was 1", "added shop/d@13", "deleted shop/a@1 was 1",
                                 "deleted shop/c@1 was 1"));
}

TEST_F(ByteStoreTest, a_resync_of_one_namespace_leaves_the_others_alone) {
  ByteStore::Source lab{.namespace_ = "lab"};
  ByteStore::Source shop{.namespace_ = "shop"};
  store.put(lab, Sent({.namespace_ = "lab", .name = "a"}).arrival());
  store.put(shop, Sent({.namespace_ = "shop", .name = "b"}).arrival());
  store.begin_resync(lab);
  store.end_resync(lab, "10");
  EXPECT_EQ(list(), "shop/b@1");
  store.drop(shop);
  EXPECT_EQ(list(), "");
}

TEST_F(ByteStoreTest, replays_everything_as_added) {
  put({.name = "a"});
  put({.name = "b"});
  remove({.name = "a"});
  heard.clear();
  bool then = false;
  store.replay([&](const Change& change) { hear(change); }, [&] { then = true; });
  EXPECT_THAT(heard, ElementsAre("added shop/b@1"));
  EXPECT_TRUE(then);
}

TEST_F(ByteStoreTest, a_snapshot_does_not_change) {
  put({.name = "a", .labels = {{"app", "web"}}});
  put({.name = "b"});
  const Snapshot before = store.snapshot();
  put({.name = "a", .version = 2});
  remove({.name = "b"});
  put({.name = "c", .version = 3, .labels = {{"app", "web"}}});
  const Snapshot between = store.snapshot();
  put({.name = "b", .version = 4});
  EXPECT_EQ(listed(before), "shop/a@1,shop/b@1");
  EXPECT_EQ(listed(before, {.labels = {{"app", "web"}}}), "shop/a@1");
  EXPECT_EQ(before.find({"shop", "b"})->metadata().resource_version, "1");
  EXPECT_FALSE(before.find({"shop", "c"}));
  EXPECT_EQ(listed(between), "shop/a@2,shop/c@3");
  EXPECT_FALSE(between.find({"shop", "b"}));
  EXPECT_EQ(list(), "shop/a@2,shop/b@4,shop/c@3");
  EXPECT_THAT(before.keys({}), ElementsAre(kube::ObjectKey{"shop", "a"}, kube::ObjectKey{"shop", "b"}));
}

TEST_F(ByteStoreTest, what_snapshots_needed_goes_with_them) {
  const auto fill = [&](std::uint64_t version) {
    for (int i = 0; i < 200; ++i) {
      put({.name = "a" + std::to_string(i), .version = version, .data = std::string(500, 'x')});
    }
  };
  fill(1);
  fill(2);
  const std::size_t usual = store.bytes();
  {
    const Snapshot old = store.snapshot();
    fill(3);
    EXPECT_GT(store.bytes(), usual);
  }
  store.advance(source, "10");
  EXPECT_LE(store.bytes(), usual * 11 / 10);
}

TEST_F(ByteStoreTest, a_dictionary_is_learned_and_old_objects_are_packed_anew) {
  const auto fill = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      std::string data;
      for (int line = 0; line < 60; ++line) data += "setting-" + std::to_string(line * line) + "=on;";
      put({.name = "map-" + std::to_string(i), .data = data + std::to_string(i * 7919)});
    }
  };
  fill(0, 2000);
  store.end_resync(source, "1");
  EXPECT_LT(store.bytes(), 2000 * 250 + 1'000'000);
  for (const int i : {0, 1, 1999}) {
    const auto found = store.snapshot().find({"shop", "map-" + std::to_string(i)});
    ASSERT_TRUE(found);
    EXPECT_THAT(std::string(found->bytes()), HasSubstr("on;" + std::to_string(i * 7919) + "\""));
  }
}

TEST_F(ByteStoreTest, counts_bytes_down_to_nothing_when_all_are_gone) {
  for (int i = 0; i < 300; ++i) put({.name = "a" + std::to_string(i), .labels = {{"n", std::to_string(i)}}});
  const std::size_t full = store.bytes();
  for (int i = 0; i < 300; ++i) remove({.name = "a" + std::to_string(i)});
  EXPECT_LT(store.bytes(), full / 2);
}

struct ByteStoreIndexTest : ByteStoreTest {
  ByteStoreIndexTest()
      : ByteStoreTest({.indexes = {{"node", [](const Object& object) -> std::vector<std::string> {
                                      const std::string node(object.json()["data"]["node"].string_or(""));
                                      if (node.empty()) return {};
                                      return {node, node};
                                    }}}}) {}
};

TEST_F(ByteStoreIndexTest, lists_by_an_index_of_the_users_own) {
  put({.name = "a", .node = "n1"});
  put({.name = "b", .labels = {{"app", "web"}}, .node = "n1"});
  put({.name = "c"});
  EXPECT_EQ(list({.index = "node", .value = "n1"}), "shop/a@1,shop/b@1");
  EXPECT_EQ(list({.labels = {{"app", "web"}}, .index = "node", .value = "n1"}), "shop/b@1");
  const Snapshot before = store.snapshot();
  put({.name = "a", .version = 2, .node = "n2"});
  remove({.name = "b"});
  EXPECT_EQ(list({.index = "node", .value = "n1"}), "");
  EXPECT_EQ(list({.index = "node", .value = "n2"}), "shop/a@2");
  EXPECT_EQ(listed(before, {.index = "node", .value = "n1"}), "shop/a@1,shop/b@1");
  EXPECT_EQ(listed(before, {.index = "node", .value = "n2"}), "");
  EXPECT_THROW(list({.index = "nodes", .value = "n1"}), Error);
}

struct ByteStorePruneTest : ByteStoreTest {
  ByteStorePruneTest() : ByteStoreTest({.managed_fields = false}) {}
};

TEST_F(ByteStorePruneTest, leaves_managed_fields_out_when_told_so) {
  const std::string bytes =
      R"({"metadata":{"name":"a","namespace":"shop","managedFields":[{"manager":"x"}],"resourceVersion":"1"}})";
  const kube::Metadata metadata = kube::metadata_of(bytes);
  store.put(source, {.format = Format::json, .bytes = bytes, .metadata = &metadata});
  EXPECT_EQ(store.snapshot().find({"shop", "a"})->bytes(),
            R"({"metadata":{"name":"a","namespace":"shop","resourceVersion":"1"}})");
}

struct ByteStoreBudgetTest : ByteStoreTest {
  ByteStoreBudgetTest() : ByteStoreTest({.budget = 1'200'000}) {}
};

TEST_F(ByteStoreBudgetTest, reading_in_more_than_the_budget_fails_with_sizes) {
  const auto fill = [&] {
    for (int i = 0; i < 2000; ++i) {
      put({.name = "a" + std::to_string(i), .labels = {{"n", std::to_string(i)}}, .data = std::string(1000, 'x')});
    }
  };
  try {
    fill();
    FAIL() << "nothing was thrown at " << store.bytes();
  } catch (const BudgetError& error) {
    EXPECT_THAT(error.what(), HasSubstr("1200000"));
    EXPECT_THAT(error.what(), HasSubstr("Kind=ConfigMap"));
  }
}

TEST_F(ByteStoreBudgetTest, once_synced_it_goes_on_over_the_budget) {
  store.end_resync(source, "1");
  for (int i = 0; i < 2000; ++i) {
    put({.name = "a" + std::to_string(i), .labels = {{"n", std::to_string(i)}}, .data = std::string(1000, 'x')});
  }
  EXPECT_TRUE(store.over_budget());
  EXPECT_EQ(store.count(), 2000);
}

}  // namespace
}  // namespace flyball::cache
