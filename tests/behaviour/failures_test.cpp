// Conflict, backoff, timeout, terminal errors: what becomes of a pass that does not go well.
#include <stdexcept>

#include "behaviour_test.hpp"

#include "flyball/base/condition.hpp"

namespace flyball::behaviour {
namespace {

constexpr const char* kErrors = "controller_runtime_reconcile_errors_total{controller=\"box\"}";
constexpr const char* kTotalErrors = "controller_runtime_reconcile_total{controller=\"box\",result=\"error\"}";
constexpr const char* kSuccesses = "controller_runtime_reconcile_total{controller=\"box\",result=\"success\"}";
constexpr const char* kTerminal = "controller_runtime_terminal_reconcile_errors_total{controller=\"box\"}";
constexpr const char* kTimeouts = "controller_runtime_reconcile_timeouts_total{controller=\"box\"}";

struct Failures : Behaviour {
  bool is_said(const std::string& text) {
    return std::ranges::any_of(events(),
                               [&](const std::string& event) { return event.find(text) != std::string::npos; });
  }
};

TEST_F(Failures, AConflictIsTriedAgainWithoutAWord) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
      // Somebody is quicker, the first time.
      if (journal.count("pass") == 0) edit_box("one", [](Box& other) { other.spec.text = "changed meanwhile"; });
      journal.add("pass");
      box.status.seen = box.spec.text;
      if (ctx.failures() > 0) journal.add("again");
    });
  });
  make_box("one");
  world->until("it has seen the change", [&] { return box("one").status.seen == "changed meanwhile"; });
  world->settle();
  EXPECT_GE(metric(kErrors), 1);
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(Failures, AConflictThatDoesNotEndIsSaid) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context&, Box&) { throw ApiError(Reason::Conflict, "the object has been modified"); });
  });
  make_box("one");
  world->until("it is said", [&] { return is_said("Warning ReconcileFailed: the object has been modified"); });
  EXPECT_GT(metric(kErrors), 5) << "not at once";
}

TEST_F(Failures, APassThatThrowsIsTriedAgainUntilItDoesNot) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
      journal.add("pass");
      if (ctx.failures() < 4) throw std::runtime_error("the storage does not answer");
      box.status.seen = "at last";
    });
  });
  make_box("one");
  world->until("it went well", [&] { return box("one").status.seen == "at last"; });
  world->until("it is said", [&] { return is_said("Warning ReconcileFailed: the storage does not answer"); });
  world->settle();
  EXPECT_EQ(journal.count("pass"), 5);
  EXPECT_EQ(metric(kErrors), 4);
  EXPECT_EQ(metric(kTotalErrors), 4);
  EXPECT_EQ(metric(kSuccesses), 1);
}

TEST_F(Failures, WhatIsNoExceptionIsSurvivedToo) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
      if (ctx.failures() == 0) throw 42;  // NOLINT(hicpp-exception-baseclass): that is the case
      box.status.seen = "at last";
    });
  });
  make_box("one");
  world->until("it went well", [&] { return box("one").status.seen == "at last"; });
}

TEST_F(Failures, OfOneObjectAreNothingToTheOthers) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context&, Box& box) {
      if (box.metadata.name == "bad") throw std::runtime_error("always");
      box.status.seen = "well";
    });
  });
  make_box("bad");
  make_box("good");
  world->until("the good one is well", [&] { return box("good").status.seen == "well"; });
  EXPECT_EQ(box("bad").status.seen, "");
}

TEST_F(Failures, AChangeWakesOutOfTheBackoff) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context&, Box& box) {
      if (box.spec.text == "bad") throw std::runtime_error("spec.text: is bad");
      box.status.seen = box.spec.text;
    });
  });
  make_box("one", {.text = "bad"});
  world->until("it has failed for long", [&] { return metric(kErrors) > 6; });
  edit_box("one", [](Box& box) { box.spec.text = "good"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "good");
}

