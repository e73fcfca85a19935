// Two replicas of an operator: one works, the other goes on.
#include "behaviour_test.hpp"

#include "flyball/kube/coordination/v1.hpp"

namespace flyball::behaviour {
namespace {

using kube::coordination::v1::Lease;

struct Leader : Behaviour {
  void SetUp() override {
    world->declare(
        [this](Operator& op) {
          op.reconcile<Box>([this](Context& ctx, Box& box) {
              count(ctx);
              ctx.apply(child_of(box));
            }).owns<core::ConfigMap>();
        },
        {.leader_election = true});
    person().create(core::ConfigMap{.metadata = {.name = "counter", .namespace_ = world->ns()}, .data = {{"is", "0"}}});
    world->start();
    world->until("the first replica leads", [&] { return holder() == "first"; });
    world->start_second();
    make_box("one", {.text = "made"});
    world->until("the first replica works", [&] { return map_says("one-child") == "made"; });
  }

  // Each pass adds one, and says who held the lease when it did. Without a version: nothing but the fence keeps two
  // writers apart.
  void count(Context& ctx) {
    const auto client = ctx.live();
    const std::string was = client.get<core::ConfigMap>(key("counter")).data.at("is");
    client.patch<core::ConfigMap>(
        key("counter"),
        client::Patch::merge(json::object({{"data", json::object({{"is", std::to_string(std::stoi(was) + 1)}})}})));
    journal.add("counted");
  }

  std::string holder() {
    const auto lease = person().find<Lease>(key("office"));
    return lease ? lease->spec.holderIdentity.value_or("") : "";
  }
  // Every count is there: no two passes wrote over each other.
  void expect_all_counted() { EXPECT_EQ(map_says("counter"), std::to_string(journal.count("counted"))); }
};

TEST_F(Leader, TheSecondReplicaGoesOnWhenTheFirstEnds) {
  world->end_first();
  world->until("the second replica leads", [&] { return holder() == "second"; });
  edit_box("one", [](Box& box) { box.spec.text = "after"; });
  world->until("the second replica works", [&] { return map_says("one-child") == "after"; });
  EXPECT_EQ(person().get<Lease>(key("office")).spec.leaseTransitions, 1);
  EXPECT_EQ(world->first_ended_with(), "");
  expect_all_counted();
}

TEST_F(Leader, ALeaderThatIsCutOffGivesUpAndTheSecondReplicaGoesOn) {
  world->cut_off();
  world->until("the first replica gives up", [&] { return !world->first_ended_with().empty(); });
  EXPECT_THAT(world->first_ended_with(), HasSubstr("leadership is lost: the lease was not renewed within 2s"));
  edit_box("one", [](Box& box) { box.spec.text = "after"; });
  world->until("the second replica works", [&] { return map_says("one-child") == "after"; });
  EXPECT_EQ(holder(), "second");
  world->connect_again();
  expect_all_counted();
}

}  // namespace
}  // namespace flyball::behaviour
