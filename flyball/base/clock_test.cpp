#include "flyball/base/clock.hpp"

#include <queue>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

TEST(RealClock, NeverGoesBackAndKnowsTheDate) {
  RealClock clock;
  const TimePoint first = clock.now();
  EXPECT_GE(clock.now(), first);
  EXPECT_GT(clock.wall_now(), WallTime(1'700'000'000s));
  EXPECT_EQ(clock.after(Duration::max()), kNever);
}

TEST(RealClock, AWaitEndsAtItsDeadlineByNotificationOrByStop) {
  RealClock clock;
  Mutex mutex;
  Condition changed(clock);
  MutexLock lock(mutex);
  EXPECT_FALSE(changed.wait_until(mutex, clock.now(), {}, [] { return false; }));
  EXPECT_FALSE(changed.wait_until(mutex, clock.after(1ms), {}, [] { return false; }));

  bool ready = false;
  Thread notifier(clock, "notifier", [&] {
    MutexLock inner(mutex);
    ready = true;
    changed.notify_one();
  });
  EXPECT_TRUE(changed.wait(mutex, {}, [&] { return ready; }));

  StopSource source;
  Thread stopper(clock, "stopper", [&] { source.request_stop(); });
  EXPECT_FALSE(changed.wait(mutex, source.stop(), [] { return false; }));
  EXPECT_TRUE(changed.wait(mutex, source.stop(), [] { return true; })) << "a true predicate wins over the stop";
}

TEST(Condition, TheStopMayBeRequestedWithTheMutexHeld) {
  ManualClock clock;
  Mutex mutex;
  Condition changed(clock);
  StopSource source;
  Thread waiter(clock, "waiter", [&] {
    MutexLock lock(mutex);
    changed.wait(mutex, source.stop(), [] { return false; });
  });
  clock.settle();
  MutexLock lock(mutex);
  source.request_stop();
}

// Two clocks, many producers and consumers: no item and no wake-up is lost.
template <class AnyClock>
void pass_items_between_threads() {
  AnyClock clock;
  Mutex mutex;
  Condition not_empty(clock);
  Condition not_full(clock);
  std::queue<int> items;
  int consumed = 0;
  constexpr int kEach = 500;
  {
    std::vector<std::unique_ptr<Thread>> threads;
    for (int i = 0; i < 3; ++i) {
      threads.push_back(std::make_unique<Thread>(clock, "producer", [&] {
        for (int n = 0; n < kEach; ++n) {
          MutexLock lock(mutex);
          not_full.wait(mutex, {}, [&] { return items.size() < 2; });
          items.push(n);
          not_empty.notify_one();
        }
      }));
      threads.push_back(std::make_unique<Thread>(clock, "consumer", [&] {
        for (int n = 0; n < kEach; ++n) {
          MutexLock lock(mutex);
          not_empty.wait(mutex, {}, [&] { return !items.empty(); });
          items.pop();
          ++consumed;
          not_full.notify_one();
        }
      }));
    }
  }
  EXPECT_EQ(consumed, 3 * kEach);
}

TEST(Condition, LosesNoWakeUpOnTheRealClock) { pass_items_between_threads<RealClock>(); }
TEST(Condition, LosesNoWakeUpOnTheManualClock) { pass_items_between_threads<ManualClock>(); }

TEST(ManualClock, TimeAndDateMoveOnlyWhenTold) {
  ManualClock clock;
  const TimePoint start = clock.now();
  const WallTime date = clock.wall_now();
  EXPECT_EQ(date, WallTime(1'767'225'600s));
  clock.advance(90s);
  EXPECT_EQ(clock.now() - start, 90s);
  EXPECT_EQ(clock.wall_now() - date, 90s);
  clock.shift_wall(-1h);
  EXPECT_EQ(clock.wall_now() - date, 90s - 1h);
  EXPECT_EQ(clock.now() - start, 90s);
}

TEST(ManualClock, AdvanceStopsAtEveryDeadlineOnTheWay) {
  // [snippet: manual-clock]
  ManualClock clock;
  StopSource stop;
  std::vector<Duration> beats;
  Thread heart(clock, "heart", [&, start = clock.now()] {
    while (pause_until(clock, clock.after(10s), stop.stop())) beats.push_back(clock.now() - start);
  });

  clock.advance(35s);
  EXPECT_EQ(beats, (std::vector<Duration>{10s, 20s, 30s}));
  // [end]
  clock.advance(5s);
  EXPECT_EQ(beats.size(), 4U);
  stop.request_stop();
}

TEST(ManualClock, SettleWaitsForAChainOfThreadsThatWakeEachOther) {
  ManualClock clock;
  Mutex mutex;
  Condition changed(clock);
  int baton = 0;
  StopSource stop;
  std::vector<std::unique_ptr<Thread>> runners;
  for (int i = 0; i < 4; ++i) {
    runners.push_back(std::make_unique<Thread>(clock, "runner", [&, i] {
      MutexLock lock(mutex);
      while (changed.wait(mutex, stop.stop(), [&] { return baton > 0 && baton < 1000 && baton % 4 == i; })) {
        ++baton;
        changed.notify_all();
      }
    }));
  }
  clock.settle();
  EXPECT_EQ(clock.parked(), 4U);
  {
    MutexLock lock(mutex);
    baton = 1;
    changed.notify_all();
  }
  clock.settle();
  MutexLock lock(mutex);
  EXPECT_EQ(baton, 1000);
  stop.request_stop();
}

TEST(ManualClock, AThreadThatHasNotBegunYetIsBusy) {
  for (int round = 0; round < 100; ++round) {
    ManualClock clock;
    bool ran = false;
    Thread thread(clock, "late riser", [&] { ran = true; });
    clock.settle();
    EXPECT_TRUE(ran);
  }
}

TEST(ManualClock, AdvanceToNextGoesFromDeadlineToDeadline) {
  ManualClock clock;
  EXPECT_FALSE(clock.advance_to_next());
  const TimePoint start = clock.now();
  Thread a(clock, "a", [&] { pause_until(clock, start + 3s, {}); });
  Thread b(clock, "b", [&] { pause_until(clock, start + 7s, {}); });
  EXPECT_TRUE(clock.advance_to_next());
  EXPECT_EQ(clock.now(), start + 3s);
  EXPECT_EQ(clock.next_deadline(), start + 7s);
  EXPECT_TRUE(clock.advance_to_next());
  EXPECT_EQ(clock.now(), start + 7s);
  EXPECT_FALSE(clock.advance_to_next());
}

TEST(ManualClock, AutoAdvanceNeedsNobodyToMoveTime) {
  ManualClock clock(ManualClock::Options{.auto_advance = true});
  Participant test(clock, "test");
  test.bind();
  const TimePoint start = clock.now();
  std::vector<int> order;
  Mutex mutex;
  {
    Thread slow(clock, "slow", [&] {
      pause_until(clock, start + 2h, {});
      MutexLock lock(mutex);
      order.push_back(2);
    });
    Thread quick(clock, "quick", [&] {
      pause_until(clock, start + 1h, {});
      MutexLock lock(mutex);
      order.push_back(1);
    });
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(clock.now(), start + 2h);
}

TEST(ManualClock, ThreadsThatBlockOutsideAreNotWaitedFor) {
  ManualClock clock;
  Mutex outside;
  MutexLock lock(outside);
  Mutex mutex;
  Condition entered(clock);
  bool inside = false;
  Thread thread(clock, "reader", [&] {
    const OutsideScope scope(clock);
    {
      MutexLock inner(mutex);
      inside = true;
      entered.notify_all();
    }
    MutexLock blocked(outside);
  });
  {
    MutexLock inner(mutex);
    entered.wait(mutex, {}, [&] { return inside; });
  }
  clock.settle();
  lock.unlock();
}

TEST(ManualClock, SettleNamesTheThreadThatDoesNotComeToRest) {
  ManualClock clock(ManualClock::Options{.settle_limit = 0s});
  const Participant stuck(clock, "etcd-poller");
  try {
    clock.settle();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("etcd-poller"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace flyball
