#include "flyball/base/thread_pool.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "flyball/base/gate.hpp"
#include "flyball/base/manual_clock.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

TEST(ThreadPool, RunsEveryTask) {
  RealClock clock;
  std::atomic<int> sum = 0;
  // [snippet: thread-pool]
  ThreadPool pool(clock, {.name = "adder", .threads = 3, .queue_bound = 8});
  for (int i = 1; i <= 100; ++i) {
    pool.post([&sum, i](const Stop&) { sum += i; });  // waits while the queue is full
  }
  EXPECT_TRUE(pool.stop(clock.after(60s)));
  EXPECT_EQ(sum, 5050);
  // [end]
}

TEST(ThreadPool, RefusesWhenFullIfAskedTo) {
  ManualClock clock;
  ThreadPool pool(clock, {.threads = 0, .queue_bound = 2});
  EXPECT_TRUE(pool.try_post([](const Stop&) {}));
  EXPECT_TRUE(pool.try_post([](const Stop&) {}));
  EXPECT_FALSE(pool.try_post([](const Stop&) {}));
  EXPECT_THROW(pool.post([](const Stop&) {}), Error);
  EXPECT_TRUE(pool.run_one());
  EXPECT_TRUE(pool.try_post([](const Stop&) {}));
}

TEST(ThreadPool, APostThatWaitsForRoomEndsWithItsStop) {
  ManualClock clock;
  ThreadPool pool(clock, {.threads = 1, .queue_bound = 1});
  const auto rest = [&](const Stop& stop) { pause_until(clock, clock.after(1h), stop); };
  pool.post(rest);
  clock.settle();  // taken by the thread
  pool.post(rest);
  bool stopped = false;
  Thread poster(clock, "poster", [&] {
    try {
      pool.post(rest, Stop().with_deadline(clock, clock.after(5s)));
    } catch (const Stopped& e) {
      stopped = e.deadline_passed();
    }
  });
  clock.advance(5s);
  EXPECT_TRUE(stopped);
}

TEST(ThreadPool, RunsOnOneThreadInOrderWhenDriven) {
  ManualClock clock;
  ThreadPool pool(clock, {.threads = 0});
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) pool.post([&order, i](const Stop&) { order.push_back(i); });
  EXPECT_TRUE(order.empty());
  while (pool.run_one()) {
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
  pool.post([&](const Stop&) { order.push_back(3); });
  EXPECT_TRUE(pool.stop());
  EXPECT_EQ(order.size(), 4U) << "stop finishes what is queued";
}

TEST(ThreadPool, AnExceptionIsCountedReportedAndThePoolGoesOn) {
  ManualClock clock;
  std::atomic<int> told = 0;
  std::atomic<bool> ran = false;
  ThreadPool pool(clock, {.threads = 1, .on_error = [&](std::exception_ptr) { ++told; }});
  pool.post([](const Stop&) { throw Error("boom"); });
  pool.post([&](const Stop&) { ran = true; });
  clock.settle();
  EXPECT_EQ(pool.failures(), 1U);
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(ran);
}

TEST(ThreadPool, StopRefusesNewTasks) {
  ManualClock clock;
  ThreadPool pool(clock, {.threads = 1});
  EXPECT_TRUE(pool.stop());
  EXPECT_FALSE(pool.try_post([](const Stop&) {}));
  EXPECT_THROW(pool.post([](const Stop&) {}), GateClosed);
}

TEST(ThreadPool, AtTheDeadlineItDropsTheQueueAndAsksTasksToStop) {
  ManualClock clock;
  ThreadPool pool(clock, {.threads = 1});
  std::string reason;
  bool second = false;
  pool.post([&](const Stop& stop) {
    pause_until(clock, kNever, stop);
    reason = stop.reason();
  });
  pool.post([&](const Stop&) { second = true; });
  bool finished = true;
  Thread stopper(clock, "stopper", [&] { finished = pool.stop(clock.after(10s)); });
  clock.advance(10s);
  stopper.join();
  EXPECT_FALSE(finished);
  EXPECT_EQ(reason, "thread pool pool is stopping");
  EXPECT_FALSE(second);
}

}  // namespace
}  // namespace flyball
