// Finalizer, status, restart: an object from its beginning to its end.
#include "behaviour_test.hpp"

namespace flyball::behaviour {
namespace {

constexpr const char* kFinalizer = "behaviour.example.com/";

struct Lifecycle : Behaviour {
  bool has_finalizer(const std::string& name) {
    const auto finalizers = box(name).metadata.finalizers;
    return std::ranges::any_of(finalizers, [](const std::string& one) { return one.starts_with(kFinalizer); });
  }
  bool is_gone(const std::string& name) { return !person().find<Box>(key(name)); }
};

TEST_F(Lifecycle, WithoutACleanupThereIsNoFinalizer) {
  begin([](Operator& op) { op.reconcile<Box>([](Context&, Box& box) { box.status.seen = "yes"; }); });
  make_box("one");
  world->settle();
  EXPECT_EQ(box("one").status.seen, "yes");
  EXPECT_THAT(box("one").metadata.finalizers, IsEmpty());
}

TEST_F(Lifecycle, ACleanupRunsBeforeTheObjectGoes) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context&, Box& box) {
        journal.add(box.metadata.finalizers.empty() ? "without a finalizer" : "reconciled");
      }).cleanup([this](Context&, Box& box) { journal.add("cleaned up " + box.spec.text); });
  });
  make_box("one", {.text = "bytes"});
  world->settle();
  EXPECT_TRUE(has_finalizer("one"));
  EXPECT_THAT(journal.take(), ElementsAre("reconciled")) << "the finalizer is there before the function does anything";
  person().delete_<Box>(key("one"));
  world->until("it is gone", [&] { return is_gone("one"); });
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("cleaned up bytes"));
}

TEST_F(Lifecycle, WhatWasCleanedUpIsForgotten) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) { ctx.apply(child_of(box)); })
        .owns<core::ConfigMap>()
        .cleanup([](Context&, Box&) {});
  });
  make_box("one");
  world->settle();
  person().delete_<Box>(key("one"));
  world->until("its reads are forgotten", [&] { return world->run().controller("box").remembered().keys() == 0; });
  EXPECT_TRUE(is_gone("one"));
}

TEST_F(Lifecycle, ACleanupThatIsNotDoneWaitsForWhatItRead) {
  begin([this](Operator& op) {
    op.reconcile<Box>([](Context&, Box&) {}).reads<core::ConfigMap>().cleanup([this](Context& ctx, Box& box) {
      journal.add("cleaning");
      box.status.seen = "waiting";
      return !ctx.find<core::ConfigMap>("lock");
    });
  });
  make_map("lock", {});
  make_box("one");
  world->settle();
  person().delete_<Box>(key("one"));
  world->settle();
  EXPECT_EQ(box("one").status.seen, "waiting") << "the status of one that goes is written";
  EXPECT_TRUE(has_finalizer("one"));
  person().delete_<core::ConfigMap>(key("lock"));
  world->until("it is gone", [&] { return is_gone("one"); });
}

TEST_F(Lifecycle, ACleanupThatFailsIsTriedAgain) {
  begin([this](Operator& op) {
    op.reconcile<Box>([](Context&, Box&) {}).cleanup([this](Context& ctx, Box&) {
      journal.add("try");
      if (ctx.failures() < 3) throw Error("the storage does not answer");
    });
  });
  make_box("one");
  world->settle();
  person().delete_<Box>(key("one"));
  world->until("it is gone", [&] { return is_gone("one"); });
  world->settle();
  EXPECT_EQ(journal.count("try"), 4);
}

TEST_F(Lifecycle, FinalizersOfOthersStay) {
  begin([](Operator& op) { op.reconcile<Box>([](Context&, Box&) {}).cleanup([](Context&, Box&) {}); });
  person().create(Box{.metadata = {.name = "one", .namespace_ = world->ns(), .finalizers = {"example.com/theirs"}}});
  world->settle();
  EXPECT_TRUE(has_finalizer("one"));
  person().delete_<Box>(key("one"));
  world->settle();
  EXPECT_THAT(box("one").metadata.finalizers, ElementsAre("example.com/theirs"));
  edit_box("one", [](Box& box) { box.metadata.finalizers.clear(); });
  EXPECT_TRUE(is_gone("one"));
}

