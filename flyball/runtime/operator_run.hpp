// OperatorRun: an operator that runs: its cache, its controllers, its events.
//
//   OperatorRun run(op, client, clock, random, {.concurrency = 8, .metrics = &metrics});
//   run.run(stop);                                        // comes back when stopped and everything has ended
//
// The order of things. At start: watches first; when everything there is has been read, passes. At the stop: no more
// passes begin, those that run get `shutdown_timeout` to end, what they had to say is written, then the watches end.
//
// On one thread, for tests and simulation, step() does one thing: takes an event from one watch, runs one pass, or
// writes one event. What it does first may be left to chance.
//
//   OperatorRun run(op, client, clock, random, {.threads = false});
//   run.start();
//   while (run.step(stop)) {}
//
// Thread-safety: run() once; the rest from any thread; step() by one. Lifetime: everything it is given outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/client/client.hpp"
#include "flyball/runtime/controller.hpp"
#include "flyball/runtime/events.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/probes.hpp"

namespace flyball::runtime {

struct OperatorRunOptions {
  std::vector<std::string> namespaces = {};  // empty: all
  std::uint32_t concurrency = 4;
  std::size_t cache_budget = 0;  // bytes of each kind; 0: no limit
  cache::SaveOptions saved = {};
  Duration shutdown_timeout = std::chrono::seconds(25);
  Duration watch_silence = std::chrono::minutes(5);  // after that a watch counts as dead, and makes it unready
  bool threads = true;
  Random* order = nullptr;  // without threads: who goes first
  Logger log = {};
  Metrics* metrics = nullptr;
};

class OperatorRun {
 public:
  OperatorRun(const Operator& op, const client::Client& client, Clock& clock, Random& random,
              OperatorRunOptions options = {});
  ~OperatorRun();
  OperatorRun(const OperatorRun&) = delete;
  OperatorRun& operator=(const OperatorRun&) = delete;

  // With threads: everything, from start to end. Throws when a budget is exceeded.
  void run(const Stop& stop);

  // Without: begins to listen, then one thing at a time. False when there is nothing to do now.
  void start();
  bool step(const Stop& stop);
  // An event of one watch, and nothing else.
  bool step_watches(const Stop& stop);
  // When there will be, if nothing changes.
  TimePoint next_due() const;

  // Everything there is has been read; false before the start.
  bool is_synced() const { return started_ && cache_.is_synced(); }
  cache::Cache& cache() noexcept { return cache_; }
  const std::vector<std::unique_ptr<Controller>>& controllers() const noexcept { return controllers_; }
  Controller& controller(std::string_view name) const;
  // For a ProbeServer.
  const Checks& live() const noexcept { return live_; }
  const Checks& ready() const noexcept { return ready_; }

 private:
  std::string dead_watches() const;
  bool step_controllers(const Stop& stop);
  void shut_down();

  // Constant after construction.
  Clock& clock_;
  const OperatorRunOptions options_;
  const Logger log_;

  client::Client client_;
  EventRecorder events_;
  cache::Cache cache_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::atomic<bool> started_ = false;
  Checks live_;
  Checks ready_;
};

}  // namespace flyball::runtime

namespace flyball {
using runtime::OperatorRun;
}  // namespace flyball
