#include "flyball/runtime/remembered_reads.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::runtime {
namespace {

using kube::GroupVersionKind;
using kube::Metadata;
using kube::Selector;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const GroupVersionKind kPod{"", "v1", "Pod"};
const GroupVersionKind kSecret{"", "v1", "Secret"};
const Key kWeb{.namespace_ = "shop", .name = "web"};
const Key kDb{.namespace_ = "shop", .name = "db"};

Metadata object(std::string_view name, std::string_view version = "1") {
  Metadata made;
  made.namespace_ = "shop";
  made.name = name;
  made.resource_version = version;
  return made;
}

Metadata labelled(std::string_view name, std::string_view label, std::string_view value) {
  Metadata made = object(name);
  made.labels.emplace_back(label, value);
  return made;
}

struct RememberedReadsTest : ::testing::Test {
  RememberedReads remembered;

  template <class Reading>
  std::vector<Cause> pass(const Key& key, Reading&& reading) {
    ReadSet reads = remembered.begin(key);
    reading(reads);
    return remembered.finish(std::move(reads));
  }
  std::vector<Key> created(const GroupVersionKind& kind, const Metadata& after) {
    return remembered.woken_by({.kind = kind, .after = &after});
  }
  std::vector<Key> updated(const GroupVersionKind& kind, const Metadata& before, const Metadata& after) {
    return remembered.woken_by({.kind = kind, .before = &before, .after = &after});
  }
  std::vector<Key> deleted(const GroupVersionKind& kind, const Metadata& before) {
    return remembered.woken_by({.kind = kind, .before = &before});
  }
};

TEST_F(RememberedReadsTest, AnObjectThatWasReadWakesItsReaderAlsoWhenItWasNotThere) {
  pass(kWeb, [](ReadSet& reads) { reads.object(kSecret, {"shop", "password"}); });
  pass(kDb, [](ReadSet& reads) { reads.object(kSecret, {"shop", "other"}); });
  EXPECT_THAT(created(kSecret, object("password")), ElementsAre(kWeb));
  EXPECT_THAT(updated(kSecret, object("password"), object("password", "2")), ElementsAre(kWeb));
  EXPECT_THAT(deleted(kSecret, object("password", "2")), ElementsAre(kWeb));
  EXPECT_THAT(created(kPod, object("password")), IsEmpty());
}

TEST_F(RememberedReadsTest, AListWakesItsReaderForWhatMatchesBeforeOrAfter) {
  pass(kWeb, [](ReadSet& reads) { reads.list(kPod, "shop", Selector::parse("app=web")); });
  const Metadata in = labelled("a", "app", "web");
  const Metadata out = labelled("a", "app", "db");
  EXPECT_THAT(created(kPod, in), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, in, out), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, out, out), IsEmpty());
  EXPECT_THAT(updated(kPod, in, in), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, out, in), ElementsAre(kWeb));
  EXPECT_THAT(deleted(kPod, in), ElementsAre(kWeb));
  Metadata elsewhere = labelled("a", "app", "web");
  elsewhere.namespace_ = "office";
  EXPECT_THAT(created(kPod, elsewhere), IsEmpty());
}

TEST_F(RememberedReadsTest, EveryKindOfSelectorIsFound) {
  const auto woken = [&](const char* selector, const Metadata& by) {
    pass(kWeb, [&](ReadSet& reads) { reads.list(kPod, "", Selector::parse(selector)); });
    return !created(kPod, by).empty();
  };
  const Metadata five = labelled("a", "n", "5");
  EXPECT_TRUE(woken("", object("a")));
  EXPECT_TRUE(woken("n", five));
  EXPECT_FALSE(woken("n", object("a")));
  EXPECT_TRUE(woken("n in (4,5)", five));
  EXPECT_FALSE(woken("n in (4,6)", five));
  EXPECT_TRUE(woken("n>4", five));
  EXPECT_FALSE(woken("n<5", five));
  EXPECT_TRUE(woken("!m,n", five));
  EXPECT_TRUE(woken("n!=4", object("a")));
  EXPECT_FALSE(woken("n notin (4,5)", five));
}

