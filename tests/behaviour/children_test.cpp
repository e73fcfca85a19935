// Create, update, delete, ownership, adoption: what becomes of children.
#include "behaviour_test.hpp"

namespace flyball::behaviour {
namespace {

struct Children : Behaviour {
  void one_child() {
    begin([this](Operator& op) {
      op.reconcile<Box>([this](Context& ctx, Box& box) {
          journal.add(box.metadata.name);
          ctx.apply(child_of(box));
        }).owns<core::ConfigMap>();
    });
  }
};

TEST_F(Children, WhatIsCreatedGetsItsChild) {
  one_child();
  make_box("one", {.text = "first"});
  world->settle();
  EXPECT_EQ(map_says("one-child"), "first");
}

TEST_F(Children, WhatWasThereBeforeTheOperatorGetsItsChildToo) {
  world->declare([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) { ctx.apply(child_of(box)); }).owns<core::ConfigMap>();
  });
  make_box("one");
  make_box("two");
  world->start();
  world->settle();
  EXPECT_EQ(map_says("one-child"), "hello");
  EXPECT_EQ(map_says("two-child"), "hello");
}

TEST_F(Children, AnUpdateReachesTheChild) {
  one_child();
  make_box("one", {.text = "first"});
  world->settle();
  edit_box("one", [](Box& box) { box.spec.text = "second"; });
  world->settle();
  EXPECT_EQ(map_says("one-child"), "second");
}

TEST_F(Children, WhatSomebodyChangesIsPutBack) {
  one_child();
  make_box("one", {.text = "first"});
  world->settle();
  edit_map("one-child", "something else");
  world->settle();
  EXPECT_EQ(map_says("one-child"), "first");
}

TEST_F(Children, WhatSomebodyAddsStays) {
  one_child();
  make_box("one");
  world->settle();
  person().edit<core::ConfigMap>(key("one-child"), [](core::ConfigMap& map) { map.data["more"] = "theirs"; });
  world->settle();
  EXPECT_EQ(person().get<core::ConfigMap>(key("one-child")).data.at("more"), "theirs");
}

TEST_F(Children, WhatSomebodyDeletesComesBack) {
  one_child();
  make_box("one");
  world->settle();
  person().delete_<core::ConfigMap>(key("one-child"));
  world->settle();
  EXPECT_EQ(map_says("one-child"), "hello");
}

TEST_F(Children, AFieldThatIsNoLongerWantedGoes) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        auto child = child_of(box);
        if (box.spec.text == "more") child.data["more"] = "yes";
        ctx.apply(child);
      }).owns<core::ConfigMap>();
  });
  make_box("one", {.text = "more"});
  world->settle();
  EXPECT_TRUE(person().get<core::ConfigMap>(key("one-child")).data.contains("more"));
  edit_box("one", [](Box& box) { box.spec.text = "less"; });
  world->settle();
  EXPECT_FALSE(person().get<core::ConfigMap>(key("one-child")).data.contains("more"));
}

TEST_F(Children, AChildThatIsNoLongerWantedIsDeleted) {
  begin([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        if (box.spec.text == "none") {
          ctx.delete_<core::ConfigMap>(box.metadata.name + "-child");
          box.status.seen = ctx.find<core::ConfigMap>(box.metadata.name + "-child") ? "still there" : "gone";
        } else {
          ctx.apply(child_of(box));
        }
      }).owns<core::ConfigMap>();
  });
  make_box("one");
  world->settle();
  edit_box("one", [](Box& box) { box.spec.text = "none"; });
  world->settle();
  EXPECT_FALSE(person().find<core::ConfigMap>(key("one-child")));
  EXPECT_EQ(box("one").status.seen, "gone") << "a pass sees its own deletes";
}

// Deletes its child or applies it, as the spec says, and says what it sees.
void delete_or_apply(Context& ctx, Box& box) {
  const std::string name = box.metadata.name + "-child";
  if (box.spec.text == "none") {
    ctx.delete_<core::ConfigMap>(name);
  } else {
    ctx.apply(child_of(box));
  }
  const auto child = ctx.find<core::ConfigMap>(name);
  box.status.seen = !child ? "gone" : child->metadata.deletionTimestamp ? "going" : "there";
}

TEST_F(Children, AChildThatHasToWaitForItsEndIsSeenToGoAndThenGone) {
  begin([](Operator& op) { op.reconcile<Box>(delete_or_apply).owns<core::ConfigMap>(); });
  make_box("one");
  world->settle();
  person().edit<core::ConfigMap>(key("one-child"), [](auto& map) { map.metadata.finalizers = {"example.com/theirs"}; });
  world->settle();
  edit_box("one", [](Box& box) { box.spec.text = "none"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "going") << explain("one");
  person().edit<core::ConfigMap>(key("one-child"), [](auto& map) { map.metadata.finalizers.clear(); });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "gone") << explain("one");
}

