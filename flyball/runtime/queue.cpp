#include "flyball/runtime/queue.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace flyball::runtime {
namespace {

constexpr int kMostPriority = 1000;

}  // namespace

// --- Work

Work::Work(Work&& other) noexcept
    : queue_(std::exchange(other.queue_, nullptr)),
      key_(std::move(other.key_)),
      causes_(std::move(other.causes_)),
      failures_(other.failures_),
      waited_(other.waited_) {}

Work::~Work() {
  if (queue_ != nullptr) retry();
}

void Work::done() {
  assert(queue_ != nullptr);
  std::exchange(queue_, nullptr)->finish(key_, std::nullopt);
}

void Work::requeue_after(Duration after) {
  assert(queue_ != nullptr);
  std::exchange(queue_, nullptr)->finish(key_, after);
}

Duration Work::retry() {
  assert(queue_ != nullptr);
  return std::exchange(queue_, nullptr)->fail(key_);
}

// --- Queue

Queue::Queue(Clock& clock, Random& random, QueueOptions options)
    : clock_(clock),
      random_(random),
      options_(std::move(options)),
      metrics_(options_.metrics, options_.name),
      work_(clock),
      idle_(clock),
      ready_(options_.priority_step),
      bucket_(options_.rate) {
  const auto running_for = [this](auto&& combine) {
    MutexLock lock(mutex_);
    const TimePoint now = clock_.now();
    Duration result = {};
    for (const Entry* entry : running_) result = combine(result, now - entry->started);
    return detail::seconds(result);
  };
  samples_ = detail::sample_queue(
      options_.metrics, options_.name,
      {.depth = [this] { return static_cast<double>(ready()); },
       .unfinished = [running_for] { return running_for([](Duration a, Duration b) { return a + b; }); },
       .longest_running = [running_for] { return running_for([](Duration a, Duration b) { return std::max(a, b); }); },
       .oldest = [this] { return detail::seconds(oldest()); }});
}

Queue::~Queue() = default;

std::string Queue::lane_of(const Entry& entry) const {
  if (options_.fair_share) return options_.fair_share(*entry.key);
  return entry.key->cluster + '\0' + entry.key->namespace_;
}

void Queue::add(const Key& key, Cause cause, const AddOptions& options) {
  MutexLock lock(mutex_);
  if (shut_) return;
  const auto found = entries_.try_emplace(key).first;
  Entry& entry = found->second;
  entry.key = &found->first;
  if (!cause.reason.empty()) entry.causes.add(std::move(cause));
  const TimePoint now = clock_.now();
  const TimePoint due = options.after > Duration() ? clock_.after(options.after) : now;
  want(entry, due, std::clamp(options.priority, -kMostPriority, kMostPriority), now);
}

void Queue::want(Entry& entry, TimePoint due, int priority, TimePoint now) {
  const bool was_ready = entry.place == Entry::Place::ready;
  if (entry.wanted) {
    due = std::min(due, entry.due);
    priority = std::max(priority, entry.priority);
    if (due == entry.due && priority == entry.priority) return;
    lift(entry);
  }
  entry.wanted = true;
  entry.due = due;
  entry.priority = priority;
  if (entry.running) return;
  put(entry, now);
  if (!was_ready && entry.place == Entry::Place::ready) metrics_.added();
}

// Of a key that is wanted and does not run: into the place where it waits.
void Queue::put(Entry& entry, TimePoint now) {
  entry.sequence = ++sequence_;
  if (entry.due <= now) {
    entry.place = Entry::Place::ready;
    ready_.push(entry, lane_of(entry));
    changed();
    return;
  }
  entry.place = Entry::Place::delayed;
  const bool earliest = delayed_.empty() || entry.due < delayed_.begin()->first.first;
  delayed_.insert({{entry.due, entry.sequence}, &entry});
  if (earliest) changed();
}

void Queue::lift(Entry& entry) {
  switch (entry.place) {
    case Entry::Place::nowhere: break;
    case Entry::Place::ready: ready_.erase(entry, lane_of(entry)); break;
    case Entry::Place::delayed: delayed_.erase({{entry.due, entry.sequence}, &entry}); break;
  }
  entry.place = Entry::Place::nowhere;
}

void Queue::promote_due(TimePoint now) {
  while (!delayed_.empty() && delayed_.begin()->first.first <= now) {
    Entry& entry = *delayed_.begin()->second;
    lift(entry);
    metrics_.added();
    put(entry, now);
  }
}

void Queue::changed() {
  ++changes_;
  work_.notify_one();
}

std::optional<Work> Queue::take_ready() {
  const TimePoint now = clock_.now();
  promote_due(now);
  if (ready_.empty() || !bucket_.try_take(now)) return std::nullopt;
  Entry& entry = *ready_.pop(now, ++sequence_);
  entry.place = Entry::Place::nowhere;
  entry.wanted = false;
  entry.running = true;
  entry.started = now;
  running_.insert(&entry);
  const Duration waited = now - entry.due;
  metrics_.taken(waited);
  return Work(*this, *entry.key, std::exchange(entry.causes, {}), entry.failures, waited);
}

