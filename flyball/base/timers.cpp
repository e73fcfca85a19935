#include "flyball/base/timers.hpp"

#include <cassert>
#include <utility>

namespace flyball {

Timers::Timers(Clock& clock, Options options)
    : clock_(clock), options_(std::move(options)), earlier_(clock), ran_(clock), wheel_(clock.now()) {
  if (!options_.thread) return;
  thread_ = std::make_unique<Thread>(clock, options_.name, [this, stop = stop_.stop()] { run(stop); });
}

Timers::~Timers() { stop_.request_stop("the timers are gone"); }

TimerId Timers::at(TimePoint deadline, Callback callback) {
  MutexLock lock(mutex_);
  const TimerId id = wheel_.add(deadline, std::move(callback));
  if (deadline < wake_at_) {
    wake_at_ = deadline;
    earlier_.notify_one();
  }
  return id;
}

bool Timers::cancel(TimerId id) {
  std::optional<Callback> removed;  // destroyed after the lock is given back: what it holds may call us
  MutexLock lock(mutex_);
  removed = wheel_.remove(id);
  if (removed || running_ != id) return removed.has_value();
  if (runner_ == std::this_thread::get_id()) return false;
  ran_.wait(mutex_, {}, [&]() FLYBALL_REQUIRES(mutex_) { return running_ != id; });
  return false;
}

TimerId Timers::stop_at_deadline(const StopSource& source) {
  return at(source.stop().deadline(),
            [source = StopSource(source)]() mutable { source.request_stop(std::string(kDeadlinePassed)); });
}

std::size_t Timers::run_due() {
  assert(!options_.thread);
  MutexLock lock(mutex_);
  return run_collected();
}

TimePoint Timers::next_due() const {
  MutexLock lock(mutex_);
  return wheel_.next_due();
}

std::size_t Timers::size() const {
  MutexLock lock(mutex_);
  return wheel_.size();
}

void Timers::run(const Stop& stop) {
  MutexLock lock(mutex_);
  while (!stop.stopped()) {
    const TimePoint planned = wake_at_ = wheel_.next_due();
    earlier_.wait_until(mutex_, planned, stop, [&]() FLYBALL_REQUIRES(mutex_) { return wake_at_ < planned; });
    if (!stop.stopped()) run_collected();
  }
}

// Gives the lock back around each callback; the caller's scope still owns it, which the analysis accepts.
std::size_t Timers::run_collected() {
  wheel_.collect(clock_.now());
  runner_ = std::this_thread::get_id();
  std::size_t count = 0;
  while (auto callback = wheel_.take_due(&running_)) {
    mutex_.unlock();
    call(*callback);
    callback.reset();
    mutex_.lock();
    running_ = TimerId::none;
    ran_.notify_all();
    ++count;
  }
  return count;
}

void Timers::call(const Callback& callback) noexcept {
  try {
    callback();
  } catch (...) {
    failures_.fetch_add(1, std::memory_order_relaxed);
    if (options_.on_error) options_.on_error(std::current_exception());
  }
}

}  // namespace flyball
