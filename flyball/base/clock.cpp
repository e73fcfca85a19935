#include "flyball/base/clock.hpp"

#include <utility>

#include "flyball/base/condition.hpp"

namespace flyball {
namespace {

// The innermost participant of this thread; a thread may take part in more than one clock.
thread_local Participant* innermost = nullptr;

}  // namespace

TimePoint Clock::after(Duration d) const {
  const TimePoint start = now();
  if (d > kNever - start) return kNever;
  return start + d;
}

// The analysis cannot follow a lock that is given back inside and taken again.
void RealClock::park(Condition& condition, std::uint64_t ticket, Mutex& mutex,
                     TimePoint deadline) FLYBALL_NO_THREAD_SAFETY_ANALYSIS {
  {
    MutexLock lock(condition.parking_);
    if (condition.epoch_.load(std::memory_order_relaxed) != ticket) return;
    mutex.unlock();
    if (deadline == kNever) {
      condition.sleepers_.wait(condition.parking_);
    } else {
      condition.sleepers_.wait_until(condition.parking_, deadline);
    }
  }
  mutex.lock();
}

void RealClock::wake(Condition& condition, bool all) {
  MutexLock lock(condition.parking_);
  condition.epoch_.fetch_add(1, std::memory_order_release);
  if (all) {
    condition.sleepers_.notify_all();
  } else {
    condition.sleepers_.notify_one();
  }
}

Participant::Participant(Clock& clock, std::string name) : clock_(clock), name_(std::move(name)) {
  clock_.begin_busy(name_);
}

Participant::~Participant() {
  if (bound_) innermost = outer_;
  clock_.end_busy(name_);
}

void Participant::bind() noexcept {
  outer_ = std::exchange(innermost, this);
  bound_ = true;
}

const Participant* Participant::current(const Clock& clock) noexcept {
  for (const Participant* p = innermost; p != nullptr; p = p->outer_) {
    if (&p->clock_ == &clock) return p;
  }
  return nullptr;
}

OutsideScope::OutsideScope(Clock& clock) : clock_(clock), participant_(Participant::current(clock)) {
  if (participant_ != nullptr) clock_.end_busy(participant_->name_);
}

OutsideScope::~OutsideScope() {
  if (participant_ != nullptr) clock_.begin_busy(participant_->name_);
}

}  // namespace flyball
