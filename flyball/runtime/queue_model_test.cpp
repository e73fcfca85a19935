// The queue against a model that is too simple to be wrong: a map of keys with times, searched from end to end.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/runtime/queue.hpp"

namespace flyball::runtime {
namespace {

using namespace std::chrono_literals;

struct ModelKey {
  std::optional<TimePoint> due = {};
  bool running = false;
  int failures = 0;
  int causes = 0;

  void want(TimePoint at) { due = due ? std::min(*due, at) : at; }
  bool ready(TimePoint now) const { return !running && due && *due <= now; }
};

struct World {
  ManualClock clock;
  Random random{1};
  Queue queue{clock, random, {.backoff_jitter = 0}};
  std::map<Key, ModelKey> model;
  std::vector<std::unique_ptr<Work>> works;

  bool model_has_ready() {
    return std::ranges::any_of(model, [&](const auto& of) { return of.second.ready(clock.now()); });
  }
  TimePoint model_next() {
    TimePoint next = kNever;
    for (const auto& [key, of] : model) {
      if (!of.running && of.due) next = std::min(next, *of.due);
    }
    return next;
  }

  void add() {
    const Key key{.namespace_ = std::to_string(*rc::gen::inRange(0, 3)),
                  .name = std::to_string(*rc::gen::inRange(0, 4))};
    const Duration after = std::chrono::milliseconds(*rc::gen::inRange(0, 3) * 10);
    queue.add(key, {.reason = "changed"}, {.after = after, .priority = *rc::gen::inRange(-2, 3)});
    model[key].want(clock.now() + after);
    ++model[key].causes;
  }

  void take() {
    const bool expected = model_has_ready();
    auto work = queue.try_take();
    RC_ASSERT(work.has_value() == expected);
    if (!work) return;
    ModelKey& of = model[work->key()];
    RC_ASSERT(of.ready(clock.now()));
    int causes = 0;
    for (const Cause& cause : work->causes().all()) {
      if (cause.reason == "changed") causes += static_cast<int>(cause.times);
    }
    RC_ASSERT(causes == of.causes);
    RC_ASSERT(static_cast<int>(work->failures()) == of.failures);
    of = {.running = true, .failures = of.failures};
    works.push_back(std::make_unique<Work>(std::move(*work)));
  }

  void finish() {
    if (works.empty()) return;
    std::swap(works[*rc::gen::inRange<std::size_t>(0, works.size())], works.back());
    Work work = std::move(*works.back());
    works.pop_back();
    ModelKey& of = model[work.key()];
    of.running = false;
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        work.done();
        of.failures = 0;
        break;
      case 1:
        work.requeue_after(15ms);
        of.failures = 0;
        of.want(clock.now() + 15ms);
        break;
      default:
        work.retry();
        of.want(clock.now() + 5ms * (1 << of.failures++));
        break;
    }
  }

  void step() {
    switch (*rc::gen::weightedElement<int>({{4, 0}, {4, 1}, {3, 2}, {1, 3}})) {
      case 0: add(); break;
      case 1: take(); break;
      case 2: finish(); break;
      default: clock.jump(std::chrono::milliseconds(*rc::gen::inRange(1, 20))); break;
    }
    if (!model_has_ready()) RC_ASSERT(queue.next_due() == model_next());
    if (model_has_ready()) RC_ASSERT(queue.next_due() <= clock.now());
  }
};

TEST(QueueModelTest, DoesWhatTheModelDoes) {
  EXPECT_TRUE(rc::check([] {
    World world;
    const int steps = *rc::gen::inRange(1, 200);
    for (int i = 0; i < steps; ++i) world.step();
    for (const auto& work : world.works) work->done();
    world.works.clear();
  }));
}

TEST(QueueModelTest, ASingleKeyOfANamespaceWaitsForOneKeyOfEachOtherAtMost) {
  EXPECT_TRUE(rc::check([] {
    ManualClock clock;
    Random random(1);
    Queue queue(clock, random);
    const int namespaces = *rc::gen::inRange(1, 6);
    const int crowd = *rc::gen::inRange(1, 50);
    for (int i = 0; i < crowd; ++i) {
      queue.add({.namespace_ = std::to_string(*rc::gen::inRange(0, namespaces)), .name = std::to_string(i)});
    }
    const Key single{.namespace_ = "single", .name = "single"};
    queue.add(single);
    int passes = 0;
    for (bool found = false; !found; ++passes) {
      auto work = queue.try_take();
      RC_ASSERT(work.has_value());
      found = work->key() == single;
      work->done();
      if (*rc::gen::inRange(0, 2) == 0) clock.jump(1ms);
      // What others add meanwhile does not push it back.
      queue.add({.namespace_ = "0", .name = "more-" + std::to_string(passes)});
    }
    RC_ASSERT(passes <= namespaces + 1);
  }));
}

}  // namespace
}  // namespace flyball::runtime
