#include "flyball/runtime/reconcile_record.hpp"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/runtime/remembered_reads.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const kube::GroupVersionKind kDeployment{"apps", "v1", "Deployment"};
const kube::GroupVersionKind kPod{"", "v1", "Pod"};
const Key kWeb{.namespace_ = "shop", .name = "web"};

TEST(ReconcileRecordTest, SaysWhyItRanWhatItReadAndWhatItWrote) {
  RememberedReads remembered;
  ReadSet reads = remembered.begin(kWeb);
  reads.list(kPod, "shop", kube::Selector::parse("app=web"));
  reads.written(kDeployment, {"shop", "web"}, "4715");
  reads.deleted(kPod, {"shop", "old"}, "uid");
  ReconcileRecord record{.key = kWeb, .number = 17, .took = 12ms, .outcome = "done"};
  record.causes.add({.reason = "updated", .kind = kDeployment, .object = {"shop", "web"}, .resource_version = "4711"});
  record.take(reads);
  EXPECT_EQ(record.to_string(),
            "pass 17 over shop/web took 12ms: done\n"
            "  because updated apps/v1 Deployment shop/web @4711\n"
            "  read v1 Pod in shop where app=web\n"
            "  wrote write apps/v1 Deployment shop/web @4715\n"
            "  wrote delete v1 Pod shop/old\n");
  EXPECT_EQ(record.changes(), 2U);
}

TEST(ReconcileRecordTest, AWriteThatChangedNothingIsNoChange) {
  const ReconcileRecord record{.writes = {{.verb = "apply", .kind = kPod, .object = {"", "a"}, .changed = false}}};
  EXPECT_EQ(record.changes(), 0U);
  EXPECT_THAT(record.to_string(), HasSubstr("apply v1 Pod a (nothing changed)"));
}

TEST(ReconcileHistoryTest, KeepsTheLatestAndGivesThoseOfAKeyLatestFirst) {
  ReconcileHistory history(4);
  for (std::uint64_t i = 1; i <= 6; ++i) {
    history.add({.key = i % 2 == 0 ? kWeb : Key{.name = "other"}, .number = i});
  }
  EXPECT_EQ(history.size(), 4U);
  const auto records = history.of(kWeb);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].number, 6U);
  EXPECT_EQ(records[1].number, 4U);
  EXPECT_EQ(history.latest(kWeb)->number, 6U);
  EXPECT_THAT(history.explain(kWeb), HasSubstr("pass 4 over shop/web"));
  EXPECT_EQ(history.explain({.name = "nobody"}), "no pass over nobody is remembered\n");
}

}  // namespace
}  // namespace flyball::runtime
