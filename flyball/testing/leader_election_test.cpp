// Leader election, on one thread and in virtual time: who leads, who does not, and when that changes. The drawn
// schedules are in leader_schedules_test.cpp, the real threads in leader_threads_test.cpp.
#include "flyball/runtime/leader_election.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/kube/events/v1.hpp"
#include "flyball/testing/environment.hpp"
#include "flyball/testing/replicas_for_test.hpp"

namespace flyball::testing {
namespace {

namespace core = kube::core::v1;
using kube::coordination::v1::Lease;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct LeaderElectionTest : ::testing::Test {
  ~LeaderElectionTest() override { EXPECT_THAT(all.intruders, IsEmpty()); }

  // Both run, `a` leads, and it has renewed its lease just now.
  void begin() {
    a = &all.add("a");
    all.settle();
    b = &all.add("b");
    all.advance(2s);
    ASSERT_THAT(all.leaders(), ElementsAre("a"));
  }
  Replicas all;
  Replica* a = nullptr;
  Replica* b = nullptr;
};

TEST_F(LeaderElectionTest, TheFirstOneLeadsAndTheLeaseSaysWhatClientGoWouldSay) {
  a = &all.add("a");
  all.settle();
  EXPECT_TRUE(a->leads());
  const auto first = all.lease().value();
  EXPECT_EQ(first.spec.holderIdentity, "a");
  EXPECT_EQ(first.spec.leaseDurationSeconds, 15);
  EXPECT_EQ(first.spec.leaseTransitions, 0);
  EXPECT_EQ(first.spec.acquireTime, first.spec.renewTime);
  all.advance(2s);
  const auto renewed = all.lease().value();
  EXPECT_EQ(renewed.spec.acquireTime, first.spec.acquireTime);
  EXPECT_EQ(renewed.spec.renewTime, kube::MicroTime(all.clock.wall_now()));
  EXPECT_EQ(renewed.spec.leaseTransitions, 0);
  EXPECT_THAT(a->metrics.text(), HasSubstr("leader_election_master_status{name=\"office\"} 1"));
  EXPECT_THAT(a->sink.take(), HasSubstr("this replica leads lease=default/office identity=a"));
}

TEST_F(LeaderElectionTest, AStandbyIsReadyAndWarmAndWritesNothing) {
  begin();
  all.make_map("one", "hello");
  all.advance(1min);
  EXPECT_EQ(all.secret("one"), "hello by a");
  EXPECT_TRUE(b->run->is_synced());
  EXPECT_TRUE(b->run->ready().pass());
  EXPECT_EQ(b->run->controller("configmap").queue().ready(), 1U) << "it knows what there is to do";
  EXPECT_EQ(b->run->leader_election()->holder(), "a");
  EXPECT_THAT(b->metrics.text(), HasSubstr("leader_election_master_status{name=\"office\"} 0"));
  EXPECT_THAT(b->sink.take(), HasSubstr("standing by: another replica leads lease=default/office holder=a"));
  EXPECT_THAT(all.writers, Not(::testing::Contains("b")));
}

TEST_F(LeaderElectionTest, ACleanExitHandsOverInNoTime) {
  begin();
  all.make_map("one", "hello");
  all.settle();
  const TimePoint before = all.clock.now();
  a->end();
  EXPECT_EQ(all.holder(), "");
  EXPECT_EQ(all.lease()->spec.leaseDurationSeconds, 1);
  all.settle();
  EXPECT_EQ(all.clock.now(), before);
  EXPECT_THAT(all.leaders(), ElementsAre("b"));
  EXPECT_EQ(all.secret("one"), "hello by b");
  EXPECT_EQ(all.lease()->spec.leaseTransitions, 1);
  EXPECT_THAT(a->sink.take(), HasSubstr("the lease is released; another replica may lead at once"));
}

TEST_F(LeaderElectionTest, ACrashedLeaderIsReplacedWhenItsLeaseHasRunOutAndNotBefore) {
  begin();
  a->crash();
  all.advance(15s - 1ms);
  EXPECT_THAT(all.leaders(), IsEmpty());
  EXPECT_EQ(all.holder(), "a");
  all.advance(1ms);
  EXPECT_THAT(all.leaders(), ElementsAre("b"));
  EXPECT_EQ(all.lease()->spec.leaseTransitions, 1);
}

TEST_F(LeaderElectionTest, OneThatCannotWatchTheLeaseLooksAtIt) {
  all.refuse_watch = true;
  begin();
  EXPECT_THAT(b->sink.take(), HasSubstr("the lease cannot be watched; looking at it instead"));
  a->end();
  all.settle();
  EXPECT_THAT(all.leaders(), IsEmpty());
  all.advance(4400ms);
  EXPECT_THAT(all.leaders(), ElementsAre("b"));
}

TEST_F(LeaderElectionTest, ALeaderThatWasPausedCannotWriteWhileTheNewOneWorks) {
  begin();
  bool was_paused = false;
  all.in_pass = [&](Replica& one) {
    if (&one != a || was_paused) return;
    was_paused = true;
    // The process stands still in the middle of a pass; the world goes on.
    all.advance(20s);
    EXPECT_THAT(all.leaders(), ElementsAre("b"));
    EXPECT_EQ(all.secret("one"), "hello by b");
  };
  all.make_map("one", "hello");
  all.settle();
  EXPECT_TRUE(was_paused);
  EXPECT_EQ(all.secret("one"), "hello by b");
  EXPECT_THAT(all.writers, ElementsAre("a", "b", "b"));
  EXPECT_THAT(a->metrics.text(), HasSubstr("flyball_leader_election_refused_writes_total{name=\"office\"} 1"));
  EXPECT_THAT(a->sink.take(), AllOf(HasSubstr("the pass was broken off"),
                                    HasSubstr("was not sent: the lease was not renewed for 10s")));
  EXPECT_FALSE(a->runs());
  EXPECT_THAT(a->ended, AllOf(HasSubstr("leadership is lost: the lease was not renewed within 10s"),
                              HasSubstr("started again, this one stands by")));
  std::size_t events = 0;
  for (const auto& event : all.server.client().list<kube::events::v1::Event>()) events += event.reason.empty() ? 0 : 1;
  EXPECT_EQ(events, 0U) << "nothing is wrong with the object";
}

TEST_F(LeaderElectionTest, WritesEndAtTheRenewDeadlineAndNotBefore) {
  begin();
  a->paused = true;
  all.advance(10s - 1ms);
  EXPECT_TRUE(a->leads());
  all.advance(1ms);
  EXPECT_FALSE(a->leads());
  EXPECT_FALSE(b->leads()) << "the margin for what is on its way";
  EXPECT_THROW(a->run->leader_election()->fence(a->client).create(core::Secret{.metadata = {.name = "late"}}),
               runtime::NotLeading);
}

TEST_F(LeaderElectionTest, ALeaseThatSomebodyTouchedIsReadAndRenewed) {
  begin();
  all.server.client().edit<Lease>({"default", "office"}, [](Lease& lease) { lease.metadata.labels["seen"] = "yes"; });
  all.advance(2s);
  EXPECT_TRUE(a->leads());
  EXPECT_EQ(all.lease()->spec.renewTime, kube::MicroTime(all.clock.wall_now()));
  EXPECT_EQ(all.lease()->metadata.labels.at("seen"), "yes");
  EXPECT_THAT(a->metrics.text(), HasSubstr("leader_election_slowpath_total{name=\"office\"} 1"));
}

TEST_F(LeaderElectionTest, ALeaseThatSomebodyElseHasTakenIsLostAtOnce) {
  begin();
  b->crash();
  all.server.client().edit<Lease>({"default", "office"}, [](Lease& lease) { lease.spec.holderIdentity = "c"; });
  all.advance(2s);
  EXPECT_FALSE(a->runs());
  EXPECT_THAT(a->ended, HasSubstr("leadership is lost: \"c\" has taken the lease"));
  EXPECT_EQ(all.holder(), "c");
}

TEST_F(LeaderElectionTest, AServerThatIsAwayForLessThanTheDeadlineCostsNothing) {
  begin();
  a->transport.set_down(true);
  all.advance(6s);
  EXPECT_TRUE(a->leads());
  a->transport.set_down(false);
  all.advance(1min);
  EXPECT_THAT(all.leaders(), ElementsAre("a"));
  EXPECT_EQ(all.lease()->spec.leaseTransitions, 0);
  EXPECT_THAT(a->sink.take(), HasSubstr("the lease could not be renewed; trying again"));
}

TEST_F(LeaderElectionTest, AServerThatIsAwayForLongerEndsTheLeaderBeforeAnotherBegins) {
  begin();
  a->transport.set_down(true);
  all.advance(11s);
  EXPECT_FALSE(a->runs());
  EXPECT_THAT(a->ended, AllOf(HasSubstr("the lease was not renewed within 10s, because"), HasSubstr("is down")));
  EXPECT_THAT(all.leaders(), IsEmpty());
  all.advance(4s);
  EXPECT_THAT(all.leaders(), ElementsAre("b"));
}

TEST_F(LeaderElectionTest, ADateThatJumpsChangesNothing) {
  begin();
  for (const Duration leap : {Duration(1h), Duration(-26h), Duration(24 * 365h)}) {
    all.clock.shift_wall(leap);
    all.advance(30s);
    EXPECT_THAT(all.leaders(), ElementsAre("a"));
    EXPECT_EQ(all.lease()->spec.leaseTransitions, 0);
  }
}

TEST_F(LeaderElectionTest, ALeaseThatSomebodyDeletedIsMadeAnewByTheLeader) {
  begin();
  all.server.client().delete_<Lease>({"default", "office"});
  all.settle();
  EXPECT_THAT(all.leaders(), ElementsAre("a")) << "who saw that it was held waits";
  all.advance(2s);
  EXPECT_EQ(all.holder(), "a");
  EXPECT_TRUE(a->leads());
  all.server.client().delete_<Lease>({"default", "office"});
  a->crash();
  all.advance(14s);
  EXPECT_THAT(all.leaders(), IsEmpty());
  all.advance(1s);
  EXPECT_THAT(all.leaders(), ElementsAre("b"));
}

TEST_F(LeaderElectionTest, AControllerThatNeedsNoLeaderPassesOnEveryReplica) {
  std::vector<std::string> passes;
  all.more = [&](runtime::Operator& op, Replica& one) {
    op.control("everywhere", [&](runtime::Context&) { passes.push_back(one.identity); })
        .watches<core::ConfigMap>([](const cache::Change& change) { return std::vector{change.key()}; })
        .without_leader();
  };
  begin();
  all.make_map("one", "hello");
  all.settle();
  EXPECT_THAT(passes, ::testing::UnorderedElementsAre("a", "b"));
}

TEST_F(LeaderElectionTest, OneWhoseCacheIsNotFilledDoesNotCompete) {
  a = &all.add("a");
  a->transport.set_down(true);
  all.advance(5s);
  b = &all.add("b");
  all.settle();
  EXPECT_THAT(all.leaders(), ElementsAre("b"));
}

TEST_F(LeaderElectionTest, AnEnvironmentHandsOverToo) {
  // [snippet: testing]
  const auto election = runtime::LeaderElectionOptions{.namespace_ = "default", .name = "shop", .identity = "pod-1"};
  TestEnvironment env([](Operator&) {}, {.run = {.leader_election = election}});
  env.settle();
  EXPECT_TRUE(env.run().leads());
  env.end();  // as at SIGTERM: the lease is released; crash() leaves it to run out
  EXPECT_EQ(env.get<Lease>("shop").spec.holderIdentity, "");
  // [end]
}

}  // namespace
}  // namespace flyball::testing
