#include "flyball/base/manual_clock.hpp"

#include <algorithm>

#include "flyball/base/condition.hpp"
#include "flyball/base/error.hpp"

namespace flyball {
namespace {

constexpr Duration kStart = std::chrono::hours(1);

}  // namespace

WallTime ManualClock::wall_now() const {
  MutexLock lock(mutex_);
  return options_.wall_start + (now().time_since_epoch() - kStart) + wall_shift_;
}

void ManualClock::settle() const {
  MutexLock lock(mutex_);
  settle_locked();
}

void ManualClock::advance(Duration d) {
  MutexLock lock(mutex_);
  const TimePoint end = now() + d;
  settle_locked();
  for (TimePoint next = earliest(); next <= end; next = earliest()) {
    move_to(next);
    settle_locked();
  }
  move_to(end);
  settle_locked();
}

bool ManualClock::advance_to_next() {
  MutexLock lock(mutex_);
  settle_locked();
  const TimePoint next = earliest();
  if (next == kNever) return false;
  move_to(next);
  settle_locked();
  return true;
}

void ManualClock::jump(Duration d) {
  MutexLock lock(mutex_);
  move_to(now() + d);
}

void ManualClock::shift_wall(Duration d) {
  MutexLock lock(mutex_);
  wall_shift_ += d;
}

TimePoint ManualClock::next_deadline() const {
  MutexLock lock(mutex_);
  return earliest();
}

std::size_t ManualClock::parked() const {
  MutexLock lock(mutex_);
  return waiters_.size();
}

// The analysis cannot follow a lock that is given back inside and taken again.
void ManualClock::park(Condition& condition, std::uint64_t ticket, Mutex& mutex,
                       TimePoint deadline) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
  {
    MutexLock lock(mutex_);
    if (condition.epoch_.load(std::memory_order_relaxed) != ticket || now() >= deadline) return;
    Waiter self{.condition = &condition, .deadline = deadline, .participant = Participant::current(*this)};
    waiters_.push_back(&self);
    mutex.unlock();
    if (self.participant != nullptr) remove_busy(self.participant->name_);
    someone_rested();
    while (!self.woken) self.wake_up.wait(mutex_);
  }
  mutex.lock();
}

void ManualClock::wake(Condition& condition, bool all) {
  MutexLock lock(mutex_);
  condition.epoch_.fetch_add(1, std::memory_order_release);
  for (auto it = waiters_.begin(); it != waiters_.end();) {
    Waiter& waiter = **it;
    if (waiter.condition != &condition) {
      ++it;
      continue;
    }
    it = waiters_.erase(it);
    wake_waiter(waiter);
    if (!all) return;
  }
}

void ManualClock::begin_busy(const std::string& name) {
  MutexLock lock(mutex_);
  busy_.insert(name);
}

void ManualClock::end_busy(const std::string& name) {
  MutexLock lock(mutex_);
  remove_busy(name);
  someone_rested();
}

void ManualClock::move_to(TimePoint time) {
  // Auto-advance may have been further already.
  if (time > now()) now_.store(time.time_since_epoch().count(), std::memory_order_release);
  std::list<Waiter*> due;
  for (auto it = waiters_.begin(); it != waiters_.end();) {
    const auto next = std::next(it);
    if ((*it)->deadline <= now()) due.splice(due.end(), waiters_, it);
    it = next;
  }
  for (Waiter* waiter : due) wake_waiter(*waiter);
}

// Busy from here on, not from when the thread gets to run: settle() depends on it.
void ManualClock::wake_waiter(Waiter& waiter) {
  if (waiter.participant != nullptr) busy_.insert(waiter.participant->name_);
  waiter.woken = true;
  waiter.wake_up.notify_one();
}

void ManualClock::remove_busy(const std::string& name) { busy_.erase(busy_.find(name)); }

void ManualClock::someone_rested() {
  if (options_.auto_advance && busy_.empty() && earliest() != kNever) move_to(earliest());
  rested_.notify_all();
}

TimePoint ManualClock::earliest() const {
  TimePoint first = kNever;
  for (const Waiter* waiter : waiters_) first = std::min(first, waiter->deadline);
  return first;
}

void ManualClock::settle_locked() const {
  const std::size_t callers = Participant::current(*this) == nullptr ? 0 : 1;
  const auto limit = std::chrono::steady_clock::now() + options_.settle_limit;
  while (busy_.size() > callers) {
    if (std::chrono::steady_clock::now() >= limit) {
      std::string names;
      for (const std::string& name : busy_) names += (names.empty() ? "" : ", ") + name;
      throw Error("ManualClock::settle: still busy after " + std::to_string(options_.settle_limit.count()) + " s: " +
                  names + ". A thread loops, blocks outside the clock without OutsideScope, or has deadlocked");
    }
    rested_.wait_until(mutex_, limit);
  }
}

}  // namespace flyball
