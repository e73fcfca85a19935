// Timers: run something later, on the injected clock.
//
//   Timers timers(clock);                                            // with a thread of its own
//   const TimerId id = timers.after(30s, [] { resync(); });
//   timers.cancel(id);
//
// On one thread, for simulation, nothing runs by itself:
//
//   Timers timers(clock, {.thread = false});
//   clock.jump(timers.next_due() - clock.now());
//   timers.run_due();
//
// Callbacks run one after the other, in the order of their deadlines, so keep them short: post the work to a pool. An
// exception in one is caught, counted and given to `on_error`.
//
// Thread-safety: all members may be called from any thread, also from callbacks; run_due from one thread at a time.
// Lifetime: the destructor waits for a running callback and drops the timers that are left.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "flyball/base/condition.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/base/timer_wheel.hpp"

namespace flyball {

class Timers {
 public:
  using Callback = TimerWheel::Callback;
  struct Options {
    bool thread = true;                                     // false: run_due() drives
    std::string name = "timers";                            // of the thread
    std::function<void(std::exception_ptr)> on_error = {};  // must not throw
  };

  explicit Timers(Clock& clock) : Timers(clock, Options()) {}
  Timers(Clock& clock, Options options);
  ~Timers();
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  TimerId at(TimePoint deadline, Callback callback);
  TimerId after(Duration d, Callback callback) { return at(clock_.after(d), std::move(callback)); }

  // True when the callback will not run. False when it already ran, or is the one that calls this. A callback that is
  // running on another thread is waited for: do not hold a lock that it needs.
  bool cancel(TimerId id);

  // Requests the stop when the deadline of `source` passes, so that its callbacks run then too.
  TimerId stop_at_deadline(const StopSource& source);

  // Without a thread: runs what is due now and returns how many ran. Timers that callbacks add wait for the next call.
  std::size_t run_due();

  // kNever when there is none.
  TimePoint next_due() const;
  std::size_t size() const;
  // How many callbacks have thrown.
  std::uint64_t failures() const noexcept { return failures_.load(std::memory_order_relaxed); }

 private:
  void run(const Stop& stop);
  std::size_t run_collected() FLYBALL_REQUIRES(mutex_);
  void call(const Callback& callback) noexcept;

  // Constant after construction.
  Clock& clock_;
  const Options options_;

  std::atomic<std::uint64_t> failures_ = 0;

  mutable Mutex mutex_;
  Condition earlier_;  // a timer came that is due before the thread meant to wake
  Condition ran_;      // running_ has changed
  TimerWheel wheel_ FLYBALL_GUARDED_BY(mutex_);
  TimePoint wake_at_ FLYBALL_GUARDED_BY(mutex_) = kNever;
  TimerId running_ FLYBALL_GUARDED_BY(mutex_) = TimerId::none;
  std::thread::id runner_ FLYBALL_GUARDED_BY(mutex_);

  StopSource stop_;
  std::unique_ptr<Thread> thread_;  // last: it uses all of the above
};

}  // namespace flyball
