#include "flyball/apiserver/store.hpp"

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/base/thread.hpp"

namespace flyball::apiserver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Store::Make text(std::string words) {
  return [words = std::move(words)](Revision next) { return words + "@" + std::to_string(next); };
}

StoreKey pod(std::string name) { return {"pods", std::move(name)}; }

std::vector<std::string> texts(const Page& page) {
  std::vector<std::string> all;
  for (const auto& [name, stored] : page.items) all.push_back(name + "=" + *stored.bytes);
  return all;
}

std::vector<std::string> texts(const std::vector<ChangePointer>& changes) {
  std::vector<std::string> all;
  for (const auto& change : changes) {
    all.push_back(change->key.name + (change->is_delete() ? " ends as " + *change->last : "=" + *change->after));
  }
  return all;
}

struct StoreTest : ::testing::Test {
  RealClock clock;
  Store store{clock};
};

TEST_F(StoreTest, every_write_takes_the_next_revision_and_the_bytes_carry_it) {
  const Revision start = store.revision();
  EXPECT_EQ(store.put(pod("a"), kAbsent, text("one")), start + 1);
  EXPECT_EQ(store.put({"nodes", "n"}, kAbsent, text("two")), start + 2);
  EXPECT_EQ(*store.find(pod("a"))->bytes, "one@" + std::to_string(start + 1));
  EXPECT_EQ(store.find(pod("a"))->revision, start + 1);
  EXPECT_EQ(store.revision(), start + 2);
}

TEST_F(StoreTest, a_write_that_expects_another_version_is_refused_and_changes_nothing) {
  const Revision made = store.put(pod("a"), kAbsent, text("one"));
  EXPECT_THROW(store.put(pod("a"), kAbsent, text("again")), Outdated);
  EXPECT_THROW(store.put(pod("a"), made + 1, text("again")), Outdated);
  EXPECT_THROW(store.put(pod("b"), made, text("again")), Outdated);
  EXPECT_THROW(store.erase(pod("a"), made + 1, text("end")), Outdated);
  EXPECT_THROW(store.erase(pod("b"), kAnything, text("end")), Outdated);
  EXPECT_EQ(store.revision(), made);
  EXPECT_EQ(store.put(pod("a"), made, text("two")), made + 1);
  EXPECT_EQ(store.put(pod("a"), kAnything, text("three")), made + 2);
}

TEST_F(StoreTest, a_refusal_says_what_is_there) {
  const Revision made = store.put(pod("default/a"), kAbsent, text("one"));
  try {
    store.put(pod("default/a"), made - 1, text("two"));
    FAIL();
  } catch (const Outdated& error) {
    EXPECT_EQ(error.found().revision, made);
    EXPECT_EQ(std::string(error.what()), "pods \"default/a\" is at revision " + std::to_string(made));
  }
}

TEST_F(StoreTest, lists_are_in_the_order_of_names_by_prefix_and_in_pages) {
  for (const char* name : {"b/x", "a/y", "a-b/z", "a/x", "c/x"}) store.put(pod(name), kAbsent, text("t"));
  const auto names = [&](const PageOptions& options) {
    std::vector<std::string> all;
    for (const auto& [name, stored] : store.list("pods", options).items) all.push_back(name);
    return all;
  };
  EXPECT_THAT(names({}), ElementsAre("a-b/z", "a/x", "a/y", "b/x", "c/x"));
  EXPECT_THAT(names({.prefix = "a/"}), ElementsAre("a/x", "a/y"));
  EXPECT_THAT(names({.limit = 2}), ElementsAre("a-b/z", "a/x"));
  EXPECT_EQ(store.list("pods", {.limit = 2}).remaining, 3U);
  EXPECT_THAT(names({.after = "a/x", .limit = 2}), ElementsAre("a/y", "b/x"));
  EXPECT_THAT(names({.prefix = "a/", .after = "a/x"}), ElementsAre("a/y"));
  EXPECT_THAT(store.list("nodes").items, IsEmpty());
}