std::optional<Work> Queue::try_take() {
  MutexLock lock(mutex_);
  return take_ready();
}

std::optional<Work> Queue::take(const Stop& stop) {
  MutexLock lock(mutex_);
  while (true) {
    const bool stopped = stop.stopped();
    auto work = stopped ? std::nullopt : take_ready();
    const bool over = shut_ && ready_.empty();
    // Each waits for the next key or the next time, and one is woken for each change: whoever leaves passes the watch
    // on to another.
    if (work || stopped || over) {
      if (!ready_.empty() || !delayed_.empty() || over) work_.notify_one();
      return work;
    }
    const std::uint64_t seen = changes_;
    work_.wait_until(mutex_, next_due_locked(), stop,
                     [&]() FLYBALL_REQUIRES(mutex_) { return changes_ != seen || (shut_ && ready_.empty()); });
  }
}

TimePoint Queue::next_due_locked() const {
  if (!ready_.empty()) return bucket_.next();
  if (delayed_.empty()) return kNever;
  return std::max(delayed_.begin()->first.first, bucket_.next());
}

TimePoint Queue::next_due() const {
  MutexLock lock(mutex_);
  return next_due_locked();
}

Duration Queue::backoff(std::uint32_t failures) const {
  const double most = static_cast<double>(options_.backoff_most.count());
  const double full = std::min(most, std::ldexp(static_cast<double>(options_.backoff_first.count()),
                                                static_cast<int>(std::min(failures, 1000U))));
  return Duration(static_cast<Duration::rep>(full * (1 - options_.backoff_jitter * random_.uniform())));
}

Duration Queue::finish(const Key& key, std::optional<Duration> again) {
  MutexLock lock(mutex_);
  Entry& entry = entries_.at(key);
  entry.failures = 0;
  return finish_locked(key, entry, again);
}

Duration Queue::fail(const Key& key) {
  MutexLock lock(mutex_);
  Entry& entry = entries_.at(key);
  const Duration wait = backoff(entry.failures++);
  metrics_.retried();
  entry.causes.add({.reason = "retry"});
  return finish_locked(key, entry, wait);
}

Duration Queue::finish_locked(const Key& key, Entry& entry, std::optional<Duration> again) {
  const TimePoint now = clock_.now();
  metrics_.finished(now - entry.started);
  entry.running = false;
  running_.erase(&entry);
  if (again && !shut_) {
    if (entry.causes.empty()) entry.causes.add({.reason = "requeue"});
    const TimePoint due = *again > Duration() ? clock_.after(*again) : now;
    entry.due = entry.wanted ? std::min(entry.due, due) : due;
    entry.priority = entry.wanted ? entry.priority : 0;
    entry.wanted = true;
  }
  if (entry.wanted) {
    put(entry, now);
    if (entry.place == Entry::Place::ready) metrics_.added();
  }
  const Duration wait = entry.wanted ? std::max(entry.due - now, Duration()) : Duration();
  if (!entry.wanted) entries_.erase(key);
  if (idle()) idle_.notify_all();
  return wait;
}

void Queue::shut_down(Waiting waiting) {
  MutexLock lock(mutex_);
  shut_ = true;
  const TimePoint now = clock_.now();
  promote_due(now);
  for (auto at = entries_.begin(); at != entries_.end();) {
    Entry& entry = at->second;
    const bool kept = waiting == Waiting::finished && entry.wanted && entry.due <= now;
    if (!kept && entry.wanted) {
      lift(entry);
      entry.wanted = false;
    }
    at = entry.running || entry.wanted ? std::next(at) : entries_.erase(at);
  }
  ++changes_;
  work_.notify_all();
  if (idle()) idle_.notify_all();
}

bool Queue::wait_until_idle(TimePoint deadline, const Stop& stop) {
  MutexLock lock(mutex_);
  return idle_.wait_until(mutex_, deadline, stop, [&]() FLYBALL_REQUIRES(mutex_) { return idle(); });
}

std::size_t Queue::ready() const {
  MutexLock lock(mutex_);
  return ready_.size();
}

std::size_t Queue::delayed() const {
  MutexLock lock(mutex_);
  return delayed_.size();
}

std::size_t Queue::running() const {
  MutexLock lock(mutex_);
  return running_.size();
}

Duration Queue::oldest() const {
  MutexLock lock(mutex_);
  const TimePoint now = clock_.now();
  Duration longest = {};
  for (const auto& [key, entry] : entries_) {
    if (entry.place == Entry::Place::ready) longest = std::max(longest, now - entry.due);
  }
  return longest;
}

}  // namespace flyball::runtime
