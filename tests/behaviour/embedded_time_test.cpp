// What can only be shown in virtual time: how long pauses are, and a server that is away for two minutes.
#include <stdexcept>

#include "behaviour_test.hpp"
#include "embedded_world.hpp"

namespace flyball::behaviour {
namespace {

struct EmbeddedTime : Behaviour {
  testing::Environment& env() { return dynamic_cast<EmbeddedWorld&>(*world).env(); }
};

TEST_F(EmbeddedTime, PausesDoubleAndBeginAnewAfterASuccess) {
  std::vector<TimePoint> tries;
  begin([&](Operator& op) {
    op.reconcile<Box>([&](Context& ctx, Box& box) {
      if (box.spec.text == "good") return;
      tries.push_back(ctx.clock().now());
      throw std::runtime_error("always");
    });
  });
  make_box("one", {.text = "bad"});
  env().advance(20min);
  // 5 ms, 10 ms … 1000 s, each shorter by a tenth at most.
  ASSERT_GT(tries.size(), 17U);
  Duration expected = 5ms;
  for (std::size_t i = 1; i < tries.size(); ++i) {
    EXPECT_LE(tries[i] - tries[i - 1], expected) << i;
    EXPECT_GE(tries[i] - tries[i - 1], expected * 9 / 10) << i;
    expected = std::min<Duration>(expected * 2, 1000s);
  }
  edit_box("one", [](Box& box) { box.spec.text = "good"; });
  env().settle();
  tries.clear();
  edit_box("one", [](Box& box) { box.spec.text = "bad"; });
  env().advance(12ms);
  EXPECT_GE(tries.size(), 2U) << "the first pause is 5 ms again";
}

TEST_F(EmbeddedTime, ATimerFiresWhenItIsDueAndNotBefore) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box&) {
      journal.add("pass");
      ctx.requeue_after(10min);
    });
  });
  make_box("one");
  env().settle();
  env().advance(9min + 59s);
  EXPECT_EQ(journal.count("pass"), 1U);
  env().advance(1s);
  EXPECT_EQ(journal.count("pass"), 2U);
  env().advance(1h);
  EXPECT_EQ(journal.count("pass"), 8U);
}

TEST_F(EmbeddedTime, AServerThatIsAwayForTwoMinutes) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        journal.add("pass");
        ctx.apply(child_of(box));
        box.status.seen = box.spec.text;
      }).owns<core::ConfigMap>();
  });
  for (int i = 0; i < 10; ++i) make_box("box" + std::to_string(i));
  env().settle();
  EXPECT_TRUE(world->run().ready().pass());
  world->server_down();
  // One of them is in the middle of something.
  env().run().controller("box").queue().add({.namespace_ = "default", .name = "box3"}, {.reason = "test"});
  const auto before = env().transport().counts().requests;
  env().advance(2min);
  EXPECT_EQ(env().transport().counts().requests, before);
  EXPECT_LT(journal.count("pass"), 100U) << "it does not run in circles";
  // What it missed: somebody else has another road to the server.
  edit_box("box1", [](Box& box) { box.spec.text = "changed"; });
  person().delete_<core::ConfigMap>(key("box2-child"));
  person().delete_<Box>(key("box4"));
  world->server_up();
  env().advance(1min);
  EXPECT_EQ(map_says("box1-child"), "changed");
  EXPECT_EQ(map_says("box2-child"), "hello");
  EXPECT_EQ(world->run().controller("box").remembered().keys(), 9U);
  EXPECT_TRUE(world->run().ready().pass());
  EXPECT_THAT(env().writes_of_a_second_pass(), IsEmpty());
}

TEST_F(EmbeddedTime, AServerThatIsAwayForLongMakesItUnready) {
  begin([](Operator& op) { op.reconcile<Box>([](Context&, Box&) {}); });
  env().settle();
  world->server_down();
  env().advance(6min);
  EXPECT_FALSE(world->run().ready().pass());
  world->server_up();
  env().advance(2min);
  EXPECT_TRUE(world->run().ready().pass());
}

TEST_F(EmbeddedTime, ItIsNotReadyBeforeItHasReadEverything) {
  world->declare([](Operator& op) { op.reconcile<Box>([](Context&, Box&) {}); });
  Random random(1);
  OperatorRun run(env().op(), env().client(), env().clock(), random, {.threads = false});
  EXPECT_FALSE(run.ready().pass()) << "before the start";
  run.start();
  EXPECT_FALSE(run.ready().pass()) << "nothing has been read yet";
  while (run.step({})) {
  }
  EXPECT_TRUE(run.ready().pass());
}

}  // namespace
}  // namespace flyball::behaviour
