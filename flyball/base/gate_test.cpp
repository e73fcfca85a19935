#include "flyball/base/gate.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

TEST(Gate, LetsWorkInUntilItIsClosed) {
  ManualClock clock;
  // [snippet: gate]
  Gate gate(clock, "webhook server");
  {
    const Gate::Pass pass = gate.enter();
    EXPECT_EQ(gate.inside(), 1U);
  }
  EXPECT_TRUE(gate.close());
  EXPECT_FALSE(gate.try_enter());
  EXPECT_THROW((void)gate.enter(), GateClosed);
  // [end]
  EXPECT_TRUE(gate.closed());
  EXPECT_TRUE(gate.close()) << "closing twice is fine";
}

TEST(Gate, AMovedPassLeavesOnce) {
  ManualClock clock;
  Gate gate(clock, "gate");
  {
    Gate::Pass first = gate.enter();
    const Gate::Pass second = std::move(first);
    EXPECT_EQ(gate.inside(), 1U);
  }
  EXPECT_EQ(gate.inside(), 0U);
}

TEST(Gate, CloseWaitsForTheWorkInside) {
  ManualClock clock;
  Gate gate(clock, "gate");
  bool done = false;
  Thread worker(clock, "worker", [&, pass = std::make_shared<Gate::Pass>(gate.enter())]() mutable {
    pause_until(clock, clock.after(5s), {});
    done = true;
    pass.reset();
  });
  bool closed = false;
  bool done_at_close = false;
  Thread closer(clock, "closer", [&] {
    closed = gate.close();
    done_at_close = done;
  });
  clock.settle();
  EXPECT_FALSE(gate.try_enter());
  clock.advance(5s);
  EXPECT_TRUE(closed);
  EXPECT_TRUE(done_at_close);
}

TEST(Gate, CloseGivesUpAtTheDeadlineAndStaysClosed) {
  ManualClock clock;
  Gate gate(clock, "gate");
  auto pass = gate.try_enter();
  bool closed = true;
  Thread closer(clock, "closer", [&] { closed = gate.close(clock.after(10s)); });
  clock.advance(10s);
  EXPECT_FALSE(closed);
  EXPECT_FALSE(gate.try_enter());
  pass.reset();
  EXPECT_TRUE(gate.close());
}

TEST(Gate, CanBeDestroyedAsSoonAsCloseReturned) {
  RealClock clock;
  for (int round = 0; round < 200; ++round) {
    auto gate = std::make_unique<Gate>(clock, "gate");
    std::vector<std::thread> workers;
    for (int i = 0; i < 3; ++i) {
      workers.emplace_back([pass = std::make_shared<Gate::Pass>(gate->enter())]() mutable { pass.reset(); });
    }
    EXPECT_TRUE(gate->close());
    gate.reset();
    for (auto& worker : workers) worker.join();
  }
}

}  // namespace
}  // namespace flyball