TEST_F(RememberedReadsTest, AListOfNothingIsNeverWokenAndIsNotAListOfEverything) {
  pass(kWeb, [](ReadSet& reads) { reads.list(kPod, "shop", Selector::nothing()); });
  EXPECT_THAT(created(kPod, object("a")), IsEmpty());
  pass(kWeb, [](ReadSet& reads) {
    reads.list(kPod, "shop", Selector::nothing());
    reads.list(kPod, "shop", {});
  });
  EXPECT_THAT(created(kPod, object("a")), ElementsAre(kWeb));
}

TEST_F(RememberedReadsTest, ChildrenWakeTheReaderWhenTheyComeGoOrChangeOwner) {
  pass(kWeb, [](ReadSet& reads) { reads.children(kPod, "uid-1"); });
  Metadata mine = object("a");
  mine.owners.push_back({.uid = "uid-1"});
  Metadata others = object("a");
  others.owners.push_back({.uid = "uid-2"});
  EXPECT_THAT(created(kPod, mine), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, mine, others), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, others, others), IsEmpty());
  EXPECT_THAT(updated(kPod, others, mine), ElementsAre(kWeb));
  EXPECT_THAT(deleted(kPod, mine), ElementsAre(kWeb));
}

TEST_F(RememberedReadsTest, AKeyThatReadTheSameThingTwiceIsWokenOnce) {
  pass(kWeb, [](ReadSet& reads) {
    reads.object(kPod, {"shop", "a"});
    reads.list(kPod, "shop", {});
    reads.list(kPod, "", {});
  });
  EXPECT_THAT(created(kPod, object("a")), ElementsAre(kWeb));
}

TEST_F(RememberedReadsTest, TheNextPassReplacesWhatTheLastOneRead) {
  pass(kWeb, [](ReadSet& reads) { reads.object(kSecret, {"shop", "old"}); });
  pass(kWeb, [](ReadSet& reads) { reads.object(kSecret, {"shop", "new"}); });
  EXPECT_THAT(created(kSecret, object("old")), IsEmpty());
  EXPECT_THAT(created(kSecret, object("new")), ElementsAre(kWeb));
  remembered.forget(kWeb);
  EXPECT_THAT(deleted(kSecret, object("new")), IsEmpty());
  EXPECT_EQ(remembered.keys(), 0U);
  EXPECT_EQ(remembered.reads(), 0U);
}

TEST_F(RememberedReadsTest, AChangeDuringThePassCountsIfItCameAfterTheRead) {
  ReadSet reads = remembered.begin(kWeb);
  reads.object(kSecret, {"shop", "early"});
  EXPECT_THAT(created(kSecret, object("early")), IsEmpty()) << "it runs: finish() tells it";
  EXPECT_THAT(created(kSecret, object("late")), IsEmpty());
  reads.object(kSecret, {"shop", "late"});
  const auto causes = remembered.finish(std::move(reads));
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].to_string(), "created v1 Secret shop/early @1");
}

TEST_F(RememberedReadsTest, WithStableReadsEveryChangeDuringThePassCounts) {
  RememberedReads stable({.stable_reads = true});
  ReadSet reads = stable.begin(kWeb);
  const Metadata secret = object("late");
  stable.woken_by({.kind = kSecret, .after = &secret});
  reads.object(kSecret, {"shop", "late"});
  EXPECT_THAT(stable.finish(std::move(reads)), SizeIs(1));
}

TEST_F(RememberedReadsTest, APassThatFailedRemembersBothItsReadsAndThoseOfTheLast) {
  pass(kWeb, [](ReadSet& reads) { reads.object(kSecret, {"shop", "old"}); });
  {
    ReadSet reads = remembered.begin(kWeb);
    reads.object(kSecret, {"shop", "new"});
  }
  EXPECT_THAT(created(kSecret, object("old")), ElementsAre(kWeb));
  EXPECT_THAT(created(kSecret, object("new")), ElementsAre(kWeb));

  ReadSet reads = remembered.begin(kWeb);
  deleted(kSecret, object("old"));
  EXPECT_THAT(remembered.abandon(std::move(reads)), SizeIs(1)) << "it would have read this";
}

