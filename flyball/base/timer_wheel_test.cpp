#include "flyball/base/timer_wheel.hpp"

#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace flyball {
namespace {

using namespace std::chrono_literals;

std::vector<int> drain(TimerWheel& wheel, TimePoint now, std::vector<int>& fired) {
  fired.clear();
  wheel.collect(now);
  while (auto callback = wheel.take_due()) (*callback)();
  return fired;
}

TEST(TimerWheel, FiresByDeadlineThenByOrderOfAdding) {
  const TimePoint start(1h);
  TimerWheel wheel(start);
  std::vector<int> fired;
  wheel.add(start + 2s, [&] { fired.push_back(3); });
  wheel.add(start + 1s, [&] { fired.push_back(1); });
  wheel.add(start + 1s, [&] { fired.push_back(2); });
  EXPECT_EQ(wheel.next_due(), start + 1s);
  EXPECT_EQ(drain(wheel, start + 1s - 1ns, fired), std::vector<int>{});
  EXPECT_EQ(drain(wheel, start + 1s, fired), (std::vector<int>{1, 2}));
  EXPECT_EQ(drain(wheel, start + 10h, fired), (std::vector<int>{3}));
  EXPECT_EQ(wheel.next_due(), kNever);
}

TEST(TimerWheel, ATimerRemovedByAnEarlierOneOfTheSameBatchDoesNotFire) {
  const TimePoint start(1h);
  TimerWheel wheel(start);
  bool fired = false;
  TimerId second = TimerId::none;
  wheel.add(start, [&] { EXPECT_TRUE(wheel.remove(second)); });
  second = wheel.add(start, [&] { fired = true; });
  wheel.collect(start);
  while (auto callback = wheel.take_due()) (*callback)();
  EXPECT_FALSE(fired);
  EXPECT_FALSE(wheel.remove(second));
}

TEST(TimerWheel, AnIdIsNeverUsedAgain) {
  TimerWheel wheel(TimePoint(1h));
  const TimerId first = wheel.add(TimePoint(2h), [] {});
  wheel.remove(first);
  const TimerId second = wheel.add(TimePoint(2h), [] {});
  EXPECT_NE(first, second);
  EXPECT_FALSE(wheel.remove(first));
  EXPECT_FALSE(wheel.remove(TimerId::none));
  EXPECT_TRUE(wheel.remove(second));
  EXPECT_EQ(wheel.size(), 0U);
}

TEST(TimerWheel, NeverIsADeadlineLikeAnyOther) {
  TimerWheel wheel(TimePoint(1h));
  const TimerId id = wheel.add(kNever, [] {});
  EXPECT_EQ(wheel.next_due(), kNever);
  wheel.collect(TimePoint(1'000'000h));
  EXPECT_FALSE(wheel.take_due());
  EXPECT_TRUE(wheel.remove(id));
}

// Against the obvious implementation: an ordered map.
TEST(TimerWheel, AgreesWithAnOrderedMapUnderAnyHistory) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::uint8_t, std::uint64_t>>& steps) {
    TimePoint now(1h);
    TimerWheel wheel(now);
    std::map<std::pair<TimePoint, int>, TimerId> model;
    std::vector<int> fired;
    int count = 0;
    for (const auto& [kind, amount] : steps) {
      // From nanoseconds to decades, so that every level is used.
      const Duration d(static_cast<Duration::rep>((amount * 0x9e3779b97f4a7c15) >> (4 + amount % 60)));
      switch (kind % 4) {
        case 0:
        case 1: {
          const int name = count++;
          model[{now + d, name}] = wheel.add(now + d, [&fired, name] { fired.push_back(name); });
          break;
        }
        case 2: {
          if (model.empty()) break;
          auto it = model.begin();
          std::advance(it, static_cast<std::ptrdiff_t>(amount % model.size()));
          RC_ASSERT(wheel.remove(it->second).has_value());
          model.erase(it);
          break;
        }
        default: {
          now += d / 1000;
          if (amount % 3 == 0 && !model.empty()) now = std::max(now, model.begin()->first.first);
          std::vector<int> expected;
          while (!model.empty() && model.begin()->first.first <= now) {
            expected.push_back(model.begin()->first.second);
            model.erase(model.begin());
          }
          RC_ASSERT(drain(wheel, now, fired) == expected);
        }
      }
      RC_ASSERT(wheel.size() == model.size());
      RC_ASSERT(wheel.next_due() == (model.empty() ? kNever : model.begin()->first.first));
    }
  }));
}

}  // namespace
}  // namespace flyball