TEST_F(StoreTest, a_list_at_a_revision_shows_that_moment_whatever_came_later) {
  const Revision one = store.put(pod("a"), kAbsent, text("one"));
  store.put(pod("b"), kAbsent, text("one"));
  const Revision both = store.revision();
  store.put(pod("a"), one, text("two"));
  store.erase(pod("b"), kAnything, text("end"));
  EXPECT_EQ(texts(store.list("pods", {.at = both})), (std::vector<std::string>{"a=one@2", "b=one@3"}));
  EXPECT_EQ(texts(store.list("pods", {.at = one})), (std::vector<std::string>{"a=one@2"}));
  EXPECT_EQ(texts(store.list("pods")), (std::vector<std::string>{"a=two@4"}));
  EXPECT_THROW(store.list("pods", {.at = store.revision() + 1}), NotYet);
}

TEST_F(StoreTest, compaction_forgets_the_past_and_nothing_else) {
  store.put(pod("a"), kAbsent, text("one"));
  store.put(pod("b"), kAbsent, text("one"));
  store.put(pod("a"), kAnything, text("two"));
  store.erase(pod("b"), kAnything, text("end"));
  const Revision now = store.revision();
  store.put(pod("a"), kAnything, text("three"));
  store.compact(now);
  EXPECT_THROW(store.list("pods", {.at = now - 1}), Compacted);
  EXPECT_EQ(texts(store.list("pods", {.at = now})), (std::vector<std::string>{"a=two@4"}));
  EXPECT_EQ(texts(store.list("pods")), (std::vector<std::string>{"a=three@6"}));
  EXPECT_EQ(store.bytes_held(), std::string("two@4three@6").size());
  store.compact(store.revision());
  EXPECT_EQ(store.bytes_held(), std::string("three@6").size());
  EXPECT_THROW(store.compact(store.revision() + 1), NotYet);
}

TEST_F(StoreTest, a_follower_gets_every_change_after_its_revision_and_no_other) {
  store.put(pod("a"), kAbsent, text("one"));
  Follower follower = store.follow("pods", store.revision());
  EXPECT_THAT(follower.take(), IsEmpty());
  store.put(pod("a"), kAnything, text("two"));
  store.put({"nodes", "n"}, kAbsent, text("one"));
  store.erase(pod("a"), kAnything, text("end"));
  EXPECT_THAT(texts(follower.take(1)), ElementsAre("a=two@3"));
  EXPECT_EQ(follower.position(), 3);
  EXPECT_THAT(texts(follower.take()), ElementsAre("a ends as end@5"));
  EXPECT_EQ(follower.position(), store.revision());
  EXPECT_THAT(texts(store.follow("pods", 2).take()), ElementsAre("a=two@3", "a ends as end@5"));
}

TEST_F(StoreTest, a_follower_that_fell_behind_is_told_and_one_of_a_quiet_resource_is_not) {
  Follower pods = store.follow("pods", store.revision());
  Follower nodes = store.follow("nodes", store.revision());
  store.put(pod("a"), kAbsent, text("one"));
  store.compact(store.revision());
  EXPECT_THROW(pods.take(), Compacted);
  EXPECT_TRUE(pods.wait(Stop().with_deadline(clock, clock.now())));
  EXPECT_THAT(nodes.take(), IsEmpty());
  EXPECT_THROW(store.follow("nodes", 1), Compacted);
  EXPECT_THROW(store.follow("nodes", store.revision() + 1), NotYet);
}