TEST_F(Children, AChildThatIsGoingIsMadeAnewWhenItIsGone) {
  begin([](Operator& op) { op.reconcile<Box>(delete_or_apply).owns<core::ConfigMap>(); });
  make_box("one");
  world->settle();
  person().edit<core::ConfigMap>(key("one-child"), [](auto& map) { map.metadata.finalizers = {"example.com/theirs"}; });
  world->settle();
  edit_box("one", [](Box& box) { box.spec.text = "none"; });
  world->settle();
  edit_box("one", [](Box& box) { box.spec.text = "back again"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "going");
  person().edit<core::ConfigMap>(key("one-child"), [](auto& map) { map.metadata.finalizers.clear(); });
  world->settle();
  EXPECT_EQ(map_says("one-child"), "back again");
  EXPECT_EQ(box("one").status.seen, "there");
}

TEST_F(Children, AFinalizerThatADeleteDidNotKnowOfIsNoticed) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        if (box.spec.text == "none" && journal.lines().empty()) {
          // Between what this pass reads and what it does.
          person().edit<core::ConfigMap>(key("one-child"),
                                         [](auto& map) { map.metadata.finalizers = {"example.com/theirs"}; });
          journal.add("finalizer");
        }
        delete_or_apply(ctx, box);
      }).owns<core::ConfigMap>();
  });
  make_box("one");
  world->settle();
  edit_box("one", [](Box& box) { box.spec.text = "none"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "going") << explain("one");
  person().edit<core::ConfigMap>(key("one-child"), [](auto& map) { map.metadata.finalizers.clear(); });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "gone") << explain("one");
}

TEST_F(Children, WhatIsDeletedIsForgotten) {
  one_child();
  make_box("one");
  world->settle();
  person().delete_<Box>(key("one"));
  world->until("its reads are forgotten", [&] { return world->run().controller("box").remembered().keys() == 0; });
  journal.take();
  edit_map("one-child", "whatever");
  make_box("two");
  world->settle();
  EXPECT_EQ(journal.count("one"), 0) << "a child without an owner wakes nobody";
  EXPECT_EQ(map_says("one-child"), "whatever");
}

TEST_F(Children, BelongToWhoAppliedThem) {
  one_child();
  make_box("one");
  world->settle();
  const auto child = person().get<core::ConfigMap>(key("one-child"));
  ASSERT_THAT(child.metadata.ownerReferences, SizeIs(1));
  const auto& owner = child.metadata.ownerReferences.front();
  EXPECT_EQ(owner.uid, box("one").metadata.uid);
  EXPECT_EQ(owner.kind, "Box");
  EXPECT_EQ(owner.apiVersion, "behaviour.example.com/v1");
  EXPECT_EQ(owner.controller, true);
  EXPECT_EQ(owner.blockOwnerDeletion, true);
}

TEST_F(Children, WakeTheirOwnerAndNobodyElse) {
  one_child();
  make_box("one");
  make_box("two");
  world->settle();
  journal.take();
  edit_map("one-child", "something else");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
}

TEST_F(Children, OfAnEarlierObjectOfTheNameAreNotTakenOver) {
  one_child();
  make_box("one");
  world->settle();
  person().delete_<Box>(key("one"));
  const Box again = make_box("one", {.text = "again"});
  // Nobody collects garbage here: the child of the first one stays, and the second says why it waits.
  world->until("it is said", [&] {
    return std::ranges::any_of(events(), [](const std::string& event) {
      return event.find("still belongs to an earlier Box one") != std::string::npos;
    });
  });
  person().delete_<core::ConfigMap>(key("one-child"));
  world->until("the second one has its child", [&] { return map_says("one-child") == "again"; });
  EXPECT_EQ(person().get<core::ConfigMap>(key("one-child")).metadata.ownerReferences.at(0).uid, again.metadata.uid);
}

TEST_F(Children, WhatWasThereBeforeIsNotAdopted) {
  world->declare([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) { ctx.apply(child_of(box)); }).owns<core::ConfigMap>();
  });
  make_map("one-child", {{"is", "somebody's"}});
  world->start();
  make_box("one");
  world->until("it is said", [&] {
    return std::ranges::any_of(events(), [](const std::string& event) {
      return event.starts_with("Warning ReconcileFailed:") &&
             event.find("was there before and is controlled by nobody") != std::string::npos;
    });
  });
  EXPECT_EQ(map_says("one-child"), "somebody's");
  EXPECT_THAT(person().get<core::ConfigMap>(key("one-child")).metadata.ownerReferences, IsEmpty());
  person().delete_<core::ConfigMap>(key("one-child"));
  world->until("there is room for its own", [&] { return map_says("one-child") == "hello"; });
}

TEST_F(Children, WhatSomebodyElseControlsIsNotAdoptedEvenWhenAsked) {
  world->declare([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        ctx.apply(child_of(box), {.adopt = true});
      }).owns<core::ConfigMap>();
  });
  const auto other = make_map("other", {});
  core::ConfigMap map{.metadata = {.name = "one-child", .namespace_ = world->ns()}, .data = {{"is", "theirs"}}};
  kube::set_owner(map, other);
  person().create(map);
  world->start();
  make_box("one");
  world->until("it is said", [&] {
    return std::ranges::any_of(events(), [](const std::string& event) {
      return event.find("is controlled by ConfigMap other") != std::string::npos;
    });
  });
  EXPECT_EQ(map_says("one-child"), "theirs");
}

TEST_F(Children, WhatNobodyControlsIsAdoptedWhenAsked) {
  world->declare([](Operator& op) {
    op.reconcile<Box>([](Context& ctx, Box& box) {
        ctx.apply(child_of(box), {.adopt = true});
      }).owns<core::ConfigMap>();
  });
  make_map("one-child", {{"is", "somebody's"}, {"more", "theirs"}});
  world->start();
  make_box("one");
  world->settle();
  const auto child = person().get<core::ConfigMap>(key("one-child"));
  EXPECT_EQ(child.data.at("is"), "hello");
  EXPECT_EQ(child.data.at("more"), "theirs");
  EXPECT_TRUE(is_owned_by(child, box("one")));
}

}  // namespace
}  // namespace flyball::behaviour
