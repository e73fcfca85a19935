// An operator with threads, as it runs in production: many workers at once, and how it ends. The clock is manual, so
// that nobody waits; the threads are real, for ThreadSanitizer to look at.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/operator_run.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::testing {
namespace {

namespace core = kube::core::v1;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

core::ConfigMap map(const std::string& name, const std::string& text) {
  return {.metadata = {.name = name, .namespace_ = "default"}, .data = {{"text", text}}};
}
core::Secret secret(const std::string& name, const std::string& text) {
  return {.metadata = {.name = name, .namespace_ = "default", .annotations = {{"text", text}}}};
}
std::string text_of(const core::Secret& secret) { return secret.metadata.annotations.at("text"); }

struct ThreadsTest : ::testing::Test {
  ~ThreadsTest() override { end(); }

  void start(std::uint32_t workers = 2) {
    run.emplace(
        op, server.client(), clock, random,
        runtime::OperatorRunOptions{.concurrency = workers, .log = Logger(logs, "runtime"), .metrics = &metrics});
    thread = std::make_unique<Thread>(clock, "operator", [this] { run->run(stop.stop()); });
    clock.settle();
  }
  void end() {
    stop.request_stop("the test is over");
    gate_is_open = true;
    gate.notify_all();
    thread.reset();
  }
  // What a pass does that takes as long as the test wants it to.
  void wait_at_the_gate() {
    const MutexLock lock(mutex);
    gate.wait(mutex, {}, [&] { return gate_is_open.load(); });
  }
  void open_the_gate() {
    gate_is_open = true;
    gate.notify_all();
    clock.settle();
  }
  bool has(const std::string& name) { return server.client().find<core::Secret>({"default", name}).has_value(); }

  ManualClock clock;
  Random random{1};
  CapturingSink sink;
  std::shared_ptr<LogCore> logs = std::make_shared<LogCore>(clock, sink);
  Metrics metrics;
  Server server{clock};
  runtime::Operator op{"threads"};
  StopSource stop;
  Mutex mutex;
  Condition gate{clock};
  std::atomic<bool> gate_is_open = false;
  std::optional<runtime::OperatorRun> run;
  std::unique_ptr<Thread> thread;
};

TEST_F(ThreadsTest, SixteenWorkersLeaveNothingUndone) {
  constexpr std::size_t kMaps = 64;
  constexpr std::size_t kWriters = 4;
  constexpr std::size_t kEdits = 40;
  op.reconcile<core::ConfigMap>([](Context& ctx, core::ConfigMap& parent) {
      const auto common = ctx.find<core::Secret>("common");
      const std::size_t all = ctx.list<core::ConfigMap>().size();
      ctx.apply(secret(parent.metadata.name, parent.data["text"] + " of " + std::to_string(all) + " " +
                                                 (common ? text_of(*common) : "without")));
    }).owns<core::Secret>();
  start(16);
  std::vector<std::unique_ptr<Thread>> writers;
  for (std::size_t writer = 0; writer < kWriters; ++writer) {
    writers.push_back(std::make_unique<Thread>(clock, "writer", [this, writer] {
      const Client& client = server.client();
      for (std::size_t i = writer; i < kMaps; i += kWriters) client.create(map("m" + std::to_string(i), "new"));
      for (std::size_t edit = 0; edit < kEdits; ++edit) {
        const std::size_t i = writer + kWriters * (edit % (kMaps / kWriters));
        client.edit<core::ConfigMap>({"default", "m" + std::to_string(i)},
                                     [&](auto& one) { one.data["text"] = std::to_string(edit); });
      }
    }));
  }
  writers.clear();
  server.client().create(secret("common", "together"));
  clock.advance(1min);
  for (const auto& one : server.client().list<core::ConfigMap>()) {
    EXPECT_EQ(text_of(server.client().get<core::Secret>({"default", one.metadata.name})),
              one.data.at("text") + " of 64 together")
        << run->controller("configmap").history().explain({.namespace_ = "default", .name = one.metadata.name});
  }
  std::size_t secrets = 0;
  for (const auto& one : server.client().list<core::Secret>()) secrets += one.metadata.name.empty() ? 0 : 1;
  EXPECT_EQ(secrets, kMaps + 1);
}

TEST_F(ThreadsTest, APassThatRunsAtTheStopMayFinishAndNoOtherBegins) {
  op.reconcile<core::ConfigMap>([this](Context& ctx, core::ConfigMap& parent) {
      wait_at_the_gate();
      ctx.apply(secret(parent.metadata.name, "finished"));
    }).owns<core::Secret>();
  start(1);
  server.client().create(map("runs", ""));
  clock.settle();
  server.client().create(map("waits", ""));
  stop.request_stop("SIGTERM");
  clock.settle();
  EXPECT_FALSE(has("runs"));
  open_the_gate();
  thread.reset();
  EXPECT_TRUE(has("runs"));
  EXPECT_FALSE(has("waits"));
  EXPECT_THAT(sink.take(), AllOf(HasSubstr("because=SIGTERM"), Not(HasSubstr("cut off"))));
}

TEST_F(ThreadsTest, APassThatDoesNotEndIsCutOffAtTheEndOfTheGraceAndIsNoError) {
  op.reconcile<core::ConfigMap>([](Context& ctx, core::ConfigMap&) {
    pause_until(ctx.clock(), kNever, ctx.stop());
    ctx.stop().throw_if_stopped();
  });
  start(1);
  server.client().create(map("hangs", ""));
  clock.settle();
  stop.request_stop("SIGTERM");
  clock.advance(24s);
  EXPECT_EQ(run->controller("configmap").queue().running(), 1);
  clock.advance(2s);
  thread.reset();
  EXPECT_EQ(run->controller("configmap").queue().running(), 0);
  EXPECT_THAT(sink.take(), AllOf(HasSubstr("their requests are cut off"), Not(HasSubstr("failed"))));
  EXPECT_THAT(metrics.text(), HasSubstr("controller_runtime_reconcile_errors_total{controller=\"configmap\"} 0"));
}

}  // namespace
}  // namespace flyball::testing
