// Controller: the control loop of one kind. Changes become keys in a queue, keys become passes.
//
//   Controller controller(spec, {.client = client, .cache = cache, .events = events, .clock = clock, .random =
//   random}); controller.start();                                    // listens; passes may begin when the cache is
//   synced controller.work(stop);                                 // on as many threads as passes may run at once
//
// On one thread, for tests and simulation:
//
//   while (controller.step(stop)) {}                       // every pass that is ready, one after the other
//   clock.jump(controller.next_due() - clock.now());
//
// What becomes of a pass: one that returns is done, or comes again when it asked to. One that throws is tried again
// after a pause that grows, with a Warning event, a line in the log and a metric; a conflict, which another try mends,
// is tried again without a word, unless it goes on; a Terminal error is not tried again. A pass that ran into its
// timeout has failed. One whose write was refused because another replica leads is broken off, and nobody is told. An
// exception of one object is nothing to the others.
//
// Thread-safety: all members but start() may be called from any thread. Lifetime: everything it is given outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/client/client.hpp"
#include "flyball/runtime/controller_spec.hpp"
#include "flyball/runtime/detail/controller_metrics.hpp"
#include "flyball/runtime/events.hpp"
#include "flyball/runtime/loop_detector.hpp"
#include "flyball/runtime/queue.hpp"
#include "flyball/runtime/reconcile_record.hpp"
#include "flyball/runtime/remembered_reads.hpp"

namespace flyball::runtime {

namespace detail {
class Pass;
}

struct ControllerParts {
  const client::Client& client;
  cache::Cache& cache;
  EventRecorder& events;
  Clock& clock;
  Random& random;
  Logger log = {};
  Metrics* metrics = nullptr;
  std::uint32_t concurrency = 4;  // where the spec says nothing
  std::size_t cache_budget = 0;   // of a kind, in bytes; 0: no limit
  std::size_t history = 1000;     // passes that are remembered
};

class Controller {
 public:
  Controller(const ControllerSpec& spec, ControllerParts parts);
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Begins to listen. What is there already is queued behind what changes.
  void start();
  // Runs passes until the stop, or until the queue is shut down and empty.
  void work(const Stop& stop);
  // One pass, if one is ready.
  bool step(const Stop& stop);
  // When step() will have something to do, if nothing changes.
  TimePoint next_due() const { return queue_.next_due(); }

  // Listens to one more kind, and to it no more: Context::follow.
  void follow(const client::Resource& resource, cache::Scope scope, Map map);
  void unfollow(const client::Resource& resource);
  std::vector<client::Resource> followed() const;

  // How many threads may work.
  std::uint32_t concurrency() const { return spec_.concurrency != 0 ? spec_.concurrency : parts_.concurrency; }
  Queue& queue() noexcept { return queue_; }
  const ControllerSpec& spec() const noexcept { return spec_; }
  // The latest passes, for people and tests.
  const ReconcileHistory& history() const noexcept { return history_; }
  // What the passes have read, for tests.
  const RememberedReads& remembered() const noexcept { return remembered_; }

 private:
  struct Outcome;
  struct Followed {
    Source source = {};
    cache::Watching watching = {};
  };

  cache::Watching listen_to(const Source& source);
  void heard(const Source& source, const cache::Change& change);
  bool is_wanted(const Source& source, const cache::Change& change) const;
  std::vector<kube::ObjectKey> mapped(const Map& map, const cache::Change& change) const;
  // Of what this controller listens to.
  cache::ReadView view() const;
  void pass_over(Work work, const Stop& stop);
  Outcome run(detail::Pass& pass, const Stop& stop) const;
  Outcome failed(detail::Pass& pass, const std::exception& error, bool quiet) const;
  void settle(Work& work, const Outcome& outcome);
  void record(ReconcileRecord record);

  // Constant after construction.
  const ControllerSpec& spec_;
  const ControllerParts parts_;
  const Logger log_;
  const detail::ControllerMetrics metrics_;

  std::vector<kube::GroupVersionKind> owned_;  // the kinds of children

  std::atomic<bool> working_ = false;  // what comes now is news
  std::atomic<std::uint64_t> passes_ = 0;
  Queue queue_;
  RememberedReads remembered_;
  ReconcileHistory history_;
  LoopDetector loops_;
  std::vector<cache::Watching> watching_;  // behind what their listeners use: all of the above
  mutable Mutex following_;
  std::map<std::string, std::unique_ptr<Followed>> followed_ FLYBALL_GUARDED_BY(following_);  // by resource
};

}  // namespace flyball::runtime
