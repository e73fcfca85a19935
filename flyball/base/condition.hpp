// Condition: wait for guarded state to change, through the injected clock, until a deadline or a stop.
//
//   MutexLock lock(mutex_);
//   if (!ready_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return !queue_.empty(); })) return;  // stopped
//
// All waits return whether the predicate holds at the end: false means the deadline passed or the stop came first.
// A true predicate wins over both. The predicate runs with the mutex held and must not block.
//
// Notify after the state changed, with or without the mutex held. Requesting the stop while holding the mutex is fine.
//
// Thread-safety: all members may be called from any thread. Lifetime: outlives its waiters; the clock outlives it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "flyball/base/clock.hpp"
#include "flyball/base/cond_var.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"

namespace flyball {

class Condition {
 public:
  explicit Condition(Clock& clock) : clock_(clock) {}
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  Clock& clock() const noexcept { return clock_; }

  void notify_one() { clock_.wake(*this, false); }
  void notify_all() { clock_.wake(*this, true); }

  // The analysis is off inside: the predicate's own annotation names the caller's mutex, which it cannot match with
  // the parameter. Callers are still checked.
  template <class Predicate>
  bool wait_until(Mutex& mutex, TimePoint deadline, const Stop& stop, Predicate&& predicate)
      FLYBALL_REQUIRES(mutex) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
    if (predicate()) return true;
    const TimePoint end = std::min(deadline, stop.deadline());
    // Taken before each look at the world: a notification after it makes park() return at once.
    const StopCallback wake_on_stop(stop, [this] { notify_all(); });
    while (true) {
      const std::uint64_t ticket = epoch_.load(std::memory_order_acquire);
      if (predicate()) return true;
      if (stop.stopped() || clock_.now() >= end) return false;
      clock_.park(*this, ticket, mutex, end);
    }
  }

  template <class Predicate>
  bool wait(Mutex& mutex, const Stop& stop, Predicate&& predicate)
      FLYBALL_REQUIRES(mutex) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
    return wait_until(mutex, kNever, stop, predicate);
  }

 private:
  friend class RealClock;
  friend class ManualClock;

  // Constant after construction.
  Clock& clock_;

  // Counts notifications. Changed only by the clock, under parking_ (real) or its own lock (manual).
  std::atomic<std::uint64_t> epoch_ = 0;

  // Used by the real clock only.
  Mutex parking_;
  CondVar sleepers_;
};

// Rest until `deadline`: true when it was reached, false when the stop came first.
bool pause_until(Clock& clock, TimePoint deadline, const Stop& stop);

}  // namespace flyball
