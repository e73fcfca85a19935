// Leader election with threads, as in production: two replicas in one process, on a manual clock. The threads are real,
// for ThreadSanitizer to look at.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/testing/faults.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::testing {
namespace {

namespace core = kube::core::v1;
using kube::coordination::v1::Lease;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct LeaderThreadsTest : ::testing::Test {
  // A replica with threads of its own.
  struct Replica {
    Replica(LeaderThreadsTest& test, const std::string& identity)
        : transport(test.server.transport(), test.clock, test.random),
          client(transport, test.clock, test.random, {.field_manager = "operator"}),
          logs(std::make_shared<LogCore>(test.clock, sink)) {
      op.reconcile<core::ConfigMap>([this, &test, identity](runtime::Context& ctx, core::ConfigMap& map) {
          if (hangs) {
            pause_until(test.clock, kNever, ctx.stop());
            ctx.stop().throw_if_stopped();
          }
          ctx.apply(core::Secret{.metadata = {.name = map.metadata.name,
                                              .namespace_ = "default",
                                              .annotations = {{"writer", identity}, {"text", map.data.at("text")}}}});
        }).owns<core::Secret>();
      run.emplace(op, client, test.clock, test.random,
                  runtime::OperatorRunOptions{.concurrency = 4,
                                              .leader_election =
                                                  runtime::LeaderElectionOptions{
                                                      .namespace_ = "default", .name = "office", .identity = identity},
                                              .log = Logger(logs, "runtime"),
                                              .metrics = &metrics});
      thread = std::make_unique<Thread>(test.clock, "operator", [this] {
        try {
          run->run(stop.stop());
        } catch (const runtime::LeadershipLost& error) {
          const MutexLock lock(mutex);
          ended = error.what();
        }
        has_ended = true;
      });
      test.clock.settle();
    }
    ~Replica() { end(); }
    Replica(const Replica&) = delete;
    Replica& operator=(const Replica&) = delete;

    void end() {
      stop.request_stop("SIGTERM");
      thread.reset();
    }
    std::string why() {
      const MutexLock lock(mutex);
      return ended;
    }

    std::atomic<bool> hangs = false;
    std::atomic<bool> has_ended = false;
    Mutex mutex;
    std::string ended FLYBALL_GUARDED_BY(mutex);
    FaultyTransport transport;
    client::Client client;
    CapturingSink sink;
    std::shared_ptr<LogCore> logs;
    Metrics metrics;
    runtime::Operator op{"replicas"};
    std::optional<runtime::OperatorRun> run;
    StopSource stop;
    std::unique_ptr<Thread> thread;
  };

  void make_map(const std::string& name) {
    server.client().create(
        core::ConfigMap{.metadata = {.name = name, .namespace_ = "default"}, .data = {{"text", "new"}}});
  }
  std::string writer(const std::string& name) {
    const auto found = server.client().find<core::Secret>({"default", name});
    return found ? found->metadata.annotations.at("writer") : "";
  }
  std::string holder() { return server.client().get<Lease>({"default", "office"}).spec.holderIdentity.value_or(""); }

  ManualClock clock;
  Random random{1};
  Server server{clock};
};

TEST_F(LeaderThreadsTest, ACleanExitHandsOverInNoTimeWithAllThatThereIsToDo) {
  Replica a(*this, "a");
  Replica b(*this, "b");
  for (int i = 0; i < 32; ++i) make_map("m" + std::to_string(i));
  clock.advance(5s);
  EXPECT_TRUE(a.run->leads());
  EXPECT_FALSE(b.run->leads());
  EXPECT_TRUE(b.run->ready().pass());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(writer("m" + std::to_string(i)), "a");
  const TimePoint before = clock.now();
  a.end();
  clock.settle();
  EXPECT_EQ(clock.now(), before);
  EXPECT_TRUE(b.run->leads());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(writer("m" + std::to_string(i)), "b");
  EXPECT_EQ(a.why(), "");
}

TEST_F(LeaderThreadsTest, ALeaderThatIsCutOffEndsBeforeTheOtherBegins) {
  Replica a(*this, "a");
  Replica b(*this, "b");
  make_map("one");
  clock.advance(4s);
  ASSERT_EQ(writer("one"), "a");
  a.transport.set_down(true);
  clock.advance(11s);
  EXPECT_TRUE(a.has_ended);
  EXPECT_FALSE(b.run->leads());
  EXPECT_THAT(a.why(), HasSubstr("leadership is lost: the lease was not renewed within 10s, because"));
  EXPECT_FALSE(a.run->live().pass());
  EXPECT_THAT(a.sink.take(), HasSubstr("leadership is lost; nothing more is written"));
  clock.advance(5s);
  EXPECT_TRUE(b.run->leads());
  EXPECT_EQ(writer("one"), "b");
}

TEST_F(LeaderThreadsTest, APassThatRunsWhenLeadershipIsLostIsCutOff) {
  Replica a(*this, "a");
  a.hangs = true;
  make_map("one");
  clock.advance(4s);
  EXPECT_EQ(a.run->controller("configmap").queue().running(), 1U);
  server.client().edit<Lease>({"default", "office"}, [](Lease& lease) { lease.spec.holderIdentity = "c"; });
  clock.advance(3s);
  EXPECT_TRUE(a.has_ended);
  EXPECT_THAT(a.why(), HasSubstr("\"c\" has taken the lease"));
  EXPECT_EQ(holder(), "c");
  EXPECT_THAT(a.sink.take(), Not(HasSubstr("the pass failed")));
}

TEST_F(LeaderThreadsTest, TheLeaseIsRenewedWhilePassesFinishAndKeptWhenOneIsCutOff) {
  Replica a(*this, "a");
  a.hangs = true;
  make_map("one");
  clock.advance(1s);
  a.stop.request_stop("SIGTERM");
  clock.advance(24s);
  EXPECT_TRUE(a.run->leads());
  clock.advance(2s);
  EXPECT_TRUE(a.has_ended);
  EXPECT_EQ(holder(), "a") << "its last write may be on its way";
  EXPECT_EQ(a.why(), "");
  EXPECT_THAT(a.sink.take(), AllOf(HasSubstr("their requests are cut off"), Not(HasSubstr("released"))));
}

TEST_F(LeaderThreadsTest, AStandbyThatIsStoppedEndsWithoutALease) {
  Replica a(*this, "a");
  Replica b(*this, "b");
  b.end();
  EXPECT_EQ(b.why(), "");
  EXPECT_EQ(holder(), "a");
}

}  // namespace
}  // namespace flyball::testing
