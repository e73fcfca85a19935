// CondVar: std::condition_variable for Mutex. The bare material of clocks: it waits in real time and the manual clock
// does not see it. Everything else waits with Condition (condition.hpp).
//
// Thread-safety: safe to call from any thread. Lifetime: outlives its waiters.
#pragma once

#include <chrono>
#include <condition_variable>

#include "flyball/base/mutex.hpp"

namespace flyball {

class CondVar {
 public:
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

  // May wake for no reason: call it in a loop.
  void wait(Mutex& mutex) FLYBALL_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }

  // As wait, but back at `deadline` at the latest.
  void wait_until(Mutex& mutex, std::chrono::steady_clock::time_point deadline) FLYBALL_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_until(lock, deadline);
    lock.release();
  }

 private:
  std::condition_variable condition_;
};

}  // namespace flyball
