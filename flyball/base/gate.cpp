#include "flyball/base/gate.hpp"

namespace flyball {

std::optional<Gate::Pass> Gate::try_enter() {
  std::uint64_t seen = state_.load(std::memory_order_relaxed);
  while ((seen & kClosed) == 0) {
    if (state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
      return Pass(*this);
    }
  }
  return std::nullopt;
}

Gate::Pass Gate::enter() {
  if (auto pass = try_enter()) return *std::move(pass);
  throw GateClosed(name_ + " is closed: it is shutting down and takes no new work");
}

void Gate::leave() {
  std::uint64_t seen = state_.load(std::memory_order_relaxed);
  while ((seen & kClosed) == 0) {
    if (state_.compare_exchange_weak(seen, seen - 1, std::memory_order_release, std::memory_order_relaxed)) return;
  }
  MutexLock lock(mutex_);
  state_.fetch_sub(1, std::memory_order_release);
  empty_.notify_all();
}

bool Gate::close(TimePoint deadline, const Stop& stop) {
  state_.fetch_or(kClosed, std::memory_order_acq_rel);
  MutexLock lock(mutex_);
  return empty_.wait_until(mutex_, deadline, stop, [&] { return inside() == 0; });
}

}  // namespace flyball
