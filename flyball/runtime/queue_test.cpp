#include "flyball/runtime/queue.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Key key(const std::string& name, const std::string& in_namespace = "shop") {
  return {.namespace_ = in_namespace, .name = name};
}

struct QueueTest : ::testing::Test {
  ManualClock clock;
  Random random{1};
  Queue queue{clock, random, {.backoff_jitter = 0}};

  // The next key's name, and it went well.
  std::string run_one() {
    auto work = queue.try_take();
    if (!work) return "";
    work->done();
    return work->key().name;
  }
  Duration until_due() const { return queue.next_due() - clock.now(); }
};

TEST_F(QueueTest, AKeyThatIsAddedTwiceRunsOnceWithAllItsCauses) {
  queue.add(key("web"), {.reason = "created"});
  queue.add(key("web"), {.reason = "updated"});
  auto work = queue.try_take();
  ASSERT_TRUE(work);
  EXPECT_EQ(work->causes().to_string(), "created, updated");
  EXPECT_FALSE(queue.try_take());
  work->done();
  EXPECT_FALSE(queue.try_take());
  EXPECT_EQ(queue.next_due(), kNever);
}

TEST_F(QueueTest, AKeyThatIsAddedWhileItRunsRunsAgainAfterAndNotBeside) {
  queue.add(key("web"));
  auto work = queue.try_take();
  queue.add(key("web"), {.reason = "updated"});
  EXPECT_FALSE(queue.try_take());
  work->done();
  auto second = queue.try_take();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->causes().to_string(), "updated");
  second->done();
}

TEST_F(QueueTest, FailuresOfAKeyDoubleItsWaitUpToTheMostAndSuccessStartsAnew) {
  queue.add(key("web"));
  for (Duration expected = 5ms; expected < 1000s; expected *= 2) {
    ASSERT_EQ(queue.try_take()->retry(), expected);
    EXPECT_EQ(until_due(), expected);
    EXPECT_FALSE(queue.try_take());
    clock.jump(expected);
  }
  EXPECT_EQ(queue.try_take()->retry(), 1000s);
  clock.jump(1000s);
  EXPECT_EQ(queue.try_take()->retry(), 1000s);
  clock.jump(1000s);
  queue.try_take()->done();
  queue.add(key("web"));
  EXPECT_EQ(queue.try_take()->retry(), 5ms);
}

TEST_F(QueueTest, JitterMakesWaitsShorterByUpToItsPart) {
  Queue jittered(clock, random, {.backoff_first = 100s, .backoff_most = 100s, .backoff_jitter = 0.5});
  std::set<Duration> waits;
  for (int i = 0; i < 100; ++i) {
    jittered.add(key("web"));
    waits.insert(jittered.try_take()->retry());
    clock.jump(100s);
  }
  EXPECT_GT(*waits.begin(), 50s);
  EXPECT_LE(*waits.rbegin(), 100s);
  EXPECT_GT(waits.size(), 90U);
}

TEST_F(QueueTest, WorkThatIsDroppedWithoutAWordIsRetried) {
  queue.add(key("web"));
  {
    auto work = queue.try_take();
  }
  EXPECT_EQ(until_due(), 5ms);
  clock.jump(5ms);
  auto work = queue.try_take();
  EXPECT_EQ(work->failures(), 1U);
  EXPECT_EQ(work->causes().to_string(), "retry");
  work->done();
}

TEST_F(QueueTest, AChangeWakesAKeyOutOfItsBackoffAndTheRetryIsSpent) {
  queue.add(key("web"));
  queue.try_take()->retry();
  queue.add(key("web"), {.reason = "updated"});
  EXPECT_EQ(run_one(), "web");
  clock.jump(1h);
  EXPECT_FALSE(queue.try_take());
}

TEST_F(QueueTest, OfSeveralTimesForOneKeyTheEarliestCounts) {
  queue.add(key("web"), {}, {.after = 10min});
  queue.add(key("web"), {}, {.after = 1min});
  queue.add(key("web"), {}, {.after = 5min});
  EXPECT_EQ(until_due(), 1min);
  clock.jump(1min);
  auto work = queue.try_take();
  queue.add(key("web"), {}, {.after = 2min});
  work->requeue_after(3min);
  EXPECT_EQ(until_due(), 2min);
  clock.jump(2min);
  EXPECT_EQ(run_one(), "web");
  EXPECT_EQ(queue.next_due(), kNever);
}

