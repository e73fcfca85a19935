// flyball_scenario_tests: without a flag, every scenario is a test of our own server and controllers. With one, on a
// cluster in real time, several at once, compared with what was recorded:
//   --record [scenario…]           the real server and its controllers; writes what is seen
//   --check [scenario…]            the same; compares
//   --ours-on-real [scenario…]     the real server with our controllers
//   --kubeconfig FILE [scenario…]  whatever is there
#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "suite.hpp"
#include "world.hpp"
#include <gtest/gtest.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"

namespace flyball::scenarios {
namespace {

constexpr std::size_t kAtOnce = 12;

class ScenarioTest : public ::testing::Test {
 public:
  ScenarioTest(std::string directory, std::string name) : directory_(std::move(directory)), name_(std::move(name)) {}

  void TestBody() override {
    const Scenario scenario = load_scenario(directory_, name_);
    const auto world = embedded_world(scenario.scheduler);
    const auto seen = run_scenario(*world, scenario);
    const std::string wrong = compare(name_, load_seen(directory_, name_), seen, load_known(directory_));
    if (!wrong.empty()) ADD_FAILURE() << name_ << " does not go as with the real controllers:\n" << wrong;
  }

 private:
  const std::string directory_;
  const std::string name_;
};

void register_scenarios(const std::string& directory) {
  for (const std::string& name : scenario_names(directory)) {
    [[maybe_unused]] const auto slash = name.find('/');
#ifndef __clang_analyzer__  // it takes what RegisterTest keeps for good as lost
    ::testing::RegisterTest(("Scenario_" + name.substr(0, slash)).c_str(), name.substr(slash + 1).c_str(), nullptr,
                            nullptr, __FILE__, __LINE__,
                            [directory, name] { return new ScenarioTest(directory, name); });
#endif
  }
}

struct RealRun {
  std::string mode;
  std::string directory;
  std::string kubeconfig = {};
};

// What is wrong with one; empty when nothing is.
std::string run_one(const RealRun& run, World& world, const Scenario& scenario) {
  try {
    const auto seen = run_scenario(world, scenario);
    if (run.mode == "--record") {
      save_seen(run.directory, scenario.name, seen);
      return {};
    }
    const auto known = run.mode == "--ours-on-real" ? load_known(run.directory) : std::vector<KnownDifference>();
    return compare(scenario.name, load_seen(run.directory, scenario.name), seen, known);
  } catch (const std::exception& error) {
    return std::string(error.what()) + "\n";
  }
}

int run_all(const RealRun& run, World& world, const std::vector<Scenario>& scenarios, std::size_t at_once) {
  std::atomic<std::size_t> next = 0;
  std::atomic<int> wrong = 0;
  std::mutex talk;
  const auto work = [&] {
    for (std::size_t i = 0; (i = next++) < scenarios.size();) {
      const std::string text = run_one(run, world, scenarios[i]);
      const std::lock_guard lock(talk);
      std::cout << (text.empty() ? "ok   " : "WRONG ") << scenarios[i].name << '\n' << text << std::flush;
      if (!text.empty()) ++wrong;
    }
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < std::min(at_once, scenarios.size()); ++i) workers.emplace_back(work);
  workers.clear();
  return wrong;
}

std::unique_ptr<World> world_for(Clock& clock, const RealRun& run, bool scheduler) {
  if (run.mode == "--kubeconfig") return world_of(clock, run.kubeconfig);
  const bool ours = run.mode == "--ours-on-real";
  return kubernetes_world(clock, ours ? Controllers::ours : Controllers::theirs, scheduler);
}

// Those that need nodes one after the other, on a cluster of their own: the nodes of one would be in another's way.
int with_real_time(const RealRun& run, const Filters& filters) {
  for (const std::string& filter : filters) {
    if (scenario_names(run.directory, {filter}).empty()) {
      throw Error("there is no scenario whose name begins with " + filter);
    }
  }
  RealClock clock;
  int wrong = 0;
  for (const bool scheduler : {false, true}) {
    std::vector<Scenario> scenarios;
    for (const std::string& name : scenario_names(run.directory, filters)) {
      Scenario one = load_scenario(run.directory, name);
      if (one.scheduler == scheduler) scenarios.push_back(std::move(one));
    }
    if (scenarios.empty()) continue;
    const auto world = world_for(clock, run, scheduler);
    wrong += run_all(run, *world, scenarios, scheduler ? 1 : kAtOnce);
  }
  if (wrong != 0) std::cerr << "scenarios: " << wrong << " are wrong\n";
  return wrong == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  RealRun run{.mode = argc > 1 ? argv[1] : "", .directory = FLYBALL_SCENARIOS_DIR};
  std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
  if (run.mode == "--kubeconfig") {
    if (arguments.empty()) throw Error("--kubeconfig needs a file");
    run.kubeconfig = arguments.front();
    arguments.erase(arguments.begin());
  }
  for (const std::string_view mode : {"--record", "--check", "--ours-on-real", "--kubeconfig"}) {
    if (run.mode == mode) return with_real_time(run, arguments);
  }
  ::testing::InitGoogleTest(&argc, argv);
  register_scenarios(run.directory);
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace flyball::scenarios

int main(int argc, char** argv) {
  try {
    return flyball::scenarios::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "scenarios: " << error.what() << '\n';
    return 1;
  }
}
