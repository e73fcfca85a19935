#include "flyball/base/stop.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

TEST(Stop, ADefaultTokenNeverStops) {
  const Stop stop;
  EXPECT_FALSE(stop.stopped());
  EXPECT_EQ(stop.deadline(), kNever);
  EXPECT_EQ(stop.reason(), "");
  EXPECT_NO_THROW(stop.throw_if_stopped());
}

TEST(Stop, TheFirstReasonStays) {
  StopSource source;
  EXPECT_TRUE(source.request_stop("first"));
  EXPECT_FALSE(source.request_stop("second"));
  EXPECT_EQ(source.stop().reason(), "first");
}

TEST(Stop, StopsTheBranchesBelowButNotTheRootAbove) {
  // [snippet: stop-tree]
  StopSource shutdown;
  StopSource request(shutdown.stop());
  StopSource sibling(shutdown.stop());

  request.request_stop("the client hung up");
  EXPECT_TRUE(request.stop().stopped());
  EXPECT_FALSE(shutdown.stop().stopped());

  shutdown.request_stop("SIGTERM");
  EXPECT_EQ(sibling.stop().reason(), "SIGTERM");
  EXPECT_EQ(request.stop().reason(), "the client hung up");
  // [end]
}

TEST(Stop, ABranchMadeFromAStoppedParentIsStopped) {
  StopSource parent;
  parent.request_stop("over");
  EXPECT_EQ(StopSource(parent.stop()).stop().reason(), "over");
}

TEST(Stop, ATokenStillFollowsItsParentAfterItsSourceIsGone) {
  StopSource parent;
  const Stop orphan = StopSource(parent.stop()).stop();
  bool called = false;
  const StopCallback callback(orphan, [&] { called = true; });
  parent.request_stop("over");
  EXPECT_TRUE(orphan.stopped());
  EXPECT_TRUE(called);
}

TEST(Stop, TheNearestDeadlineInTheTreeCounts) {
  ManualClock clock;
  const TimePoint start = clock.now();
  const Stop far = Stop().with_deadline(clock, start + 10s);
  const Stop near = far.with_deadline(clock, start + 60s);
  EXPECT_EQ(near.deadline(), start + 10s);

  clock.jump(10s - 1ns);
  EXPECT_FALSE(near.stopped());
  clock.jump(1ns);
  EXPECT_TRUE(near.stopped());
  EXPECT_EQ(near.reason(), "the deadline passed");
}

TEST(Stop, ThrowsWhatHappened) {
  ManualClock clock;
  const Stop late = Stop().with_deadline(clock, clock.now());
  try {
    late.throw_if_stopped();
    FAIL();
  } catch (const Stopped& e) {
    EXPECT_TRUE(e.deadline_passed());
    EXPECT_STREQ(e.what(), "stopped: the deadline passed");
  }
  StopSource source;
  source.request_stop("SIGTERM");
  try {
    source.stop().throw_if_stopped();
    FAIL();
  } catch (const Stopped& e) {
    EXPECT_FALSE(e.deadline_passed());
    EXPECT_STREQ(e.what(), "stopped: SIGTERM");
  }
}

TEST(Stop, ABranchIsStoppedWhileItsParentStillRunsCallbacks) {
  StopSource parent;
  std::unique_ptr<StopSource> child;
  bool seen = false;
  const StopCallback below(parent.stop(), [&] { seen = child->stop().stopped(); });
  child = std::make_unique<StopSource>(parent.stop());
  const StopCallback above(parent.stop(), [&] { seen = seen && child->stop().stopped(); });
  parent.request_stop("over");
  EXPECT_TRUE(seen);
}

TEST(StopCallback, RunsAtOnceWhenTheStopCameBefore) {
  StopSource source;
  source.request_stop();
  bool called = false;
  const StopCallback callback(source.stop(), [&] { called = true; });
  EXPECT_TRUE(called);
}

TEST(StopCallback, DoesNotRunAfterItWasDestroyed) {
  StopSource source;
  int calls = 0;
  {
    const StopCallback a(source.stop(), [&] { ++calls; });
    const StopCallback b(source.stop(), [&] { ++calls; });
  }
  const StopCallback c(source.stop(), [&] { ++calls; });
  source.request_stop();
  EXPECT_EQ(calls, 1);
}

TEST(StopCallback, MayDestroyItselfAndItsSource) {
  auto source = std::make_unique<StopSource>();
  std::unique_ptr<StopCallback> callback;
  bool called = false;
  callback = std::make_unique<StopCallback>(source->stop(), [&] {
    callback.reset();
    called = true;
    source.reset();
  });
  source->request_stop();
  EXPECT_TRUE(called);
}

TEST(StopCallback, TheDestructorWaitsForARunningCallback) {
  StopSource source;
  std::atomic<bool> entered = false;
  std::atomic<bool> destroying = false;
  std::atomic<bool> finished = false;
  auto callback = std::make_unique<StopCallback>(source.stop(), [&] {
    entered = true;
    entered.notify_all();
    destroying.wait(false);
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    finished = true;
  });
  std::thread requester([&] { source.request_stop(); });
  entered.wait(false);
  destroying = true;
  destroying.notify_all();
  callback.reset();
  EXPECT_TRUE(finished);
  requester.join();
}

TEST(StopCallback, ADestroyedCallbackIsNotTouchedByALateRequest) {
  for (int round = 0; round < 200; ++round) {
    StopSource source;
    auto alive = std::make_unique<std::atomic<int>>(0);
    auto callback = std::make_unique<StopCallback>(source.stop(), [&] { alive->fetch_add(1); });
    std::thread requester([&] { source.request_stop(); });
    callback.reset();
    alive.reset();  // a callback that still ran would touch freed memory: the sanitizers would say so
    requester.join();
  }
}

TEST(Stop, BranchesComeAndGoWhileTheRootStops) {
  for (int round = 0; round < 100; ++round) {
    StopSource root;
    std::atomic<int> stopped = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        while (true) {
          const StopSource branch(root.stop());
          const StopCallback callback(branch.stop(), [] {});
          if (!branch.stop().stopped()) continue;
          ++stopped;
          return;
        }
      });
    }
    root.request_stop("over");
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(stopped, 3);
  }
}

}  // namespace
}  // namespace flyball