TEST_F(RememberedReadsTest, ItsOwnWriteWakesNotTheWriterButOthersWhoReadTheObject) {
  const auto read = [](ReadSet& reads) { reads.object(kPod, {"shop", "a"}); };
  pass(kDb, read);
  pass(kWeb, [&](ReadSet& reads) {
    read(reads);
    reads.written(kPod, {"shop", "a"}, "7");
  });
  EXPECT_THAT(updated(kPod, object("a", "6"), object("a", "7")), ElementsAre(kDb));
  EXPECT_THAT(updated(kPod, object("a", "7"), object("a", "7")), UnorderedElementsAre(kDb, kWeb)) << "only once";
  EXPECT_THAT(updated(kPod, object("a", "7"), object("a", "8")), UnorderedElementsAre(kDb, kWeb));
}

TEST_F(RememberedReadsTest, TheEchoMayComeBeforeTheAnswerToTheWrite) {
  ReadSet reads = remembered.begin(kWeb);
  reads.object(kPod, {"shop", "a"});
  updated(kPod, object("a", "6"), object("a", "7"));
  reads.written(kPod, {"shop", "a"}, "7");
  EXPECT_THAT(remembered.finish(std::move(reads)), IsEmpty());
}

TEST_F(RememberedReadsTest, TheEchoMayComeInTheNextPass) {
  pass(kWeb, [](ReadSet& reads) { reads.written(kPod, {"shop", "a"}, "7"); });
  ReadSet reads = remembered.begin(kWeb);
  reads.object(kPod, {"shop", "a"});
  updated(kPod, object("a", "6"), object("a", "7"));
  EXPECT_THAT(remembered.finish(std::move(reads)), IsEmpty());
}

TEST_F(RememberedReadsTest, AnEchoThatWasLeftOutIsNotWaitedForAfterALaterVersion) {
  pass(kWeb, [](ReadSet& reads) {
    reads.object(kPod, {"shop", "a"});
    reads.written(kPod, {"shop", "a"}, "7");
  });
  EXPECT_THAT(updated(kPod, object("a", "6"), object("a", "10")), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, object("a", "6"), object("a", "7")), ElementsAre(kWeb)) << "forgotten by now";
}

TEST_F(RememberedReadsTest, ItsOwnDeletionWakesNotTheWriter) {
  pass(kWeb, [](ReadSet& reads) {
    reads.object(kPod, {"shop", "a"});
    reads.deleted(kPod, {"shop", "a"}, "uid-7");
  });
  EXPECT_THAT(updated(kPod, object("a", "6"), object("a", "7")), ElementsAre(kWeb)) << "that was somebody else";
  Metadata gone = object("a", "7");
  gone.uid = "uid-7";
  EXPECT_THAT(deleted(kPod, gone), IsEmpty());
  EXPECT_THAT(created(kPod, object("a", "9")), ElementsAre(kWeb));
  EXPECT_THAT(deleted(kPod, object("a", "9")), ElementsAre(kWeb));
}

TEST_F(RememberedReadsTest, AWriteOutsideOfAPassIsItsOwnToo) {
  pass(kWeb, [](ReadSet& reads) { reads.object(kPod, {"shop", "a"}); });
  remembered.written(kWeb, {.kind = kPod, .object = {"shop", "a"}, .resource_version = "7"});
  EXPECT_THAT(updated(kPod, object("a", "6"), object("a", "7")), IsEmpty());
}

TEST_F(RememberedReadsTest, APassThatIsTooSlowForTheLogIsWokenInAnyCase) {
  RememberedReads small({.most_changes = 3});
  ReadSet reads = small.begin(kWeb);
  const Metadata other = object("other");
  for (int i = 0; i < 4; ++i) small.woken_by({.kind = kPod, .after = &other});
  EXPECT_THAT(small.finish(std::move(reads)), SizeIs(1));
  EXPECT_THAT(small.finish(small.begin(kWeb)), IsEmpty());
}