TEST_F(QueueTest, RequeueAfterIsASuccess) {
  queue.add(key("web"));
  queue.try_take()->retry();
  clock.jump(5ms);
  queue.try_take()->requeue_after(1min);
  clock.jump(1min);
  auto work = queue.try_take();
  EXPECT_EQ(work->failures(), 0U);
  EXPECT_EQ(work->causes().to_string(), "requeue");
  work->done();
}

TEST_F(QueueTest, AHigherPriorityGoesFirstAndALaterAddRaisesIt) {
  queue.add(key("low"), {}, {.priority = kLowPriority});
  queue.add(key("raised"), {}, {.priority = kLowPriority});
  queue.add(key("normal"));
  queue.add(key("raised"), {}, {.priority = 1});
  EXPECT_EQ(run_one(), "raised");
  EXPECT_EQ(run_one(), "normal");
  EXPECT_EQ(run_one(), "low");
}

TEST_F(QueueTest, ALowPriorityIsPassedForItsStepsAndNoLonger) {
  queue.add(key("low"), {}, {.priority = kLowPriority});
  int passed = 0;
  while (true) {
    clock.jump(1s);
    queue.add(key("normal-" + std::to_string(passed)));
    if (run_one() == "low") break;
    ++passed;
  }
  EXPECT_EQ(passed, 29);
}

TEST_F(QueueTest, ALowPriorityInAnotherNamespaceAgesAsWell) {
  queue.add(key("low", "quiet"), {}, {.priority = kLowPriority});
  int passed = 0;
  while (true) {
    clock.jump(1s);
    queue.add(key("normal-" + std::to_string(passed)));
    if (run_one() == "low") break;
    ++passed;
  }
  EXPECT_EQ(passed, 29);
}

