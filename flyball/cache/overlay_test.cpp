// Reading one's own writes, through the store.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/detail/objects_for_test.hpp"
#include "flyball/cache/version.hpp"

namespace flyball::cache {
namespace {

using detail::listed;
using detail::Made;
using detail::Sent;

struct OverlayTest : testing::Test {
  OverlayTest() {
    put({.name = "a", .labels = {{"app", "web"}}});
    store.end_resync(source, "10");
  }
  void put(const Made& made) { store.put(source, Sent(made).arrival()); }
  void remove(const Made& made) { store.remove(source, Sent(made).arrival()); }
  void wrote(const Made& made, std::uint64_t writer = 0) { store.observe_write(Sent(made).arrival(), writer); }
  std::string list(const Query& query = {}) { return listed(store.snapshot(), query); }
  std::string get(const std::string& name) {
    const auto found = store.snapshot().find({"shop", name});
    return found ? std::string(found->metadata().resource_version) : "none";
  }

  ByteStore store{{.kind = {"", "v1", "ConfigMap"}}};
  ByteStore::Source source;
};

TEST_F(OverlayTest, a_write_is_seen_by_get_and_list_before_the_watch_tells) {
  wrote({.name = "a", .version = 11, .labels = {{"app", "db"}}});
  wrote({.name = "b", .version = 12, .labels = {{"app", "db"}}});
  EXPECT_EQ(get("a"), "11");
  EXPECT_EQ(get("b"), "12");
  EXPECT_EQ(list({.labels = {{"app", "db"}}}), "shop/a@11,shop/b@12");
  EXPECT_EQ(list({.labels = {{"app", "web"}}}), "");
  EXPECT_EQ(store.pending_writes(), 2);
}

TEST_F(OverlayTest, it_stays_until_the_watch_has_caught_up) {
  wrote({.name = "a", .version = 15});
  put({.name = "a", .version = 12});
  EXPECT_EQ(get("a"), "15") << "an older event does not take it back";
  put({.name = "a", .version = 15});
  put({.name = "a", .version = 17});
  EXPECT_EQ(get("a"), "17");
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST_F(OverlayTest, any_event_or_bookmark_past_its_version_ends_it) {
  wrote({.name = "b", .version = 12});
  put({.name = "c", .version = 13});
  EXPECT_EQ(get("b"), "none") << "it was deleted by somebody before 13";
  wrote({.name = "b", .version = 15});
  store.advance(source, "14");
  EXPECT_EQ(get("b"), "15");
  store.advance(source, "15");
  EXPECT_EQ(get("b"), "none");
}

TEST_F(OverlayTest, a_write_that_the_watch_told_of_first_is_not_kept) {
  put({.name = "a", .version = 20});
  wrote({.name = "a", .version = 15});
  EXPECT_EQ(get("a"), "20");
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST_F(OverlayTest, a_write_made_and_deleted_by_others_before_the_answer_came_is_not_kept) {
  store.advance(source, "30");
  wrote({.name = "b", .version = 15});
  EXPECT_EQ(get("b"), "none");
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST_F(OverlayTest, a_deleted_object_is_gone_at_once_and_its_successor_is_not) {
  store.observe_delete({"shop", "a"}, "uid-a", "10");
  EXPECT_EQ(get("a"), "none");
  EXPECT_EQ(list(), "");
  put({.name = "c", .version = 12});
  EXPECT_EQ(get("a"), "none") << "the watch has not told of it yet";
  put({.name = "a", .version = 13});
  EXPECT_EQ(get("a"), "none") << "a change before its end";
  remove({.name = "a", .version = 14});
  put({.name = "a", .version = 15, .uid = "another"});
  EXPECT_EQ(get("a"), "15");
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST_F(OverlayTest, a_deleted_object_that_has_to_wait_is_seen_to_whichever_comes_first) {
  store.observe_delete({"shop", "a"}, "uid-a", "10");
  put({.name = "a", .version = 12, .going = true});
  EXPECT_EQ(get("a"), "12") << "the watch told after the answer";
  EXPECT_EQ(store.pending_writes(), 0);
  put({.name = "b", .version = 13});
  put({.name = "b", .version = 14, .going = true});
  store.observe_delete({"shop", "b"}, "uid-b", "13");
  EXPECT_EQ(get("b"), "14") << "the watch told before the answer";
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST_F(OverlayTest, created_and_deleted_before_the_watch_told_of_either) {
  wrote({.name = "b", .version = 12});
  store.observe_delete({"shop", "b"}, "uid-b", "12");
  EXPECT_EQ(get("b"), "none");
  put({.name = "b", .version = 12});
  EXPECT_EQ(get("b"), "none");
  remove({.name = "b", .version = 13});
  EXPECT_EQ(get("b"), "none");
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST_F(OverlayTest, a_resync_ends_what_it_has_passed) {
  wrote({.name = "b", .version = 12});
  store.begin_resync(source);
  put({.name = "a"});
  store.end_resync(source, "20");
  EXPECT_EQ(list(), "shop/a@1");
}

TEST_F(OverlayTest, who_read_a_write_hears_of_its_end_also_when_the_watch_never_told_of_it) {
  std::vector<std::string> heard;
  ByteStore told{{.kind = {"", "v1", "ConfigMap"}, .on_change = [&](const Change& change) {
                    heard.push_back(std::string(to_string(change.type())) + " " + change.key().to_string());
                  }}};
  ByteStore::Source of;
  told.end_resync(of, "10");
  told.observe_write(Sent({.name = "b", .version = 12}).arrival(), 0);
  told.observe_write(Sent({.name = "c", .version = 13}).arrival(), 0);
  told.begin_resync(of);
  told.put(of, Sent({.name = "c", .version = 13}).arrival());
  told.end_resync(of, "20");
  EXPECT_THAT(heard, testing::ElementsAre("added shop/c", "deleted shop/b"));
  heard.clear();
  told.observe_write(Sent({.name = "d", .version = 21}).arrival(), 0);
  told.put(of, Sent({.name = "d", .version = 21}).arrival());
  EXPECT_THAT(heard, testing::ElementsAre("added shop/d")) << "the watch told of it";
}

TEST_F(OverlayTest, versions_that_are_no_numbers_wait_for_an_event_of_the_object) {
  const std::string bytes = R"({"metadata":{"name":"a","namespace":"shop","uid":"uid-a","resourceVersion":"x7"}})";
  store.observe_write({.format = Format::json, .bytes = bytes});
  EXPECT_EQ(get("a"), "x7");
  put({.name = "c", .version = 99});
  EXPECT_EQ(get("a"), "x7");
  put({.name = "a", .version = 100});
  EXPECT_EQ(get("a"), "100");
}

TEST_F(OverlayTest, a_snapshot_sees_its_own_writes_and_not_those_of_others_after_it) {
  const Snapshot mine = store.snapshot();
  wrote({.name = "b", .version = 12}, mine.id());
  wrote({.name = "c", .version = 13});
  EXPECT_EQ(listed(mine), "shop/a@1,shop/b@12");
  EXPECT_EQ(list(), "shop/a@1,shop/b@12,shop/c@13");
}

TEST_F(OverlayTest, a_snapshot_does_not_go_back_when_the_watch_catches_up) {
  wrote({.name = "a", .version = 12});
  const Snapshot mine = store.snapshot();
  wrote({.name = "b", .version = 13}, mine.id());
  put({.name = "a", .version = 12});
  put({.name = "b", .version = 13});
  put({.name = "a", .version = 14});
  remove({.name = "b", .version = 15});
  EXPECT_EQ(listed(mine), "shop/a@12,shop/b@13");
  EXPECT_EQ(list(), "shop/a@14");
}

TEST_F(OverlayTest, a_snapshot_sees_its_own_writes_also_when_the_watch_was_quicker_than_the_answer) {
  const Snapshot mine = store.snapshot();
  put({.name = "b", .version = 12});
  wrote({.name = "b", .version = 12}, mine.id());
  EXPECT_EQ(listed(mine), "shop/a@1,shop/b@12");
  remove({.name = "b", .version = 13});
  store.observe_delete({"shop", "b"}, "uid-b", "12", mine.id());
  EXPECT_EQ(listed(mine), "shop/a@1");
  put({.name = "b", .version = 14, .uid = "another"});
  EXPECT_EQ(listed(mine), "shop/a@1");
  EXPECT_EQ(list(), "shop/a@1,shop/b@14");
  EXPECT_EQ(store.pending_writes(), 0);
}

TEST(Version, numbers_are_ordered_and_everything_else_is_only_equal) {
  EXPECT_TRUE(at_least(version_number("10"), version_number("9")));
  EXPECT_FALSE(at_least(version_number("9"), version_number("10")));
  EXPECT_TRUE(at_least(version_number("x"), version_number("x")));
  EXPECT_FALSE(at_least(version_number("x"), version_number("y")));
  EXPECT_FALSE(at_least(version_number("x"), version_number("1")));
  EXPECT_FALSE(is_ordered(version_number("99999999999999999999")));
  EXPECT_FALSE(is_ordered(version_number("")));
}

}  // namespace
}  // namespace flyball::cache