TEST_F(StoreTest, a_waiting_follower_wakes_at_a_change_and_at_the_stop) {
  Follower follower = store.follow("pods", store.revision());
  StopSource stop;
  std::atomic<int> seen = 0;
  Thread thread(clock, "follower", [&] {
    while (follower.wait(stop.stop())) seen += static_cast<int>(follower.take().size());
  });
  Follower check = store.follow("pods", store.revision());
  for (int i = 0; i < 100; ++i) store.put(pod(std::to_string(i)), kAbsent, text("t"));
  while (seen < 100) std::this_thread::yield();
  stop.request_stop();
  thread.join();
  EXPECT_EQ(seen, 100);
}

TEST_F(StoreTest, a_snapshot_brings_everything_back_under_a_later_revision) {
  store.put(pod("a"), kAbsent, text("one"));
  const Snapshot then = store.snapshot();
  store.put(pod("a"), kAnything, text("two"));
  store.put(pod("b"), kAbsent, text("one"));
  Follower follower = store.follow("pods", store.revision());
  const Revision before = store.revision();
  store.restore(then);
  EXPECT_EQ(texts(store.list("pods")), (std::vector<std::string>{"a=one@2"}));
  EXPECT_GT(store.revision(), before);
  EXPECT_THROW(follower.take(), Compacted);
  EXPECT_EQ(store.count("pods"), 1U);
}

TEST(Store, a_write_the_journal_refuses_has_not_happened) {
  struct Disk : Journal {
    void append(const Change& /*change*/) override { fail(); }
    void compact(Revision /*oldest*/) override { fail(); }
    void restart(const Snapshot& /*snapshot*/) override { fail(); }
    void fail() const {
      if (full) throw Error("the disk is full");
    }
    bool full = false;
  } disk;
  RealClock clock;
  Store store(clock, &disk);
  store.put(pod("a"), kAbsent, text("one"));
  Follower follower = store.follow("pods", store.revision());
  disk.full = true;
  EXPECT_THROW(store.put(pod("a"), kAnything, text("two")), Error);
  EXPECT_THROW(store.erase(pod("a"), kAnything, text("end")), Error);
  EXPECT_THROW(store.compact(store.revision()), Error);
  EXPECT_THROW(store.restore({}), Error);
  EXPECT_EQ(*store.find(pod("a"))->bytes, "one@2");
  EXPECT_THAT(follower.take(), IsEmpty());
  disk.full = false;
  EXPECT_EQ(store.put(pod("a"), kAnything, text("two")), 3);
}

// Whatever happens: a list at a revision is what following from the beginning up to it gives.
TEST(StoreLaws, the_history_and_the_lists_tell_the_same_story) {
  const bool held = rc::check([] {
    RealClock clock;
    Store store(clock);
    Follower follower = store.follow("pods", store.revision());
    std::map<std::string, std::string> model;
    std::map<Revision, std::map<std::string, std::string>> moments;
    const auto steps = *rc::gen::container<std::vector<std::pair<int, bool>>>(
        rc::gen::pair(rc::gen::inRange(0, 5), rc::gen::arbitrary<bool>()));
    for (const auto& [which, remove] : steps) {
      const std::string name = std::to_string(which);
      if (remove && model.contains(name)) {
        store.erase(pod(name), kAnything, text("end"));
        model.erase(name);
      } else {
        store.put(pod(name), kAnything, text(name));
        model[name] = name + "@" + std::to_string(store.revision());
      }
      moments[store.revision()] = model;
    }
    std::map<std::string, std::string> followed;
    for (const auto& change : follower.take(steps.size() + 1)) {
      if (change->is_delete()) {
        followed.erase(change->key.name);
      } else {
        followed[change->key.name] = *change->after;
      }
      RC_ASSERT(followed == moments[change->revision]);
    }
    RC_ASSERT(followed == model);
    for (const auto& [revision, moment] : moments) {
      std::map<std::string, std::string> listed;
      for (const auto& [name, stored] : store.list("pods", {.at = revision}).items) listed[name] = *stored.bytes;
      RC_ASSERT(listed == moment);
    }
    RC_ASSERT(store.count("pods") == model.size());
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace flyball::apiserver
