#include "flyball/runtime/loop_detector.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const kube::GroupVersionKind kConfigMap{"", "v1", "ConfigMap"};
const Key kA{.namespace_ = "shop", .name = "a"};
const Key kB{.namespace_ = "shop", .name = "b"};

struct LoopDetectorTest : ::testing::Test {
  LoopDetector detector{{.rounds = 3, .most_writes = 100}};
  int version = 0;

  // A pass over `key` because `cause` changed, which writes `writes`; empty for none.
  std::optional<Loop> pass(const Key& key, const std::string& cause, const std::string& cause_version,
                           const std::string& writes, bool changed = true) {
    ReconcileRecord record{.key = key};
    record.causes.add(
        {.reason = "updated", .kind = kConfigMap, .object = {"shop", cause}, .resource_version = cause_version});
    if (!writes.empty()) {
      record.writes.push_back({.verb = "apply",
                               .kind = kConfigMap,
                               .object = {"shop", writes},
                               .resource_version = std::to_string(++version),
                               .changed = changed});
    }
    return detector.passed(record);
  }
  std::string latest() const { return std::to_string(version); }
};

TEST_F(LoopDetectorTest, TwoKeysThatWakeEachOtherAreNamedWithWhatTheyWrite) {
  pass(kA, "start", "1000", "x");
  std::vector<std::string> told;
  for (int i = 0; i < 3; ++i) {
    if (const auto loop = pass(kB, "x", latest(), "y")) told.push_back(loop->text);
    if (const auto loop = pass(kA, "y", latest(), "x")) told.push_back(loop->text);
  }
  EXPECT_THAT(told, ElementsAre("shop/a wrote v1 ConfigMap shop/x, which woke shop/b, which wrote v1 ConfigMap shop/y, "
                                "which woke shop/a, 3 times in a row"));
}

TEST_F(LoopDetectorTest, AKeyThatWakesItselfIsNamed) {
  pass(kA, "start", "1000", "a");
  std::optional<Loop> loop;
  for (int i = 0; i < 3; ++i) loop = pass(kA, "a", latest(), "a");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->kind, Loop::Kind::itself);
  EXPECT_EQ(loop->text, "shop/a wrote v1 ConfigMap shop/a, which woke shop/a, 3 times in a row");
}

TEST_F(LoopDetectorTest, ALoopThatGoesOnIsToldLessAndLessOften) {
  pass(kA, "start", "1000", "a");
  std::vector<std::uint32_t> told;
  for (int i = 0; i < 60; ++i) {
    if (const auto loop = pass(kA, "a", latest(), "a")) told.push_back(loop->rounds);
  }
  EXPECT_THAT(told, ElementsAre(3U, 6U, 12U, 24U, 48U));
}

TEST_F(LoopDetectorTest, APassThatWritesNothingEndsTheChain) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(pass(kA, "start", "1000", "x"));
    EXPECT_FALSE(pass(kB, "x", latest(), "y"));
    EXPECT_FALSE(pass(kA, "y", latest(), ""));
  }
}

TEST_F(LoopDetectorTest, AWriteThatChangedNothingIsNoLoop) {
  pass(kA, "start", "1000", "a", false);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(pass(kA, "a", latest(), "a", false));
}

TEST_F(LoopDetectorTest, ALongChainOfDifferentKeysIsNoLoop) {
  pass(kA, "start", "1000", "x0");
  for (int i = 1; i < 50; ++i) {
    const Key key{.name = std::to_string(i)};
    EXPECT_FALSE(pass(key, "x" + std::to_string(i - 1), latest(), "x" + std::to_string(i)));
  }
}

TEST_F(LoopDetectorTest, SomebodyElseWhoChangesItBackIsAFight) {
  std::vector<std::string> told;
  for (int i = 0; i < 5; ++i) {
    if (const auto loop = pass(kA, "x", "foreign-" + std::to_string(i), "x")) told.push_back(loop->text);
  }
  EXPECT_THAT(told,
              ElementsAre("shop/a writes v1 ConfigMap shop/x and somebody else changes it back, 3 times in a row; "
                          "its managedFields say who"));
}

TEST_F(LoopDetectorTest, AFightThatPausesBeginsAnew) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(pass(kA, "x", "foreign", "x"));
    EXPECT_FALSE(pass(kA, "x", "foreign", "x"));
    EXPECT_FALSE(pass(kA, "x", "foreign", ""));
  }
}

TEST_F(LoopDetectorTest, ALoopIsFoundAlsoAfterMoreWritesThanAreRemembered) {
  for (int i = 0; i < 1000; ++i) pass(kB, "start", "1000", "x" + std::to_string(i));
  pass(kA, "start", "1000", "a");
  std::optional<Loop> loop;
  for (int i = 0; i < 3; ++i) loop = pass(kA, "a", latest(), "a");
  EXPECT_TRUE(loop);
}

}  // namespace
}  // namespace flyball::runtime
