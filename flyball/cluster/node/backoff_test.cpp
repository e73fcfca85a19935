#include "flyball/cluster/node/backoff.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::cluster::node {
namespace {

using ::testing::ElementsAre;

// How long each of many crashes in a row waits, when every run lasts `ran` seconds.
std::vector<std::int64_t> waits(int crashes, std::int64_t ran) {
  std::vector<std::int64_t> all;
  Backoff backoff;
  std::int64_t now = 1'000'000;
  for (int i = 0; i < crashes; ++i) {
    now += ran;
    const kube::Time ended = kube::Time::from_unix(now);
    while (backoff.waits(ended, kube::Time::from_unix(now))) ++now;
    all.push_back(now - ended.unix_seconds());
    backoff.next(ended, kube::Time::from_unix(now));
  }
  return all;
}

TEST(CrashBackoff, DoublesFromTenSecondsToFiveMinutes) {
  EXPECT_THAT(waits(8, 1), ElementsAre(0, 10, 20, 40, 80, 160, 300, 300));
}

TEST(CrashBackoff, ForgetsWhatRanForMoreThanTenMinutes) {
  EXPECT_THAT(waits(3, 601), ElementsAre(0, 0, 0));
  EXPECT_THAT(waits(3, 600), ElementsAre(0, 10, 20));
}

}  // namespace
}  // namespace flyball::cluster::node
