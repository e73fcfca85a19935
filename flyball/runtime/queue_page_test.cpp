// The code of docs/queue.md.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/runtime/queue.hpp"
#include "flyball/runtime/remembered_reads.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

struct QueuePageTest : ::testing::Test {
  ManualClock clock;
  Random random{1};
  Metrics metrics;
  std::vector<std::string> done;

  void reconcile(const Key& key, const Causes& causes) {
    done.push_back(key.to_string() + " because " + causes.to_string());
  }
};

TEST_F(QueuePageTest, Work) {
  StopSource shutdown;
  // [snippet: work]
  Queue queue(clock, random, {.name = "memcached", .metrics = &metrics});
  Thread worker(clock, "worker", [&, stop = shutdown.stop()] {
    while (auto work = queue.take(stop)) {
      reconcile(work->key(), work->causes());
      work->done();
    }
  });
  queue.add({.namespace_ = "shop", .name = "web"}, {.reason = "updated"});
  // [end]
  clock.settle();
  EXPECT_THAT(done, ElementsAre("shop/web because updated"));
  shutdown.request_stop();
}

TEST_F(QueuePageTest, Outcomes) {
  Queue queue(clock, random);
  const auto ended = [&](int how) {
    queue.add({.name = "web"});
    auto work = queue.try_take();
    // [snippet: outcomes]
    switch (how) {
      case 0: work->done(); break;                // as it should be
      case 1: work->requeue_after(10min); break;  // as it should be; look again
      case 2: work->retry(); break;               // failed: after 5 ms, 10 ms, 20 ms … up to 1000 s
      default: work.reset(); break;               // nothing was said, as when an exception passes: failed
    }
    // [end]
    return queue.next_due() - clock.now();
  };
  EXPECT_EQ(ended(1), 10min);
  EXPECT_LE(ended(2), 5ms);
  EXPECT_LE(ended(3), 10ms);
}

TEST_F(QueuePageTest, Steps) {
  // [snippet: steps]
  Queue queue(clock, random);
  queue.add({.name = "later"}, {.reason = "timer"}, {.after = 1h});
  queue.add({.name = "now"}, {.reason = "created"});
  while (queue.next_due() != kNever) {
    if (auto work = queue.try_take()) {
      reconcile(work->key(), work->causes());
      work->done();
    } else {
      clock.jump(queue.next_due() - clock.now());
    }
  }
  // [end]
  EXPECT_THAT(done, ElementsAre("now because created", "later because timer"));
}

TEST_F(QueuePageTest, Remembered) {
  Queue queue(clock, random);
  const kube::GroupVersionKind pod_kind{"", "v1", "Pod"};
  const kube::GroupVersionKind secret_kind{"", "v1", "Secret"};
  const Key key{.namespace_ = "shop", .name = "web"};
  // [snippet: remembered]
  RememberedReads remembered;

  // The pass says what it reads, just before it reads it.
  ReadSet reads = remembered.begin(key);
  reads.object(secret_kind, {"shop", "password"});                              // there or not
  reads.list(pod_kind, "shop", kube::Selector::parse("app=memcached,cr=web"));  // what matches, now or after a change
  for (Cause& cause : remembered.finish(std::move(reads))) queue.add(key, std::move(cause));  // it changed under us

  // The watch says what changes, once the cache has it.
  const auto on_change = [&](const Change& change, const Cause& cause) {
    for (const Key& woken : remembered.woken_by(change)) queue.add(woken, cause);
  };
  // [end]
  kube::Metadata secret;
  secret.namespace_ = "shop";
  secret.name = "password";
  on_change({.kind = secret_kind, .after = &secret}, {.reason = "created"});
  ASSERT_EQ(queue.ready(), 1U);
  queue.shut_down();
}

}  // namespace
}  // namespace flyball::runtime
