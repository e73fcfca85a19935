// EventRecorder: tells people what happened to an object, as events.k8s.io/v1 Events: what `kubectl describe` shows.
//
//   EventRecorder events(client, clock, random, {.controller = "memcached-operator"});
//   events.record({.regarding = reference_to(memcached), .reason = "Scaled", .action = "Reconcile",
//                  .note = "3 pods run now"});
//   ...
//   events.stop(clock.after(2s));                       // what is still to be told is written first
//
// record() never waits for the server: it notes the event and returns. The same event again (object, type, reason,
// action and note) within six minutes becomes one Event with a count, written at most every ten seconds. An object
// gets 25 different events at once and one more every five minutes; what is above that, and what does not fit when the
// server cannot be reached, is dropped and counted (`flyball_events_total`): a loop of errors must not become a loop
// of writes.
//
// On one thread, for simulation, nothing is written by itself: {.thread = false}, then step() at next_due().
//
// Thread-safety: all members may be called from any thread; step() from one at a time.
// Lifetime: clock, random and metrics outlive the recorder; the destructor drops what is not written yet.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "flyball/base/condition.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/client.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/runtime/detail/event_book.hpp"
#include "flyball/runtime/event_note.hpp"

namespace flyball::runtime {

struct EventRecorderOptions {
  std::string controller = "flyball";  // who reports: a name as a label key may have, "example.com/memcached-operator"
  std::string instance = {};           // which of them: the pod's name; empty: the controller's
  Duration series_interval = std::chrono::seconds(10);  // between two writes of one event that repeats
  Duration series_ends = std::chrono::minutes(6);       // without a repetition: the next is a new event
  client::RateLimit per_object = {.per_second = 1.0 / 300, .burst = 25};
  std::size_t most_waiting = 1000;  // events that are not written yet
  int tries = 5;                    // to write one, when the server cannot be reached
  bool thread = true;               // false: step() writes
  Logger log = {};                  // what cannot be written: a line at warn
  Metrics* metrics = nullptr;
};

class EventRecorder {
 public:
  EventRecorder(Client client, Clock& clock, Random& random, EventRecorderOptions options);
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // Throws InputError when there is no object, reason or action; never for what the server would say.
  void record(const EventNote& note);

  // Takes no more events and writes what waits; false when the deadline came first.
  bool stop(TimePoint deadline);

  // Without a thread: writes one event that is due; false when none is.
  bool step(const Stop& stop);
  // When the next one is; kNever without one.
  TimePoint next_due() const;
  std::size_t waiting() const;

 private:
  struct Counts {
    Counter written;
    Counter merged;
    Counter dropped;
    Counter failed;
  };
  void run(const Stop& stop);
  void count(const Counter Counts::* which) const;
  void write(const detail::EventWrite& write, const Stop& stop);
  void send(const detail::EventWrite& write, const Client& with);

  // Constant after construction.
  const Client client_;
  Clock& clock_;
  Random& random_;
  const EventRecorderOptions options_;
  std::optional<Counts> counts_;

  mutable Mutex mutex_;
  Condition changed_;
  Condition ended_now_;
  detail::EventBook book_ FLYBALL_GUARDED_BY(mutex_);
  bool stopping_ FLYBALL_GUARDED_BY(mutex_) = false;  // no more events; those that wait are due now
  bool ended_ FLYBALL_GUARDED_BY(mutex_) = false;     // the thread writes no more

  StopSource stop_;
  std::unique_ptr<Thread> thread_;  // last: it uses all of the above
};

}  // namespace flyball::runtime
