// ManualClock: time that moves only when a test says so, and knows when everybody has come to rest.
//
//   ManualClock clock;
//   Server server(clock);             // its threads are flyball::Thread, its waits are Condition
//   server.post(job);
//   clock.settle();                   // all of the server's threads wait again: the job is done
//   clock.advance(30s);               // every timer in these 30 s has fired, in order, and its effects are done
//
// How settle() knows: every thread that works on the clock is a Participant (Thread makes it one), and every wait goes
// through the clock. A thread is *parked* from the moment it waits until the moment it is notified or its deadline is
// reached; it counts as busy again at that moment, before it has run a single instruction. So "nobody is busy" is
// exact: nothing more happens until the test acts or moves the time. settle() itself sleeps; it does not poll.
//
// Not seen by the clock: threads that are not participants, bare mutexes and sockets. A thread that blocks on the
// outside marks it with OutsideScope; one that never comes to rest makes settle() throw after `settle_limit` of real
// time, with the names of the busy threads.
//
// Thread-safety: all members may be called from any thread. Lifetime: outlives everything that was given it.
#pragma once

#include <atomic>
#include <list>
#include <set>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/cond_var.hpp"

namespace flyball {

class ManualClock final : public Clock {
 public:
  struct Options {
    // The date when the clock is made: 2026-01-01T00:00:00Z.
    WallTime wall_start = WallTime(std::chrono::seconds(1767225600));
    // Whenever nobody is busy, jump to the next deadline somebody waits for. The thread of the test should then be a
    // Participant too, or time runs away while it thinks.
    bool auto_advance = false;
    // How long settle() waits in real time before it gives up.
    std::chrono::seconds settle_limit{60};
  };

  ManualClock() : ManualClock(Options()) {}
  explicit ManualClock(Options options) : options_(options) {}

  TimePoint now() const override { return TimePoint(Duration(now_.load(std::memory_order_acquire))); }
  WallTime wall_now() const override;

  // Waits until no participant (but the caller) is busy.
  void settle() const;
  // Moves time by `d`, stopping at every deadline on the way and settling at each stop and at the end.
  void advance(Duration d);
  // Moves to the next deadline somebody waits for and settles. False, and nothing moved, when there is none.
  bool advance_to_next();
  // Moves time in one leap, wakes whoever is due and returns at once.
  void jump(Duration d);
  // Moves the date alone, as an operator or NTP would.
  void shift_wall(Duration d);

  // The next deadline somebody waits for; kNever when there is none.
  TimePoint next_deadline() const;
  // How many waits are parked now, by participants and others.
  std::size_t parked() const;

 private:
  struct Waiter {
    Condition* condition;
    TimePoint deadline;
    const Participant* participant;
    bool woken = false;
    CondVar wake_up = {};
  };

  void park(Condition& condition, std::uint64_t ticket, Mutex& mutex, TimePoint deadline) override;
  void wake(Condition& condition, bool all) override;
  void begin_busy(const std::string& name) override;
  void end_busy(const std::string& name) override;

  void move_to(TimePoint time) FLYBALL_REQUIRES(mutex_);
  void wake_waiter(Waiter& waiter) FLYBALL_REQUIRES(mutex_);
  void remove_busy(const std::string& name) FLYBALL_REQUIRES(mutex_);
  void someone_rested() FLYBALL_REQUIRES(mutex_);
  TimePoint earliest() const FLYBALL_REQUIRES(mutex_);
  void settle_locked() const FLYBALL_REQUIRES(mutex_);

  // Constant after construction.
  const Options options_;

  // Written under mutex_, read anywhere. Starts at one hour, so that "an hour ago" is a time.
  std::atomic<Duration::rep> now_ = Duration(std::chrono::hours(1)).count();

  mutable Mutex mutex_;
  mutable CondVar rested_;
  std::list<Waiter*> waiters_ FLYBALL_GUARDED_BY(mutex_);  // parked and not woken, in order of arrival
  std::multiset<std::string> busy_ FLYBALL_GUARDED_BY(mutex_);
  Duration wall_shift_ FLYBALL_GUARDED_BY(mutex_) = {};
};

}  // namespace flyball
