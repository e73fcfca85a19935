// Queue: which keys are to be reconciled, and which of them next.
//
//   Queue queue(clock, random, {.name = "memcached", .metrics = &metrics});
//   queue.add({.namespace_ = "shop", .name = "web"}, {.reason = "updated"});
//
//   while (auto work = queue.take(stop)) {               // one such loop in each worker thread
//     reconcile(work->key(), work->causes());
//     work->done();                                      // or requeue_after(10min), or retry()
//   }
//
// What it promises:
// - A key waits once, however often it is added, and its causes are kept together.
// - A key never runs twice at the same time. One that is added while it runs runs again after.
// - A pass that failed is tried again after 5 ms, 10 ms, 20 ms … up to 1000 s, per key; a pass that succeeded starts
//   the row anew. A work that is dropped without a word has failed: an exception needs no special care.
// - Of several times for one key the earliest counts. A change wakes a key out of its backoff.
// - Namespaces take turns; priorities age, so nothing starves (docs/queue.md says how long it may take).
// - No more than `rate` passes begin per second, if one is set.
//
// On one thread, for simulation, try_take() and next_due() do what take() does:
//
//   if (auto work = queue.try_take()) …
//   else clock.jump(queue.next_due() - clock.now());
//
// Thread-safety: all members of Queue may be called from any thread; a Work belongs to one at a time.
// Lifetime: clock, random and metrics outlive the queue, the queue its works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "flyball/base/condition.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/detail/fair_order.hpp"
#include "flyball/runtime/detail/queue_metrics.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/token_bucket.hpp"

namespace flyball::runtime {

class Queue;

// What the objects get that were there already when the operator started: changes go first.
inline constexpr int kLowPriority = -100;

struct QueueOptions {
  std::string name = "queue";  // the label `name` and `controller` of its metrics; one queue per name and registry
  Duration backoff_first = std::chrono::milliseconds(5);
  Duration backoff_most = std::chrono::seconds(1000);
  double backoff_jitter = 0.1;  // each wait is shorter by a random part of up to this
  // How much earlier a key must have come to go before one with a point of priority more.
  Duration priority_step = std::chrono::milliseconds(300);
  RateLimit rate = {};  // of passes that begin; default: no limit
  // Keys for which this gives the same share a turn. Default: cluster and namespace.
  std::function<std::string(const Key&)> fair_share = {};
  Metrics* metrics = nullptr;  // outlives the queue
};

struct AddOptions {
  Duration after = {};  // not before this time has passed
  int priority = 0;     // higher goes first; from -1000 to 1000
};

// One pass over one key: from take() until it says how it went.
class [[nodiscard]] Work {
 public:
  Work(Work&& other) noexcept;
  Work& operator=(Work&& other) = delete;
  ~Work();  // retry(), if nothing was said

  const Key& key() const { return key_; }
  // Why it runs: everything that came since the last pass began.
  const Causes& causes() const { return causes_; }
  // How many passes before this one failed in a row.
  std::uint32_t failures() const { return failures_; }
  // How long it was ready before it was taken.
  Duration waited() const { return waited_; }

  // It went well, or trying again is no use.
  void done();
  // It went well, and is to run again after this time.
  void requeue_after(Duration after);
  // It failed. Gives the time until it is tried again.
  Duration retry();

 private:
  friend class Queue;
  Work(Queue& queue, Key key, Causes causes, std::uint32_t failures, Duration waited)
      : queue_(&queue), key_(std::move(key)), causes_(std::move(causes)), failures_(failures), waited_(waited) {}

  Queue* queue_;  // null when it was said how it went
  Key key_;
  Causes causes_;
  std::uint32_t failures_;
  Duration waited_;
};

class Queue {
 public:
  // What becomes of the keys that are ready when the queue is shut down.
  enum class Waiting : std::uint8_t {
    dropped,
    finished,  // take() still gives them out
  };

  Queue(Clock& clock, Random& random, QueueOptions options = {});
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Nothing happens after shut_down().
  void add(const Key& key, Cause cause = {}, const AddOptions& options = {});

  // Waits for a key. Nothing at the stop, and when the queue was shut down and has no more.
  std::optional<Work> take(const Stop& stop);
  // A key, if one is ready now.
  std::optional<Work> try_take();
  // When try_take() will give a key, if nothing is added: now or earlier, if it would now. kNever: not at all.
  TimePoint next_due() const;

  // Takes no more keys and forgets those that are due later. Passes that run may finish, but not come again.
  void shut_down(Waiting waiting = Waiting::dropped);
  // Waits until no key is ready and none runs; false when the deadline or the stop came first. Keys that are due later
  // do not count. After shut_down(Waiting::finished) this is the drain.
  bool wait_until_idle(TimePoint deadline, const Stop& stop = {});

  std::size_t ready() const;    // keys that would run now
  std::size_t delayed() const;  // keys that are due later
  std::size_t running() const;
  // The longest any key has been ready: grows without bound only when there are too few workers.
  Duration oldest() const;

 private:
  friend class Work;
  using Entry = detail::QueueEntry;
  using Delayed = std::pair<TimePoint, std::uint64_t>;

  Duration finish(const Key& key, std::optional<Duration> again);
  Duration fail(const Key& key);
  Duration backoff(std::uint32_t failures) const;
  Duration finish_locked(const Key& key, Entry& entry, std::optional<Duration> again) FLYBALL_REQUIRES(mutex_);

  std::string lane_of(const Entry& entry) const;
  void want(Entry& entry, TimePoint due, int priority, TimePoint now) FLYBALL_REQUIRES(mutex_);
  void put(Entry& entry, TimePoint now) FLYBALL_REQUIRES(mutex_);
  void lift(Entry& entry) FLYBALL_REQUIRES(mutex_);
  void promote_due(TimePoint now) FLYBALL_REQUIRES(mutex_);
  std::optional<Work> take_ready() FLYBALL_REQUIRES(mutex_);
  TimePoint next_due_locked() const FLYBALL_REQUIRES(mutex_);
  void changed() FLYBALL_REQUIRES(mutex_);
  bool idle() const FLYBALL_REQUIRES(mutex_) { return ready_.empty() && running_.empty(); }

  // Constant after construction.
  Clock& clock_;
  Random& random_;
  const QueueOptions options_;
  const detail::QueueMetrics metrics_;

  mutable Mutex mutex_;
  Condition work_;  // something is ready, or due earlier than it was
  Condition idle_;
  std::unordered_map<Key, Entry> entries_ FLYBALL_GUARDED_BY(mutex_);
  detail::FairOrder ready_ FLYBALL_GUARDED_BY(mutex_);
  std::set<std::pair<Delayed, Entry*>> delayed_ FLYBALL_GUARDED_BY(mutex_);
  std::unordered_set<const Entry*> running_ FLYBALL_GUARDED_BY(mutex_);
  TokenBucket bucket_ FLYBALL_GUARDED_BY(mutex_);
  std::uint64_t sequence_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::uint64_t changes_ FLYBALL_GUARDED_BY(mutex_) = 0;
  bool shut_ FLYBALL_GUARDED_BY(mutex_) = false;

  detail::QueueSamples samples_;  // last: their functions use all of the above
};

}  // namespace flyball::runtime
