#include "flyball/base/stop.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "flyball/base/cond_var.hpp"

namespace flyball {
namespace detail {

class StopState {
 public:
  StopState(const Stop& parent, Clock* clock, TimePoint deadline)
      : parent_(parent), clock_(clock), own_deadline_(deadline), deadline_(std::min(deadline, parent.deadline())) {}

  // Apart from the constructor: the callback must hold the state weakly, so that it cannot run on a dying one.
  void follow_parent(const std::shared_ptr<StopState>& self) {
    link_.emplace(parent_, [weak = std::weak_ptr<StopState>(self)] {
      if (const auto state = weak.lock()) state->request(state->parent_.reason());
    });
  }

  bool request(std::string reason) {
    MutexLock lock(mutex_);
    if (requested_.load(std::memory_order_relaxed)) return false;
    reason_ = std::move(reason);
    requested_.store(true, std::memory_order_release);
    runner_ = std::this_thread::get_id();
    while (first_ != nullptr) {
      running_ = first_;
      unlink(*first_);
      // Moved out: a callback may destroy its own StopCallback.
      const std::function<void()> callback = std::move(running_->callback_);
      lock.unlock();
      run(callback);
      lock.lock();
      running_ = nullptr;
      ran_.notify_all();
    }
    return true;
  }

  // False when the stop was requested already: the caller runs the callback itself.
  bool add(StopCallback& callback) {
    MutexLock lock(mutex_);
    if (requested_.load(std::memory_order_relaxed)) return false;
    callback.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &callback;
    first_ = &callback;
    callback.linked_ = true;
    return true;
  }

  void remove(StopCallback& callback) {
    MutexLock lock(mutex_);
    if (callback.linked_) return unlink(callback);
    if (runner_ == std::this_thread::get_id()) return;
    while (running_ == &callback) ran_.wait(mutex_);
  }

  bool requested() const noexcept { return requested_.load(std::memory_order_acquire); }
  bool late() const noexcept { return own_deadline_ != kNever && clock_->now() >= own_deadline_; }
  // Asked, not only remembered: while the parent still runs its callbacks, this branch is stopped already.
  const Stop& parent() const noexcept { return parent_; }
  TimePoint deadline() const noexcept { return deadline_; }
  std::string reason() const {
    MutexLock lock(mutex_);
    return reason_;
  }

 private:
  // noexcept: a callback that throws ends the program here, with its own stack, and not somewhere else later.
  static void run(const std::function<void()>& callback) noexcept { callback(); }

  void unlink(StopCallback& callback) FLYBALL_REQUIRES(mutex_) {
    if (callback.previous_ != nullptr) callback.previous_->next_ = callback.next_;
    if (callback.next_ != nullptr) callback.next_->previous_ = callback.previous_;
    if (first_ == &callback) first_ = callback.next_;
    callback.previous_ = callback.next_ = nullptr;
    callback.linked_ = false;
  }

  // Constant after construction.
  const Stop parent_;
  Clock* const clock_;
  const TimePoint own_deadline_;
  const TimePoint deadline_;

  std::atomic<bool> requested_ = false;

  mutable Mutex mutex_;
  CondVar ran_;
  std::string reason_ FLYBALL_GUARDED_BY(mutex_);
  StopCallback* first_ FLYBALL_GUARDED_BY(mutex_) = nullptr;
  StopCallback* running_ FLYBALL_GUARDED_BY(mutex_) = nullptr;
  std::thread::id runner_ FLYBALL_GUARDED_BY(mutex_);

  // Last, so that it goes first: nothing above may be called by the parent any more.
  std::optional<StopCallback> link_;
};

}  // namespace detail

namespace {

std::shared_ptr<detail::StopState> make_branch(const Stop& parent, Clock* clock, TimePoint deadline) {
  auto state = std::make_shared<detail::StopState>(parent, clock, deadline);
  state->follow_parent(state);
  return state;
}

}  // namespace

bool Stop::stopped() const noexcept {
  return state_ != nullptr && (state_->requested() || state_->late() || state_->parent().stopped());
}

bool Stop::requested() const noexcept {
  return state_ != nullptr && (state_->requested() || state_->parent().requested());
}

std::string Stop::reason() const {
  if (state_ == nullptr) return {};
  if (state_->requested()) return state_->reason();
  if (state_->parent().stopped()) return state_->parent().reason();
  return state_->late() ? std::string(kDeadlinePassed) : "";
}

TimePoint Stop::deadline() const noexcept { return state_ == nullptr ? kNever : state_->deadline(); }

void Stop::throw_if_stopped() const {
  if (stopped()) throw Stopped(reason());
}

Stop Stop::with_deadline(Clock& clock, TimePoint deadline) const { return Stop(make_branch(*this, &clock, deadline)); }

StopSource::StopSource() : state_(std::make_shared<detail::StopState>(Stop(), nullptr, kNever)) {}
StopSource::StopSource(const Stop& parent) : state_(make_branch(parent, nullptr, kNever)) {}
StopSource::StopSource(const Stop& parent, Clock& clock, TimePoint deadline)
    : state_(make_branch(parent, &clock, deadline)) {}

bool StopSource::request_stop(std::string reason) {
  const auto state = state_;  // a callback may destroy this source
  return state->request(std::move(reason));
}

StopCallback::StopCallback(const Stop& stop, std::function<void()> callback)
    : state_(stop.state_), callback_(std::move(callback)) {
  if (state_ == nullptr || state_->add(*this)) return;
  const std::function<void()> now = std::move(callback_);
  now();
}

StopCallback::~StopCallback() {
  if (state_ != nullptr) state_->remove(*this);
}

}  // namespace flyball
