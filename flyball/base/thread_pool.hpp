// ThreadPool: a fixed number of threads, a bounded queue, an orderly end.
//
//   ThreadPool pool(clock, {.name = "reconcile", .threads = 4});
//   pool.post([&](const Stop& stop) { reconcile(key, stop); });
//   pool.stop(clock.after(10s));        // finish what is queued; at the deadline drop it and ask what runs to stop
//
// An exception in a task is caught, counted and given to `on_error`; the pool goes on.
// With no threads nothing runs by itself and run_one() drives: for simulation, on one thread.
//
// Thread-safety: all members may be called from any thread, except stop() and the destructor from a task of its own.
// Lifetime: the destructor drops what is queued, asks what runs to stop and waits for it. A thread cannot be killed:
// a task that ignores its Stop holds the pool up.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/thread.hpp"

namespace flyball {

class ThreadPool {
 public:
  // The Stop is stopped when the pool no longer waits for the task.
  using Task = std::function<void(const Stop&)>;
  struct Options {
    std::string name = "pool";                              // of the threads, and in errors
    std::size_t threads = 4;                                // 0: run_one() drives
    std::size_t queue_bound = 1024;                         // tasks that may wait
    std::function<void(std::exception_ptr)> on_error = {};  // called on the task's thread; must not throw
  };

  ThreadPool(Clock& clock, Options options);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Waits while the queue is full. Throws GateClosed when the pool has been stopped, Stopped when `stop` comes first.
  // From inside a task use try_post: all threads waiting for room would wait for ever.
  void post(Task task, const Stop& stop = {});
  // False, and the task is not taken, when the queue is full or the pool has been stopped.
  [[nodiscard]] bool try_post(Task task);

  // Runs the next task here. False when there is none.
  bool run_one();

  // Refuses new tasks, finishes the queued ones and joins the threads. At the deadline it drops what is still queued
  // and asks the running tasks to stop. True when every task that was taken ran to its own end before that.
  bool stop(TimePoint deadline = kNever);

  std::size_t queued() const;
  // How many tasks have thrown.
  std::uint64_t failures() const noexcept { return failures_.load(std::memory_order_relaxed); }

 private:
  void work();
  void run_front() FLYBALL_REQUIRES(mutex_);
  void call(const Task& task) noexcept;

  // Constant after construction.
  Clock& clock_;
  const Options options_;

  std::atomic<std::uint64_t> failures_ = 0;

  mutable Mutex mutex_;
  Condition not_empty_;
  Condition not_full_;
  Condition idle_;
  std::deque<Task> queue_ FLYBALL_GUARDED_BY(mutex_);
  std::size_t running_ FLYBALL_GUARDED_BY(mutex_) = 0;
  bool closed_ FLYBALL_GUARDED_BY(mutex_) = false;

  StopSource stop_;
  std::vector<std::unique_ptr<Thread>> threads_;  // last: they use all of the above
};

}  // namespace flyball
