#include "flyball/cluster/node/probe_counter.hpp"

#include <gtest/gtest.h>

namespace flyball::cluster::node {
namespace {

const kube::core::v1::Probe kProbe{.successThreshold = 2, .failureThreshold = 3};

TEST(ProbeCounter, TurnsOnlyAfterEnoughInARow) {
  ProbeCounter counter(false);
  EXPECT_FALSE(counter.count(true, kProbe));
  EXPECT_FALSE(counter.good());
  EXPECT_TRUE(counter.count(true, kProbe));
  EXPECT_TRUE(counter.good());
  EXPECT_FALSE(counter.count(false, kProbe));
  EXPECT_FALSE(counter.count(false, kProbe));
  EXPECT_TRUE(counter.good());
  EXPECT_TRUE(counter.count(false, kProbe));
  EXPECT_FALSE(counter.good());
}

TEST(ProbeCounter, AnAnswerOfTheOtherKindBeginsTheRowAnew) {
  ProbeCounter counter(true);
  counter.count(false, kProbe);
  counter.count(false, kProbe);
  counter.count(true, kProbe);
  EXPECT_EQ(counter.failures(), 0);
  counter.count(false, kProbe);
  counter.count(false, kProbe);
  EXPECT_TRUE(counter.good());
  EXPECT_EQ(counter.failures(), 2);
}

TEST(ProbeCounter, WithoutThresholdsOneAnswerIsEnough) {
  ProbeCounter counter(false);
  EXPECT_TRUE(counter.count(true, {}));
  EXPECT_TRUE(counter.good());
}

}  // namespace
}  // namespace flyball::cluster::node
