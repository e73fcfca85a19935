// Watch loss, 410, the server away for a while, a kind that comes later, namespaces that change.
#include "behaviour_test.hpp"

namespace flyball::behaviour {
namespace {

struct LateSpec {
  std::string text = "hello";
};
FLYBALL_DESCRIBE(LateSpec, (text, "What it says."))
struct LateStatus {
  std::string seen = {};
};
FLYBALL_DESCRIBE(LateStatus, (seen, "What the last pass saw."))
using Late = CustomResource<"behaviour.example.com", "v1", "Late", LateSpec, LateStatus>;

struct Outages : Behaviour {
  // Each box says in its status what its ConfigMap says.
  void followers() {
    begin([this](Operator& op) {
      op.reconcile<Box>([this](Context& ctx, Box& box) {
          journal.add(box.metadata.name);
          const auto map = ctx.find<core::ConfigMap>(box.spec.settings);
          box.status.seen = box.spec.text + " " + (map ? map->data.at("is") : "nothing");
          ctx.apply(child_of(box));
        })
          .owns<core::ConfigMap>()
          .cleanup([this](Context&, Box& box) { journal.add("cleaned up " + box.metadata.name); });
    });
    make_map("a", {{"is", "1"}});
    make_map("b", {{"is", "1"}});
    make_box("one", {.text = "x", .settings = "a"});
    make_box("two", {.text = "x", .settings = "b"});
    make_box("three", {.text = "x", .settings = "a"});
    world->settle();
    EXPECT_EQ(box("one").status.seen, "x 1");
    EXPECT_EQ(box("two").status.seen, "x 1");
  }
  void much_happens() {
    edit_map("a", "2");
    person().delete_<core::ConfigMap>(key("b"));
    edit_box("two", [](Box& box) { box.spec.text = "y"; });
    make_box("four", {.text = "z", .settings = "a"});
    person().delete_<core::ConfigMap>(key("four-child"), {.missing_is_fine = true});
    person().delete_<core::ConfigMap>(key("one-child"));
    person().delete_<Box>(key("three"));
  }
  void expect_all_is_seen() {
    world->until("everything is as it should be", [&] {
      return box("one").status.seen == "x 2" && box("two").status.seen == "y nothing" &&
             person().find<Box>(key("four")) && box("four").status.seen == "z 2" && map_says("one-child") == "x" &&
             map_says("two-child") == "y" && map_says("four-child") == "z" && !person().find<Box>(key("three"));
    });
    EXPECT_EQ(journal.count("cleaned up three"), 1);
    world->settle();
    const auto events_of = [&](const std::string& name) { return passes(name).front().changes(); };
    // At rest: another look changes nothing.
    for (const char* name : {"one", "two", "four"}) {
      person().edit<Box>(key(name), [](Box& box) { box.metadata.labels["look"] = "again"; });
      world->settle();
      EXPECT_EQ(events_of(name), 0) << explain(name);
    }
  }
};

TEST_F(Outages, WhatHappensWhileTheWatchesAreBrokenIsSeen) {
  followers();
  world->cut_off();
  much_happens();
  world->connect_again();
  expect_all_is_seen();
}

TEST_F(Outages, WhatHappensAndIsForgottenWhileTheWatchesAreBrokenIsSeen) {
  followers();
  world->cut_off();
  much_happens();
  world->forget_the_past();
  world->connect_again();
  expect_all_is_seen();
}

TEST_F(Outages, AServerThatComesBackIsFoundAsItWas) {
  followers();
  world->server_down();
  world->wait(2min);
  world->server_up();
  much_happens();
  expect_all_is_seen();
}

TEST_F(Outages, AKindThatComesLaterIsWaitedForAndTheOthersWorkMeanwhile) {
  world->declare(
      [](Operator& op) {
        op.reconcile<Late>([](Context&, Late& late) { late.status.seen = late.spec.text; });
        op.reconcile<Box>([](Context&, Box& box) { box.status.seen = box.spec.text; });
      },
      {.install = false});
  world->install(crd<Box>());
  world->start();
  make_box("one");
  world->until("the box is served", [&] { return box("one").status.seen == "hello"; });
  EXPECT_TRUE(world->run().ready().pass());
  world->install(crd<Late>());
  world->until("one can be made", [&] {
    try {
      person().create(Late{.metadata = {.name = "late", .namespace_ = world->ns()}});
      return true;
    } catch (const ApiError& error) {
      return error.is_already_exists();
    }
  });
  world->until("it is served too", [&] { return person().get<Late>(key("late")).status.seen == "hello"; });
}

TEST_F(Outages, NamespacesMayComeAndGo) {
  world->declare([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        journal.add(box.metadata.namespace_ + "/" + box.metadata.name);
        ctx.apply(child_of(box));
        box.status.seen = box.spec.text;
      }).owns<core::ConfigMap>();
  });
  const std::string other = world->make_namespace("other");
  const auto in_other = [&](const std::string& name) { return ObjectKey{other, name}; };
  world->start();
  make_box("one");
  person().create(Box{.metadata = {.name = "two", .namespace_ = other}});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "hello");
  EXPECT_EQ(person().get<Box>(in_other("two")).status.seen, "") << "not asked for";

  world->set_namespaces({world->ns(), other});
  world->until("it is served in both", [&] { return person().get<Box>(in_other("two")).status.seen == "hello"; });
  EXPECT_TRUE(person().find<core::ConfigMap>(in_other("two-child")));

  world->set_namespaces({other});
  world->settle();
  journal.take();
  edit_box("one", [](Box& box) { box.spec.text = "changed"; });
  person().edit<Box>(in_other("two"), [](Box& box) { box.spec.text = "changed"; });
  world->until("the other is served", [&] { return person().get<Box>(in_other("two")).status.seen == "changed"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "hello") << "nobody looks there any more";
  EXPECT_TRUE(person().find<core::ConfigMap>(key("one-child"))) << "to look away is not to delete";
}

}  // namespace
}  // namespace flyball::behaviour
