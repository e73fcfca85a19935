#include "flyball/base/stop_on_signal.hpp"

#include <csignal>

#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/condition.hpp"

namespace flyball {
namespace {

TEST(StopOnSignalTest, ASignalIsAStopWithItsName) {
  RealClock clock;
  const StopOnSignal signals;
  EXPECT_FALSE(signals.stop().stopped());
  kill(getpid(), SIGTERM);
  EXPECT_FALSE(pause_until(clock, kNever, signals.stop()));
  EXPECT_EQ(signals.stop().reason(), "SIGTERM");
}

TEST(StopOnSignalTest, ItEndsWithoutASignal) { const StopOnSignal signals; }

TEST(StopOnSignalDeathTest, ASecondSignalEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        RealClock clock;
        const StopOnSignal signals;
        kill(getpid(), SIGINT);
        pause_until(clock, kNever, signals.stop());
        kill(getpid(), SIGINT);
        pause_until(clock, kNever, {});
      },
      ::testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace flyball
