#include "flyball/base/timers.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

TEST(Timers, FireAtTheirTimeOnTheirOwnThread) {
  ManualClock clock;
  Timers timers(clock);
  std::vector<int> fired;
  timers.after(2s, [&] { fired.push_back(2); });
  timers.after(1s, [&] { fired.push_back(1); });
  timers.after(3s, [&] { fired.push_back(3); });
  clock.advance(2s);
  EXPECT_EQ(fired, (std::vector<int>{1, 2}));
  clock.advance(1s);
  EXPECT_EQ(fired, (std::vector<int>{1, 2, 3}));
}

TEST(Timers, ANearerTimerWakesASleepingThread) {
  ManualClock clock;
  Timers timers(clock);
  bool fired = false;
  timers.after(1h, [] {});
  clock.settle();
  timers.after(1s, [&] { fired = true; });
  clock.advance(1s);
  EXPECT_TRUE(fired);
}

TEST(Timers, RunOnOneThreadWhenToldTo) {
  // [snippet: timers-one-thread]
  ManualClock clock;
  Timers timers(clock, {.thread = false});
  int beats = 0;
  std::function<void()> beat = [&] {
    ++beats;
    timers.after(10s, beat);
  };
  timers.after(10s, beat);

  for (int i = 0; i < 3; ++i) {
    clock.jump(timers.next_due() - clock.now());
    timers.run_due();
  }
  EXPECT_EQ(beats, 3);
  // [end]
  EXPECT_EQ(timers.run_due(), 0U);
}

TEST(Timers, WhatACallbackAddsForNowWaitsForTheNextCall) {
  ManualClock clock;
  Timers timers(clock, {.thread = false});
  int runs = 0;
  std::function<void()> again = [&] {
    ++runs;
    timers.after(0s, again);
  };
  timers.after(0s, again);
  EXPECT_EQ(timers.run_due(), 1U);
  EXPECT_EQ(timers.run_due(), 1U);
  EXPECT_EQ(runs, 2);
}

TEST(Timers, ACancelledTimerDoesNotFire) {
  ManualClock clock;
  Timers timers(clock);
  bool fired = false;
  const TimerId id = timers.after(1s, [&] { fired = true; });
  EXPECT_TRUE(timers.cancel(id));
  EXPECT_FALSE(timers.cancel(id));
  clock.advance(2s);
  EXPECT_FALSE(fired);
}

TEST(Timers, CancelWaitsForTheCallbackThatRuns) {
  ManualClock clock;
  Timers timers(clock);
  bool done = false;
  const TimerId id = timers.after(1s, [&] {
    pause_until(clock, clock.after(5s), {});
    done = true;
  });
  clock.advance(1s);
  bool cancelled = true;
  bool done_at_cancel = false;
  Thread canceller(clock, "canceller", [&] {
    cancelled = timers.cancel(id);
    done_at_cancel = done;
  });
  clock.advance(5s);
  EXPECT_FALSE(cancelled);
  EXPECT_TRUE(done_at_cancel);
}

TEST(Timers, ACallbackMayCancelItself) {
  ManualClock clock;
  Timers timers(clock);
  TimerId id = TimerId::none;
  bool cancelled = true;
  id = timers.after(1s, [&] { cancelled = timers.cancel(id); });
  clock.advance(1s);
  EXPECT_FALSE(cancelled);
}

TEST(Timers, AnExceptionIsCountedReportedAndDoesNotStopTheOthers) {
  ManualClock clock;
  std::string told;
  Timers timers(clock, {.on_error = [&](std::exception_ptr e) {
                  try {
                    std::rethrow_exception(e);
                  } catch (const std::exception& error) {
                    told = error.what();
                  }
                }});
  bool fired = false;
  timers.after(1s, [] { throw Error("no route to host"); });
  timers.after(2s, [&] { fired = true; });
  clock.advance(2s);
  EXPECT_EQ(timers.failures(), 1U);
  EXPECT_EQ(told, "no route to host");
  EXPECT_TRUE(fired);
}

TEST(Timers, RunTheStopCallbacksAtTheDeadline) {
  ManualClock clock;
  Timers timers(clock);
  const StopSource source(Stop(), clock, clock.after(5s));
  bool called = false;
  const StopCallback callback(source.stop(), [&] { called = true; });
  timers.stop_at_deadline(source);
  clock.advance(5s);
  EXPECT_TRUE(called);
  EXPECT_THROW(
      {
        try {
          source.stop().throw_if_stopped();
        } catch (const Stopped& e) {
          EXPECT_TRUE(e.deadline_passed());
          throw;
        }
      },
      Stopped);
}

TEST(Timers, ManyThreadsAddAndCancelOnTheRealClock) {
  RealClock clock;
  std::atomic<int> fired = 0;
  std::atomic<int> cancelled = 0;
  constexpr int kEach = 300;
  {
    Timers timers(clock);
    std::vector<std::unique_ptr<Thread>> threads;
    for (int i = 0; i < 3; ++i) {
      threads.push_back(std::make_unique<Thread>(clock, "adder", [&] {
        for (int n = 0; n < kEach; ++n) {
          const TimerId id = timers.after(std::chrono::microseconds(n % 7), [&] { ++fired; });
          if (n % 2 == 0 && timers.cancel(id)) ++cancelled;
        }
      }));
    }
    threads.clear();
    // All are due by now or very soon; a last one after them tells that they ran.
    Mutex mutex;
    Condition changed(clock);
    bool last = false;
    timers.after(1ms, [&] {
      MutexLock lock(mutex);
      last = true;
      changed.notify_all();
    });
    MutexLock lock(mutex);
    changed.wait(mutex, {}, [&] { return last; });
  }
  EXPECT_EQ(fired + cancelled, 3 * kEach);
}

}  // namespace
}  // namespace flyball
