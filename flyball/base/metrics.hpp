// Metrics: numbers that Prometheus collects.
//
//   Metrics metrics;
//   const auto passes = metrics.counter("flyball_reconcile_total", "Reconcile passes.", {"controller", "result"});
//   const Counter good = passes.with({"memcached", "success"});    // look it up once, keep the handle
//   good.add();                                                    // a few nanoseconds, no lock
//   std::string page = metrics.text();                             // what GET /metrics answers
//
// Names are checked when a metric is made, and making the same one again gives the same one; a name that is taken by
// another type, help text, label set or bucket list is an error (InputError).
//
// Thread-safety: all members of all classes may be called from any thread.
// Lifetime: families and handles are small values that point into the registry: it outlives them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/mutex.hpp"

namespace flyball {

namespace detail {
struct MetricFamily;
struct MetricCell;
}  // namespace detail

// Only goes up.
class Counter {
 public:
  void add(std::uint64_t n = 1) const noexcept { value_->fetch_add(n, std::memory_order_relaxed); }
  std::uint64_t value() const noexcept { return value_->load(std::memory_order_relaxed); }

 private:
  friend class Metrics;
  explicit Counter(detail::MetricCell& cell);
  std::atomic<std::uint64_t>* value_;
};

// Goes up and down.
class Gauge {
 public:
  void set(double value) const noexcept { value_->store(value, std::memory_order_relaxed); }
  void add(double n = 1) const noexcept { value_->fetch_add(n, std::memory_order_relaxed); }
  double value() const noexcept { return value_->load(std::memory_order_relaxed); }

 private:
  friend class Metrics;
  explicit Gauge(detail::MetricCell& cell);
  std::atomic<double>* value_;
};

// Counts values by size, usually seconds.
class Histogram {
 public:
  void observe(double value) const noexcept;

 private:
  friend class Metrics;
  explicit Histogram(detail::MetricCell& cell);
  std::span<const double> bounds_;
  std::atomic<std::uint64_t>* buckets_;  // one more than bounds: the last is +Inf
  std::atomic<double>* sum_;
};

// The buckets controller-runtime gives to reconcile times: 5 ms to 60 s.
std::vector<double> reconcile_buckets();
// `count` bounds from `start`, each `factor` times the one before: exponential_buckets(1e-8, 10, 10).
std::vector<double> exponential_buckets(double start, double factor, std::size_t count);

class Metrics;

// All metrics of one name; with() picks the one of a list of label values, in the order of the label names.
template <class Handle>
class Family {
 public:
  // Throws InputError when the number of values is not the number of label names.
  Handle with(std::initializer_list<std::string_view> label_values) const;

 private:
  friend class Metrics;
  Family(Metrics& metrics, detail::MetricFamily& family) : metrics_(&metrics), family_(&family) {}
  Metrics* metrics_;
  detail::MetricFamily* family_;
};

// Keeps a sampled metric alive; when it goes, so does the sample. It does not outlive the registry.
class [[nodiscard]] MetricSample {
 public:
  MetricSample() = default;
  MetricSample(MetricSample&& other) noexcept : metrics_(std::exchange(other.metrics_, nullptr)), id_(other.id_) {}
  MetricSample& operator=(MetricSample&& other) noexcept {
    std::swap(metrics_, other.metrics_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~MetricSample();

 private:
  friend class Metrics;
  MetricSample(Metrics& metrics, std::uint64_t id) : metrics_(&metrics), id_(id) {}
  Metrics* metrics_ = nullptr;
  std::uint64_t id_ = 0;
};

// The registry.
class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  Family<Counter> counter(std::string name, std::string help, std::vector<std::string> label_names);
  Family<Gauge> gauge(std::string name, std::string help, std::vector<std::string> label_names);
  // `bounds` are the upper ends of the buckets, rising; +Inf is always added.
  Family<Histogram> histogram(std::string name, std::string help, std::vector<std::string> label_names,
                              std::vector<double> bounds = reconcile_buckets());

  // Without labels.
  Counter counter(std::string name, std::string help);
  Gauge gauge(std::string name, std::string help);

  // A value that is asked for when somebody collects: a queue's length, the age of a watch. The function must be quick
  // and must not use this registry; one that throws shows as NaN. After the returned sample is destroyed the function
  // is not running and never will: do not make or destroy one with a lock held that the function takes.
  MetricSample sampled_gauge(std::string name, std::string help, const Labels& labels, std::function<double()> sample);
  MetricSample sampled_counter(std::string name, std::string help, const Labels& labels,
                               std::function<double()> sample);

  // Everything in Prometheus' text format 0.0.4, ordered by name and label values.
  std::string text() const;
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  template <class>
  friend class Family;
  friend class MetricSample;
  struct Sample;

  template <class Handle>
  Handle handle(detail::MetricFamily& family, std::span<const std::string_view> label_values);
  detail::MetricFamily& family(detail::MetricFamily wanted) FLYBALL_EXCLUDES(mutex_);
  void check_lines(const detail::MetricFamily& wanted) const FLYBALL_REQUIRES(mutex_);
  MetricSample sampled(detail::MetricFamily wanted, const Labels& labels, std::function<double()> sample);
  void remove_sample(std::uint64_t id);

  // Families and cells are never removed: handles point at them.
  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<detail::MetricFamily>> families_ FLYBALL_GUARDED_BY(mutex_);

  // Held while sample functions run; never together with mutex_.
  mutable Mutex samples_mutex_;
  std::map<std::uint64_t, Sample> samples_ FLYBALL_GUARDED_BY(samples_mutex_);
  std::uint64_t last_sample_ FLYBALL_GUARDED_BY(samples_mutex_) = 0;
};

template <class Handle>
Handle Family<Handle>::with(std::initializer_list<std::string_view> label_values) const {
  return metrics_->template handle<Handle>(*family_, {label_values.begin(), label_values.size()});
}

}  // namespace flyball