TEST_F(RememberedReadsTest, ManyReadersOfOneObjectComeAndGoInAnyOrder) {
  std::vector<Key> keys;
  for (int i = 0; i < 100; ++i) {
    keys.push_back({.name = std::to_string(i)});
    pass(keys.back(), [](ReadSet& reads) { reads.object(kSecret, {"shop", "shared"}); });
  }
  for (int i = 0; i < 100; i += 3) remembered.forget(keys[static_cast<std::size_t>(i)]);
  EXPECT_THAT(created(kSecret, object("shared")), SizeIs(66));
  for (const Key& key : keys) remembered.forget(key);
  EXPECT_THAT(created(kSecret, object("shared")), IsEmpty());
  EXPECT_EQ(remembered.reads(), 0U);
}

TEST(ReadTest, SaysWhatWasRead) {
  RememberedReads remembered;
  ReadSet reads = remembered.begin(kWeb);
  reads.object(kSecret, {"shop", "password"});
  reads.list(kPod, "shop", Selector::parse("app=web"));
  reads.list(kPod, "", {});
  reads.children(kPod, "uid-1");
  std::vector<std::string> texts;
  for (const auto& [identity, read] : reads.reads()) texts.push_back(read.to_string());
  EXPECT_THAT(texts, UnorderedElementsAre("v1 Secret shop/password", "v1 Pod in shop where app=web",
                                          "v1 Pod in all namespaces", "v1 Pod owned by uid-1"));
}

TEST_F(RememberedReadsTest, ALeapIsNobodysEchoForThereMayHaveBeenOthersInBetween) {
  const Metadata before = object("a", "3");
  const Metadata after = object("a", "5");
  const auto write = [](ReadSet& reads) {
    reads.object(kPod, {"shop", "a"});
    reads.written(kPod, {"shop", "a"}, "5");
  };
  pass(kWeb, write);
  EXPECT_THAT(remembered.woken_by({.kind = kPod, .before = &before, .after = &after, .leap = true}), ElementsAre(kWeb));
  EXPECT_THAT(updated(kPod, before, after), ElementsAre(kWeb)) << "and the echo is no longer expected";

  ReadSet reads = remembered.begin(kWeb);
  write(reads);
  remembered.woken_by({.kind = kPod, .before = &before, .after = &after, .leap = true});
  EXPECT_THAT(remembered.finish(std::move(reads)), SizeIs(1)) << "also while the pass runs";
}

TEST_F(RememberedReadsTest, TheEndOfOneThatWasGoingIsNoEchoOfTheDelete) {
  const auto remove = [](ReadSet& reads) {
    reads.object(kPod, {"shop", "a"});
    reads.deleted(kPod, {"shop", "a"}, "uid-1");
  };
  Metadata there = object("a");
  there.uid = "uid-1";
  Metadata going = there;
  going.deletion_timestamp = kube::Time::parse("2026-01-01T00:00:00Z");
  pass(kWeb, remove);
  EXPECT_THAT(deleted(kPod, there), IsEmpty()) << "it went at once: our own doing";
  pass(kWeb, remove);
  EXPECT_THAT(updated(kPod, there, going), ElementsAre(kWeb));
  EXPECT_THAT(deleted(kPod, going), ElementsAre(kWeb));
}

TEST_F(RememberedReadsTest, AKeyIsKnownFromItsFirstPassUntilItIsForgotten) {
  EXPECT_FALSE(remembered.knows(kWeb));
  ReadSet reads = remembered.begin(kWeb);
  EXPECT_TRUE(remembered.knows(kWeb));
  reads.object(kPod, {"shop", "a"});
  remembered.finish(std::move(reads));
  EXPECT_TRUE(remembered.knows(kWeb));
  remembered.forget(kWeb);
  EXPECT_FALSE(remembered.knows(kWeb));
}

}  // namespace
}  // namespace flyball::runtime
