// OperatorRun: an operator that runs: its cache, its controllers, its events.
//
//   OperatorRun run(op, client, clock, random, {.concurrency = 8, .metrics = &metrics});
//   run.run(stop);                                        // comes back when stopped and everything has ended
//
// The order of things. At start: watches first; when everything there is has been read, passes. At the stop: no more
// passes begin, those that run get `shutdown_timeout` to end, what they had to say is written, then the watches end.
//
// With {.leader_election = …} there may be several replicas, and passes begin when this one leads
// (leader_election.hpp). Until then it stands by, warm: it watches everything and queues what there is to do. At the
// stop the lease is released last, unless a pass had to be cut off, whose last write may still be on its way. When
// leadership is lost, passes are cut off at once, and run() throws.
//
// On one thread, for tests and simulation, step() does one thing: takes an event from one watch, runs one pass, or
// writes one event. What it does first may be left to chance.
//
//   OperatorRun run(op, client, clock, random, {.threads = false});
//   run.start();
//   while (run.step(stop)) {}
//   run.end();                                            // as at the stop; without it, as by kill -9
//
// Thread-safety: run() once; the rest from any thread; step() by one. Lifetime: everything it is given outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/client/client.hpp"
#include "flyball/runtime/controller.hpp"
#include "flyball/runtime/events.hpp"
#include "flyball/runtime/leader_election.hpp"
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
  // None: it is the only one, and need not ask. Log and metrics are the run's.
  std::optional<LeaderElectionOptions> leader_election = {};
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

  // With threads: everything, from start to end. Throws when a budget is exceeded, and LeadershipLost.
  void run(const Stop& stop);

  // Without: begins to listen, then one thing at a time. False when there is nothing to do now. Throws LeadershipLost.
  void start();
  bool step(const Stop& stop);
  // The end, as run() has it: no more passes, what they had to say is written, the lease is released.
  void end();
  // An event of one watch, and nothing else.
  bool step_watches(const Stop& stop);
  // When there will be, if nothing changes.
  TimePoint next_due() const;

  // Everything there is has been read; false before the start.
  bool is_synced() const { return started_ && cache_.is_synced(); }
  // Its passes may begin, as far as other replicas are concerned.
  bool leads() const { return election_ == nullptr || election_->leads(); }
  // Null without one.
  const LeaderElection* leader_election() const noexcept { return election_.get(); }
  cache::Cache& cache() noexcept { return cache_; }
  const std::vector<std::unique_ptr<Controller>>& controllers() const noexcept { return controllers_; }
  Controller& controller(std::string_view name) const;
  // For a ProbeServer.
  const Checks& live() const noexcept { return live_; }
  const Checks& ready() const noexcept { return ready_; }

 private:
  std::string dead_watches() const;
  bool step_controllers(const Stop& stop);
  bool step_election(const Stop& stop);
  bool may_work(const Controller& controller) const { return !controller.spec().needs_leader || leads(); }
  void begin_work(std::vector<std::unique_ptr<Thread>>& workers, const Stop& end, bool of_the_leader);
  // Until the stop, or until leadership is lost.
  void wait_for_the_end(const Stop& stop);
  // True when no pass had to be cut off.
  bool shut_down();
  void throw_if_lost() const;
  Stop leadership() const { return election_ == nullptr ? Stop() : election_->leadership(); }

  // Constant after construction.
  Clock& clock_;
  const OperatorRunOptions options_;
  const Logger log_;

  client::Client client_;
  std::unique_ptr<LeaderElection> election_;  // null: none
  client::Client leaders_client_;             // whose writes are fenced
  EventRecorder events_;
  cache::Cache cache_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::atomic<bool> started_ = false;
  bool competing_ = false;  // without threads
  Checks live_;
  Checks ready_;
};

}  // namespace flyball::runtime

namespace flyball {
using runtime::OperatorRun;
}  // namespace flyball