TEST_F(Lifecycle, OneThatIsGoingIsNotReconciledAnyMore) {
  begin([this](Operator& op) { op.reconcile<Box>([this](Context&, Box&) { journal.add("reconciled"); }); });
  person().create(Box{.metadata = {.name = "one", .namespace_ = world->ns(), .finalizers = {"example.com/theirs"}}});
  world->settle();
  journal.take();
  person().delete_<Box>(key("one"));
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
  edit_box("one", [](Box& box) { box.metadata.finalizers.clear(); });
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
}

TEST_F(Lifecycle, TheStatusIsWrittenOnceAndOnlyIfItChanged) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context&, Box& box) {
      box.status.seen = "not this";
      box.status.seen = box.spec.text;
      box.status.conditions.set("Ready", true, "AllIsWell");
      journal.add("pass");
    });
  });
  make_box("one", {.text = "a"});
  world->settle();
  const Box first = box("one");
  EXPECT_EQ(first.status.seen, "a");
  const auto* ready = first.status.conditions.find("Ready");
  ASSERT_NE(ready, nullptr);
  EXPECT_EQ(ready->status, "True");
  EXPECT_EQ(ready->observedGeneration, 1);
  EXPECT_EQ(passes("one").front().changes(), 1) << explain("one");
  EXPECT_EQ(journal.count("pass"), 1) << "its own write wakes nobody:\n" << explain("one");

  person().edit<Box>(key("one"), [](Box& box) { box.metadata.labels["touched"] = "yes"; });
  world->settle();
  EXPECT_EQ(journal.count("pass"), 2);
  EXPECT_EQ(passes("one").front().changes(), 0) << explain("one");
}

TEST_F(Lifecycle, WhatAFunctionDoesToTheSpecOfItsCopyStaysThere) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context&, Box& box) {
      box.spec.text = "scribbled";
      box.metadata.labels["scribbled"] = "yes";
      box.status.seen = "done";
    });
  });
  make_box("one", {.text = "a"});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "done");
  EXPECT_EQ(box("one").spec.text, "a");
  EXPECT_THAT(box("one").metadata.labels, IsEmpty());
}

TEST_F(Lifecycle, AStatusThatSomebodyElseWritesIsPutRight) {
  begin([](Operator& op) { op.reconcile<Box>([](Context&, Box& box) { box.status.seen = box.spec.text; }); });
  make_box("one", {.text = "a"});
  world->settle();
  person().edit_status<Box>(key("one"), [](Box& box) { box.status.seen = "something else"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "a");
}

TEST_F(Lifecycle, AnOperatorThatBeginsAgainFindsNothingToDo) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        ctx.apply(child_of(box));
        box.status.seen = "yes";
        journal.add("pass");
      })
        .owns<core::ConfigMap>()
        .cleanup([](Context&, Box&) {});
  });
  make_box("one");
  world->settle();
  world->stop();
  journal.take();
  world->start();
  world->settle();
  EXPECT_EQ(journal.count("pass"), 1);
  EXPECT_EQ(passes("one").front().changes(), 0) << explain("one");
  EXPECT_THAT(passes("one").front().writes, IsEmpty()) << explain("one");
}

TEST_F(Lifecycle, WhatWentWhileTheOperatorWasAwayIsCleanedUpWhenItBegins) {
  begin([this](Operator& op) {
    op.reconcile<Box>([](Context&, Box&) {}).cleanup([this](Context&, Box&) { journal.add("cleaned up"); });
  });
  make_box("one");
  world->settle();
  world->stop();
  person().delete_<Box>(key("one"));
  EXPECT_TRUE(has_finalizer("one"));
  world->start();
  world->until("it is gone", [&] { return is_gone("one"); });
  EXPECT_EQ(journal.count("cleaned up"), 1);
}

}  // namespace
}  // namespace flyball::behaviour
