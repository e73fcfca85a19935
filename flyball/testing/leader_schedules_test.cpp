// Never two writers, whatever happens: replicas that compete for a lease under schedules drawn by lot.
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/testing/replicas_for_test.hpp"

namespace flyball::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Faults kFaults{.lose_request = 0.03,
                         .lose_answer = 0.03,
                         .refuse = 0.03,
                         .conflict = 0.03,
                         .delay = 0.05,
                         .break_watch = 0.05,
                         .expire_watch = 0.02,
                         .hold_watch = 0.05,
                         .repeat_event = 0.03};

// What came to pass over all schedules: a test of faults that do not occur proves nothing.
struct Totals {
  int handovers = 0;
  int losses = 0;
  int refused = 0;
  std::size_t writes = 0;
};

class Schedule {
 public:
  explicit Schedule(std::uint64_t seed) : seed_(seed), all_(seed), lots_(seed * 7919) {}

  void run(Totals& totals) {
    all_.in_pass = [this](Replica&) { in_pass(); };
    for (int i = 0; i < 3; ++i) add();
    for (int i = 0; i < 3; ++i) all_.make_map("map" + std::to_string(i), "new");
    constexpr int kActions = 150;
    for (int i = 0; i < kActions; ++i) act(i);
    in_peace();
    EXPECT_THAT(all_.intruders, IsEmpty()) << "seed " << seed_;
    EXPECT_THAT(all_.leaders(), SizeIs(1)) << "seed " << seed_;
    for (int i = 0; i < 3; ++i) {
      const std::string name = "map" + std::to_string(i);
      const auto map = all_.server.client().get<kube::core::v1::ConfigMap>({"default", name});
      EXPECT_THAT(all_.secret(name), ::testing::StartsWith(map.data.at("text") + " by ")) << "seed " << seed_;
    }
    totals.handovers += all_.lease()->spec.leaseTransitions.value_or(0);
    totals.losses += losses_;
    totals.refused += refused_;
    totals.writes += all_.writers.size();
  }

 private:
  void add() {
    Replica& one = all_.add("r" + std::to_string(++made_), &lots_);
    one.transport.set_faults(kFaults);
    one.transport.set_meanwhile([this, &one] { meanwhile(one); });
  }

  void set_down(Replica& one, bool down) {
    one.transport.set_down(down);
    if (down) {
      down_.insert(&one);
    } else {
      down_.erase(&one);
    }
  }

  Replica& any() { return *all_.replicas[lots_.below(all_.replicas.size())]; }

  void act(int number) {
    Replica& one = any();
    switch (lots_.below(12)) {
      case 0: one.paused = true; break;
      case 1: set_down(one, true); break;
      case 2: all_.edit_map("map" + std::to_string(lots_.below(3)), std::to_string(number)); break;
      case 3:
        if (one.runs()) one.crash();
        break;
      case 4:
        if (one.runs() && !one.paused) one.end();
        break;
      case 5:
      case 6:
        one.paused = false;
        set_down(one, false);
        if (!one.runs()) replace(one);
        break;
      default: all_.advance(std::chrono::milliseconds(lots_.between(0, 6000)));
    }
  }

  // A program that has ended starts again, under another name.
  void replace(Replica& gone) {
    losses_ += gone.ended.empty() ? 0 : 1;
    note_refused(gone);
    down_.erase(&gone);
    std::erase_if(all_.replicas, [&](const auto& one) { return one.get() == &gone; });
    add();
  }

  void note_refused(Replica& one) {
    if (one.metrics.text().find("refused_writes_total{name=\"office\"} 0") == std::string::npos) ++refused_;
  }

  // A process that stands still in the middle of a pass, for as long as it likes.
  void in_pass() {
    if (in_meanwhile_ || !lots_.chance(0.1)) return;
    without_faults([&] { all_.advance(std::chrono::milliseconds(lots_.between(0, 25'000))); });
  }

  // While a request is on its way: shorter than the margin between the renew deadline and the end of the lease.
  void meanwhile(const Replica& sender) {
    if (in_meanwhile_ || !lots_.chance(0.1)) return;
    in_meanwhile_ = true;
    all_.clock.jump(std::chrono::milliseconds(lots_.between(0, 3000)));
    without_faults([&] {
      for (int i = 0; i < 5; ++i) {
        Replica& one = any();
        // One that is cut off would take its time over that.
        if (&one != &sender && !down_.contains(&one)) one.step();
      }
    });
    in_meanwhile_ = false;
  }

  // Faults take time, which is not to be added to that of others.
  void without_faults(const std::function<void()>& act) {
    std::vector<std::pair<Replica*, bool>> were;
    for (const auto& one : all_.replicas) {
      one->transport.set_faults({});
      were.emplace_back(one.get(), one->paused);
      one->paused = one->paused || one->busy;
    }
    act();
    for (const auto& [one, paused] : were) {
      one->transport.set_faults(kFaults);
      one->paused = paused;
    }
  }

  void in_peace() {
    for (std::size_t i = 0; i < all_.replicas.size(); ++i) {
      if (!all_.replicas[i]->runs()) {
        replace(*all_.replicas[i]);
        --i;
      }
    }
    all_.in_pass = {};
    for (const auto& one : all_.replicas) {
      one->paused = false;
      set_down(*one, false);
      one->transport.set_faults({});
      one->transport.set_meanwhile({});
    }
    all_.advance(2min);
    for (const auto& one : all_.replicas) note_refused(*one);
  }

  const std::uint64_t seed_;
  Replicas all_;
  Random lots_;
  std::set<const Replica*> down_;
  int made_ = 0;
  int losses_ = 0;
  int refused_ = 0;
  bool in_meanwhile_ = false;
};

TEST(LeaderSchedulesTest, ThereAreNeverTwoWriters) {
  const bool night = std::getenv("FLYBALL_NIGHTLY") != nullptr;  // NOLINT(concurrency-mt-unsafe): none sets it
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  const std::uint64_t schedules = night ? 500 : 30;
#else
  const std::uint64_t schedules = night ? 10'000 : 200;
#endif
  Totals totals;
  for (std::uint64_t seed = 1; seed <= schedules && !::testing::Test::HasFailure(); ++seed) {
    Schedule(seed).run(totals);
  }
  if (::testing::Test::HasFailure()) return;
  EXPECT_GT(totals.handovers, static_cast<int>(schedules));
  EXPECT_GT(totals.losses, static_cast<int>(schedules) / 10);
  EXPECT_GT(totals.refused, static_cast<int>(schedules) / 100);
  EXPECT_GT(totals.writes, schedules * 5);
}

}  // namespace
}  // namespace flyball::testing