TEST_F(Failures, AChangeOfWhatAFailedPassReadWakesIt) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        box.status.seen = ctx.get<core::ConfigMap>("settings").data.at("is");
      }).reads<core::ConfigMap>();
  });
  make_box("one");
  world->until("it has failed for long", [&] { return metric(kErrors) > 6; });
  make_map("settings", {{"is", "there"}});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "there");
}

TEST_F(Failures, ATerminalErrorIsNotTriedAgain) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context&, Box& box) {
      journal.add("pass");
      if (box.spec.text == "bad") throw Terminal("BadText", "spec.text: is bad");
      box.status.seen = box.spec.text;
    });
  });
  make_box("one", {.text = "bad"});
  world->until("it is said", [&] { return is_said("Warning BadText: spec.text: is bad"); });
  world->settle();
  EXPECT_EQ(journal.count("pass"), 1);
  EXPECT_EQ(world->run().controller("box").queue().delayed(), 0);
  EXPECT_EQ(metric(kTerminal), 1);
  const Box stalled = box("one");
  const auto* condition = stalled.status.conditions.find("Stalled");
  ASSERT_NE(condition, nullptr);
  EXPECT_EQ(condition->status, "True");
  EXPECT_EQ(condition->reason, "BadText");
  EXPECT_EQ(condition->message, "spec.text: is bad");

  edit_box("one", [](Box& box) { box.spec.text = "good"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "good");
  EXPECT_EQ(box("one").status.conditions.find("Stalled"), nullptr) << "the next pass that succeeds takes it away";
}

TEST_F(Failures, ATerminalErrorEndsWhenWhatWasReadChanges) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        if (!ctx.find<core::ConfigMap>("settings")) throw Terminal("NoSettings", "make a ConfigMap settings");
        box.status.seen = "there";
      }).reads<core::ConfigMap>();
  });
  make_box("one");
  world->until("it is said", [&] { return is_said("Warning NoSettings"); });
  make_map("settings", {});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "there");
}

TEST_F(Failures, APassThatTakesTooLongIsEndedAndTriedAgain) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        journal.add("pass");
        if (ctx.failures() < 2 && box.metadata.name == "slow") {
          // Waits for something that never comes, as a careful function does: until its stop.
          pause_until(ctx.clock(), kNever, ctx.stop());
          ctx.stop().throw_if_stopped();
        }
        box.status.seen = "done";
      }).timeout(100ms);
  });
  make_box("slow");
  make_box("quick");
  world->until("the quick one is done", [&] { return box("quick").status.seen == "done"; });
  world->until("the slow one too, in the end", [&] { return box("slow").status.seen == "done"; });
  world->until("it is said", [&] { return is_said("Warning ReconcileFailed: stopped: the deadline passed"); });
  EXPECT_EQ(metric(kTimeouts), 2);
}

TEST_F(Failures, APassThatIsTooLateCannotWrite) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        // One that does not look at its stop.
        if (ctx.failures() == 0) pause_until(ctx.clock(), ctx.clock().after(500ms), {});
        box.status.seen = ctx.failures() == 0 ? "late" : "in time";
      }).timeout(100ms);
  });
  make_box("one");
  world->until("something is written", [&] { return !box("one").status.seen.empty(); });
  EXPECT_EQ(box("one").status.seen, "in time");
  EXPECT_EQ(metric(kTimeouts), 1);
}

TEST_F(Failures, APassThatAsksForItRunsAgainLater) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box&) {
      journal.add("pass");
      if (journal.count("pass") < 3) {
        ctx.requeue_after(1h);
        ctx.requeue_after(50ms);
      }
    });
  });
  make_box("one");
  world->until("three passes", [&] { return journal.count("pass") == 3; });
  world->settle();
  EXPECT_EQ(world->run().controller("box").queue().delayed(), 0) << "the last one asked for nothing";
  EXPECT_EQ(metric("controller_runtime_reconcile_total{controller=\"box\",result=\"requeue_after\"}"), 2);
}

}  // namespace
}  // namespace flyball::behaviour