TEST_F(QueueTest, ANamespaceWithTenThousandKeysDelaysAnothersSingleKeyByOnePass) {
  for (int i = 0; i < 10'000; ++i) queue.add(key("big-" + std::to_string(i), "big"));
  EXPECT_EQ(run_one(), "big-0");
  queue.add(key("single", "small"));
  const std::string next = run_one();
  EXPECT_EQ(next == "single" ? next : run_one(), "single");

  clock.jump(1h);  // also when they have become old
  EXPECT_THAT(run_one(), HasSubstr("big"));
  queue.add(key("late", "small"));
  const std::string then = run_one();
  EXPECT_EQ(then == "late" ? then : run_one(), "late");
}

TEST_F(QueueTest, NamespacesTakeTurnsWhenNoTimePasses) {
  for (const char* name : {"a", "b", "c"}) {
    queue.add(key(name, "one"));
    queue.add(key(name, "two"));
  }
  std::vector<std::string> order;
  while (auto work = queue.try_take()) {
    order.push_back(work->key().to_string());
    work->done();
  }
  EXPECT_THAT(order, ElementsAre("one/a", "two/a", "one/b", "two/b", "one/c", "two/c"));
}

TEST_F(QueueTest, TheUserMaySayWhoSharesATurn) {
  Queue fair(clock, random, {.fair_share = [](const Key& of) { return of.name.substr(0, 1); }});
  for (const char* name : {"a1", "a2", "a3", "b1"}) fair.add(key(name));
  std::vector<std::string> order;
  while (auto work = fair.try_take()) {
    order.push_back(work->key().name);
    work->done();
  }
  EXPECT_THAT(order, ElementsAre("a1", "b1", "a2", "a3"));
}

TEST_F(QueueTest, NoMorePassesBeginThanTheRateAllows) {
  Queue limited(clock, random, {.rate = {.per_second = 10, .burst = 3}});
  for (int i = 0; i < 100; ++i) limited.add(key(std::to_string(i)));
  const auto take_all = [&] {
    int taken = 0;
    for (; auto work = limited.try_take(); ++taken) work->done();
    return taken;
  };
  EXPECT_EQ(take_all(), 3);
  EXPECT_EQ(limited.next_due(), clock.now() + 100ms);
  clock.jump(100ms);
  EXPECT_EQ(take_all(), 1);
  clock.jump(10s);
  EXPECT_EQ(take_all(), 3);
}

TEST_F(QueueTest, ShutDownDropsWhatWaitsAndLetsNothingComeAgain) {
  queue.add(key("running"));
  auto work = queue.try_take();
  queue.add(key("running"));
  queue.add(key("ready"));
  queue.add(key("later"), {}, {.after = 1s});
  queue.shut_down();
  queue.add(key("new"));
  EXPECT_FALSE(queue.try_take());
  work->retry();
  EXPECT_EQ(queue.next_due(), kNever);
  EXPECT_TRUE(queue.wait_until_idle(clock.now()));
  EXPECT_FALSE(queue.take({}));
}

TEST_F(QueueTest, ShutDownCanFinishWhatIsReady) {
  queue.add(key("running"));
  auto work = queue.try_take();
  queue.add(key("running"));
  queue.add(key("ready"));
  queue.add(key("later"), {}, {.after = 1s});
  queue.shut_down(Queue::Waiting::finished);
  EXPECT_EQ(run_one(), "ready");
  EXPECT_FALSE(queue.wait_until_idle(clock.now()));
  work->done();
  EXPECT_EQ(run_one(), "running");
  EXPECT_TRUE(queue.wait_until_idle(clock.now()));
  EXPECT_FALSE(queue.take({}));
}

TEST_F(QueueTest, TakeWaitsForAKeyForATimeAndForTheStop) {
  StopSource stop;
  std::vector<std::string> ran;
  Thread worker(clock, "worker", [&] {
    while (auto work = queue.take(stop.stop())) {
      ran.push_back(work->key().name);
      work->done();
    }
  });
  clock.settle();
  queue.add(key("now"));
  clock.settle();
  EXPECT_THAT(ran, ElementsAre("now"));
  queue.add(key("much-later"), {}, {.after = 1h});
  queue.add(key("later"), {}, {.after = 1min});
  clock.advance(1min);
  EXPECT_THAT(ran, ElementsAre("now", "later"));
  stop.request_stop();
  worker.join();
}

TEST_F(QueueTest, AWorkerThatStopsLeavesItsKeyToAnother) {
  StopSource first;
  StopSource second;
  std::atomic<int> ran = 0;
  const auto work_until = [&](const Stop& stop) {
    while (auto work = queue.take(stop)) {
      ++ran;
      work->done();
    }
  };
  Thread one(clock, "one", [&] { work_until(first.stop()); });
  Thread two(clock, "two", [&] { work_until(second.stop()); });
  clock.settle();
  first.request_stop();
  queue.add(key("web"));
  clock.settle();
  EXPECT_EQ(ran, 1);
  second.request_stop();
}

// Eight workers, three producers: each key's last pass must see everything that was wanted of it.
void crowd(Clock& clock, Queue& queue) {
  constexpr int kKeys = 20;
  std::vector<std::atomic<int>> inside(kKeys);
  std::vector<std::atomic<int>> wanted(kKeys);
  std::vector<std::atomic<int>> seen(kKeys);
  std::atomic<bool> shared = false;
  {
    std::vector<std::unique_ptr<Thread>> workers;
    for (int w = 0; w < 8; ++w) {
      workers.push_back(std::make_unique<Thread>(clock, "worker", [&, w] {
        int passes = w;
        while (auto work = queue.take({})) {
          const auto index = static_cast<std::size_t>(std::stoi(work->key().name));
          if (inside[index].fetch_add(1) != 0) shared = true;
          seen[index] = wanted[index].load();
          inside[index].fetch_sub(1);
          if (++passes % 7 == 0)
            work->requeue_after({});
          else
            work->done();
        }
      }));
    }
    std::vector<std::unique_ptr<Thread>> producers;
    for (int p = 0; p < 3; ++p) {
      producers.push_back(std::make_unique<Thread>(clock, "producer", [&] {
        for (int i = 0; i < 5'000; ++i) {
          const auto index = static_cast<std::size_t>(i % kKeys);
          wanted[index].fetch_add(1);
          queue.add(key(std::to_string(index), i % 2 == 0 ? "even" : "odd"));
        }
      }));
    }
    producers.clear();
    EXPECT_TRUE(queue.wait_until_idle(kNever));
    queue.shut_down();
  }
  EXPECT_FALSE(shared);
  for (std::size_t i = 0; i < kKeys; ++i) EXPECT_EQ(seen[i], wanted[i]) << i;
}

TEST_F(QueueTest, ManyWorkersNeverShareAKeyAndMissNone) { crowd(clock, queue); }

TEST(QueueRealClockTest, ManyWorkersNeverShareAKeyAndMissNone) {
  RealClock clock;
  Random random(1);
  Queue queue(clock, random);
  crowd(clock, queue);
}

TEST(QueueRealClockTest, AKeyThatIsDueLaterWakesAWorkerThatWaits) {
  RealClock clock;
  Random random(1);
  Queue queue(clock, random);
  std::atomic<int> ran = 0;
  std::vector<std::unique_ptr<Thread>> workers;
  for (int w = 0; w < 4; ++w) {
    workers.push_back(std::make_unique<Thread>(clock, "worker", [&] {
      while (auto work = queue.take({})) {
        if (++ran == 200) queue.shut_down();
        if (work->failures() == 0 && ran < 200)
          work->retry();  // after 5 ms
        else
          work->done();
      }
    }));
  }
  for (int i = 0; i < 100; ++i) queue.add(key(std::to_string(i)), {}, {.after = std::chrono::milliseconds(i % 10)});
  workers.clear();
  EXPECT_EQ(ran, 200);
}

TEST_F(QueueTest, TheMetricsHaveTheNamesThatDashboardsKnow) {
  Metrics metrics;
  Queue counted(clock, random, {.name = "memcached", .metrics = &metrics});
  counted.add(key("a"));
  counted.add(key("a"));
  counted.add(key("b"));
  clock.jump(2s);
  auto work = counted.try_take();
  clock.jump(3s);
  const std::string labels = R"({controller="memcached",name="memcached"})";
  const std::string during = metrics.text();
  EXPECT_THAT(during, HasSubstr("workqueue_depth" + labels + " 1\n"));
  EXPECT_THAT(during, HasSubstr("workqueue_unfinished_work_seconds" + labels + " 3\n"));
  EXPECT_THAT(during, HasSubstr("workqueue_longest_running_processor_seconds" + labels + " 3\n"));
  EXPECT_THAT(during, HasSubstr("flyball_queue_oldest_seconds" + labels + " 5\n"));
  work->retry();
  const std::string after = metrics.text();
  const std::string counters = R"({name="memcached",controller="memcached"})";
  EXPECT_THAT(after, HasSubstr("workqueue_adds_total" + counters + " 2\n"));
  EXPECT_THAT(after, HasSubstr("workqueue_retries_total" + counters + " 1\n"));
  EXPECT_THAT(after, HasSubstr("workqueue_queue_duration_seconds_sum" + counters + " 2\n"));
  EXPECT_THAT(after, HasSubstr("workqueue_work_duration_seconds_sum" + counters + " 3\n"));
}

TEST(KeyTest, SaysWhereItIs) {
  EXPECT_EQ(key("web").to_string(), "shop/web");
  EXPECT_EQ((Key{.cluster = "east", .name = "node-1"}).to_string(), "east:node-1");
}

TEST(CausesTest, TheSameCauseIsCountedAndKeepsTheLatestVersion) {
  Causes causes;
  const kube::GroupVersionKind kind{"apps", "v1", "Deployment"};
  causes.add({.reason = "updated", .kind = kind, .object = {"shop", "web"}, .resource_version = "7"});
  causes.add({.reason = "updated", .kind = kind, .object = {"shop", "web"}, .resource_version = "9"});
  EXPECT_EQ(causes.to_string(), "updated apps/v1 Deployment shop/web @9 (2 times)");
}

TEST(CausesTest, OnlySoManyAreKeptTheRestIsCounted) {
  Causes causes;
  for (std::size_t i = 0; i < Causes::kDistinct + 3; ++i) causes.add({.reason = std::to_string(i)});
  EXPECT_EQ(causes.all().size(), Causes::kDistinct);
  EXPECT_EQ(causes.others(), 3U);
  EXPECT_THAT(causes.to_string(), HasSubstr("and 3 more"));
}

}  // namespace
}  // namespace flyball::runtime
