// Clock: the only source of time. Passed in by reference; nothing above `base` reads the machine's clock or sleeps.
//
//   RealClock clock;                                    // production
//   ManualClock clock;                                  // tests: manual_clock.hpp
//   const TimePoint deadline = clock.after(30s);
//
// To wait, use a Condition (condition.hpp), which parks through the clock, so that a manual clock knows who waits.
//
// Thread-safety: all members may be called from any thread. Lifetime: the clock outlives everything that was given it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "flyball/base/mutex.hpp"

namespace flyball {

class Condition;

using Duration = std::chrono::nanoseconds;
// A point on the monotonic line: for deadlines and for how long something took.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;
// A date: for timestamps that people and other machines read. It may jump.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

inline constexpr TimePoint kNever = TimePoint::max();

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual TimePoint now() const = 0;
  virtual WallTime wall_now() const = 0;

  // now() + d; kNever when that is beyond the end of time.
  TimePoint after(Duration d) const;

 private:
  friend class Condition;
  friend class Participant;
  friend class OutsideScope;

  // Sleep until `condition` is notified past `ticket` or `deadline` is reached; gives `mutex` back meanwhile.
  // May return early.
  virtual void park(Condition& condition, std::uint64_t ticket, Mutex& mutex, TimePoint deadline)
      FLYBALL_REQUIRES(mutex) = 0;
  virtual void wake(Condition& condition, bool all) = 0;

  // For ManualClock::settle: a thread that works on this clock begins to be busy / stops being busy.
  virtual void begin_busy(const std::string& name) = 0;
  virtual void end_busy(const std::string& name) = 0;
};

class RealClock final : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall_now() const override { return std::chrono::system_clock::now(); }

 private:
  void park(Condition& condition, std::uint64_t ticket, Mutex& mutex, TimePoint deadline) override;
  void wake(Condition& condition, bool all) override;
  void begin_busy(const std::string&) override {}
  void end_busy(const std::string&) override {}
};

// Tells the clock that a thread does work it should wait for in ManualClock::settle(). `Thread` and everything built
// on it (pool, timers) does this already; a test that lets its own thread take part makes one by hand.
//
// The token is made where the thread is started, so that settle() cannot miss a thread that has not begun to run yet,
// and bound inside that thread:
//
//   Participant token(clock, "worker");
//   std::thread worker([&] { token.bind(); ... });
class Participant {
 public:
  Participant(Clock& clock, std::string name);
  ~Participant();  // on the thread that was bound, if one was
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  void bind() noexcept;

 private:
  friend class ManualClock;
  friend class OutsideScope;
  // The participant of the calling thread on `clock`, or null.
  static const Participant* current(const Clock& clock) noexcept;

  Clock& clock_;
  const std::string name_;
  Participant* outer_ = nullptr;
  bool bound_ = false;
};

// Around a call that blocks on the outside world (a socket, a child process): settle() does not wait for this thread
// meanwhile. What the outside answers, and when, is then no longer under the test's control.
class OutsideScope {
 public:
  explicit OutsideScope(Clock& clock);
  ~OutsideScope();
  OutsideScope(const OutsideScope&) = delete;
  OutsideScope& operator=(const OutsideScope&) = delete;

 private:
  Clock& clock_;
  const Participant* participant_;
};

}  // namespace flyball
