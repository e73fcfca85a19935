// The operator under faults: schedules drawn from seeds. In each, people come and go, the operator is killed and
// started again, and everything between it and the server goes wrong now and then. When peace has come, the cluster
// must look as if nothing had happened.
//
//   FLYBALL_SCHEDULES=2000 operator_memcached_faults_test --gtest_filter=MemcachedFaults.*       # how many
//   FLYBALL_SEED=17 operator_memcached_faults_test --gtest_filter=MemcachedFaults.*              # this one again
#include <cstdlib>
#include <iostream>

#include "memcached_for_test.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;

std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
  const char* text = std::getenv(variable);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

// Some of them, each rare or frequent.
flyball::testing::Faults draw_faults(Random& random) {
  const auto some = [&](double most) { return random.chance(0.5) ? random.uniform() * most : 0.0; };
  return {.lose_request = some(0.2),
          .lose_answer = some(0.2),
          .refuse = some(0.2),
          .conflict = some(0.2),
          .delay = some(0.1),
          .break_watch = some(0.3),
          .expire_watch = some(0.3),
          .hold_watch = some(0.3),
          .repeat_event = some(0.3),
          .stale_list = some(0.5)};
}

// What should be there in the end.
using Wanted = std::map<std::string, int>;

class Schedule {
 public:
  explicit Schedule(std::uint64_t seed) : random_(seed), env_(setup, {.seed = seed, .faults = draw_faults(random_)}) {
    env_.set_meanwhile([this] {
      if (random_.chance(0.2)) act_of_people();
    });
  }

  void run() {
    const auto acts = random_.between(3, 20);
    for (std::int64_t i = 0; i < acts; ++i) {
      act();
      pass_time();
    }
    make_peace();
  }

  void check() {
    EXPECT_EQ(env_.list<apps::Deployment>().size(), wanted_.size());
    for (const auto& [name, size] : wanted_) {
      const auto m = env_.get<Memcached>(name);
      const auto deployment = env_.get<apps::Deployment>(name);
      EXPECT_EQ(deployment.spec.replicas, size) << name;
      EXPECT_EQ(deployment.metadata.ownerReferences.size(), 1U) << name;
      EXPECT_TRUE(is_owned_by(deployment, m)) << name;
      EXPECT_EQ(m.status.nodes.size(), ready_[name]) << name;
      EXPECT_EQ(m.status.conditions.is_true("Available"), ready_[name] == size_t(size)) << name;
    }
    EXPECT_THAT(env_.writes_of_a_second_pass(), IsEmpty());
  }

  std::string log() { return env_.take_log(); }
  flyball::testing::FaultCounts counts() { return env_.transport().counts(); }

 private:
  std::string any_name() { return "cache-" + std::to_string(random_.below(3)); }

  void act() {
    switch (random_.below(8)) {
      case 0: return env_.crash();
      case 1: return env_.transport().set_down(random_.chance(0.5));
      case 2: return forget_history();
      default: return act_of_people();
    }
  }

  void act_of_people() {
    switch (random_.below(5)) {
      case 0:
      case 1: return want(any_name(), static_cast<int>(random_.between(1, 5)));
      case 2: return make_pod(any_name());
      case 3: return meddle(any_name());
      default: return drop(any_name());
    }
  }

  // Everything breaks off, somebody acts meanwhile, and the server no longer knows what happened.
  void forget_history() {
    env_.transport().set_down(true);
    env_.advance(1s);
    act_of_people();
    env_.server().store().compact(env_.server().store().revision());
    env_.transport().set_down(false);
  }

  void want(const std::string& name, int size) {
    env_.apply("apiVersion: cache.example.com/v1alpha1\nkind: Memcached\nmetadata: {name: " + name +
               "}\nspec: {size: " + std::to_string(size) + "}");
    wanted_[name] = size;
  }

  void make_pod(const std::string& name) {
    make_ready(env_, name, name + "-" + std::to_string(++pods_));
    ++ready_[name];
  }

  // Somebody changes what is the operator's.
  void meddle(const std::string& name) {
    if (!env_.find<apps::Deployment>(name)) return;
    if (random_.chance(0.3)) return env_.delete_<apps::Deployment>(name);
    env_.edit<apps::Deployment>(name, [](auto& deployment) { deployment.spec.replicas = 9; });
  }

  void drop(const std::string& name) {
    if (wanted_.erase(name) != 0) env_.delete_<Memcached>(name);
  }

  void pass_time() {
    if (random_.chance(0.8)) env_.start_if_down();
    const auto steps = random_.below(30);
    for (std::uint64_t i = 0; i < steps && env_.step(); ++i) {
    }
    if (random_.chance(0.3)) env_.collect_garbage();
    if (random_.chance(0.3)) env_.advance(std::chrono::milliseconds(random_.between(1, 20'000)));
  }

  void make_peace() {
    env_.set_meanwhile({});
    env_.transport().set_faults({});
    env_.transport().set_down(false);
    env_.start_if_down();
    env_.advance(5min);
    // The garbage collector of a cluster works all the time.
    while (env_.collect_garbage() != 0) env_.advance(5min);
    env_.advance(20min);
  }

  Random random_;
  TestEnvironment env_;
  Wanted wanted_;
  std::map<std::string, std::size_t> ready_;
  int pods_ = 0;
};

TEST(MemcachedFaults, EveryScheduleEndsWhereItShould) {
  const std::uint64_t first = number_from("FLYBALL_SEED", 1);
  const std::uint64_t usual = std::getenv("FLYBALL_NIGHTLY") != nullptr ? 2000 : 200;
  const std::uint64_t schedules = std::getenv("FLYBALL_SEED") != nullptr ? 1 : number_from("FLYBALL_SCHEDULES", usual);
  flyball::testing::FaultCounts counts;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    Schedule schedule(seed);
    try {
      schedule.run();
      schedule.check();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    counts += schedule.counts();
    if (HasFailure()) {
      FAIL() << "Repeat it with FLYBALL_SEED=" << seed << ". What the operator said:\n" << schedule.log();
    }
  }
  std::cout << schedules << " schedules: " << counts.to_string() << "\n";
  // A fault that never happens proves nothing.
  EXPECT_TRUE(schedules < 100 || counts.all_happened()) << counts.to_string();
}

}  // namespace
