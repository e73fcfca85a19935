#include "flyball/base/thread_pool.hpp"

#include <utility>

#include "flyball/base/gate.hpp"

namespace flyball {

ThreadPool::ThreadPool(Clock& clock, Options options)
    : clock_(clock), options_(std::move(options)), not_empty_(clock), not_full_(clock), idle_(clock) {
  for (std::size_t i = 0; i < options_.threads; ++i) {
    threads_.push_back(
        std::make_unique<Thread>(clock, options_.name + "-" + std::to_string(i + 1), [this] { work(); }));
  }
}

ThreadPool::~ThreadPool() { stop(clock_.now()); }

void ThreadPool::post(Task task, const Stop& stop) {
  MutexLock lock(mutex_);
  const auto takes = [&]() FLYBALL_REQUIRES(mutex_) { return closed_ || queue_.size() < options_.queue_bound; };
  if (!takes() && threads_.empty()) {
    throw Error("thread pool " + options_.name + ": the queue of " + std::to_string(options_.queue_bound) +
                " is full and the pool has no threads to empty it; call run_one() first");
  }
  if (!not_full_.wait(mutex_, stop, takes)) stop.throw_if_stopped();
  if (closed_) throw GateClosed("thread pool " + options_.name + " is stopped and takes no new tasks");
  queue_.push_back(std::move(task));
  not_empty_.notify_one();
}

bool ThreadPool::try_post(Task task) {
  MutexLock lock(mutex_);
  if (closed_ || queue_.size() >= options_.queue_bound) return false;
  queue_.push_back(std::move(task));
  not_empty_.notify_one();
  return true;
}

bool ThreadPool::run_one() {
  MutexLock lock(mutex_);
  if (queue_.empty()) return false;
  run_front();
  return true;
}

bool ThreadPool::stop(TimePoint deadline) {
  std::deque<Task> dropped;  // destroyed after the lock is given back: what they hold may call us
  bool finished = false;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
    not_full_.notify_all();
    while (threads_.empty() && !queue_.empty() && clock_.now() < deadline) run_front();
    finished = idle_.wait_until(mutex_, threads_.empty() ? clock_.now() : deadline, {},
                                [&]() FLYBALL_REQUIRES(mutex_) { return queue_.empty() && running_ == 0; });
    dropped.swap(queue_);
    not_empty_.notify_all();
  }
  stop_.request_stop("thread pool " + options_.name + " is stopping");
  for (const auto& thread : threads_) thread->join();
  return finished;
}

std::size_t ThreadPool::queued() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

void ThreadPool::work() {
  MutexLock lock(mutex_);
  while (true) {
    not_empty_.wait(mutex_, {}, [&]() FLYBALL_REQUIRES(mutex_) { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;
    run_front();
  }
}

void ThreadPool::run_front() {
  Task task = std::move(queue_.front());
  queue_.pop_front();
  ++running_;
  not_full_.notify_one();
  mutex_.unlock();
  call(task);
  task = nullptr;
  mutex_.lock();
  --running_;
  if (running_ == 0 && queue_.empty()) idle_.notify_all();
}

void ThreadPool::call(const Task& task) noexcept {
  try {
    task(stop_.stop());
  } catch (...) {
    failures_.fetch_add(1, std::memory_order_relaxed);
    if (options_.on_error) options_.on_error(std::current_exception());
  }
}

}  // namespace flyball
