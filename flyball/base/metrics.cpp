#include "flyball/base/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/base/text.hpp"

namespace flyball {
namespace detail {

enum class MetricType { kCounter, kGauge, kHistogram };

// One line, or for a histogram one group of lines.
struct MetricCell {
  explicit MetricCell(std::span<const double> upper_bounds)
      : bounds(upper_bounds), buckets(std::make_unique<std::atomic<std::uint64_t>[]>(upper_bounds.size() + 1)) {}

  std::span<const double> bounds;
  std::unique_ptr<std::atomic<std::uint64_t>[]> buckets;  // [0] is the value of a counter
  std::atomic<double> value = 0;                          // of a gauge; the sum of a histogram
};

struct MetricFamily {
  MetricType type;
  std::string name;
  std::string help;
  std::vector<std::string> label_names;
  std::vector<double> bounds = {};
  bool sampled = false;
  std::map<std::vector<std::string>, std::unique_ptr<MetricCell>> cells = {};  // guarded by Metrics::mutex_
};

}  // namespace detail

namespace {

using detail::MetricCell;
using detail::MetricFamily;
using detail::MetricType;
using LabelValues = std::vector<std::string>;

std::string_view type_name(MetricType type) {
  if (type == MetricType::kCounter) return "counter";
  return type == MetricType::kGauge ? "gauge" : "histogram";
}

[[noreturn]] void reject(std::string_view metric, const std::string& problem) {
  throw InputError({}, "", "metric \"" + std::string(metric) + "\": " + problem);
}

bool is_name(std::string_view name, bool colons) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [colons](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (colons && c == ':');
  });
}

void check_labels(const MetricFamily& family) {
  for (auto it = family.label_names.begin(); it != family.label_names.end(); ++it) {
    if (!is_name(*it, false) || it->starts_with("__")) {
      reject(family.name, "the label name \"" + *it +
                              "\" is wrong; expected letters, digits and _, not starting with a digit or __");
    }
    if (*it == "le" && family.type == MetricType::kHistogram) {
      reject(family.name, "the label \"le\" belongs to the histogram itself; choose another name");
    }
    if (std::find(family.label_names.begin(), it, *it) != it) {
      reject(family.name, "the label \"" + *it + "\" comes twice");
    }
  }
}

void check(const MetricFamily& family) {
  if (!is_name(family.name, true)) {
    reject(family.name, "the name is wrong; expected letters, digits, _ and :, not starting with a digit");
  }
  check_labels(family);
  for (std::size_t i = 0; i < family.bounds.size(); ++i) {
    const bool rises = i == 0 || family.bounds[i - 1] < family.bounds[i];
    if (!std::isfinite(family.bounds[i]) || !rises) reject(family.name, "bucket bounds must be finite and rise");
  }
}

void check_same(const MetricFamily& there, const MetricFamily& wanted) {
  if (there.type != wanted.type) {
    reject(there.name, "already a " + std::string(type_name(there.type)) + ", cannot also be a " +
                           std::string(type_name(wanted.type)));
  }
  if (there.sampled != wanted.sampled) {
    reject(there.name, "one name cannot be both sampled and counted; choose another name");
  }
  if (there.help != wanted.help) reject(there.name, "already there with another help text: \"" + there.help + "\"");
  if (there.label_names != wanted.label_names) reject(there.name, "already there with other label names");
  if (there.bounds != wanted.bounds) reject(there.name, "already there with other buckets");
}

// Help text escapes \ and line feeds, label values also quotes.
void append_escaped(std::string& out, std::string_view text, bool quotes) {
  for (const char c : valid_utf8(text)) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  out.append(out.back() == '{' ? "" : ",").append(name).append("=\"");
  append_escaped(out, value, true);
  out += '"';
}

// "name_suffix{a="b",le="…"} ": all of a line but its value. An empty `le` is left out.
void append_head(std::string& out, const MetricFamily& family, const LabelValues& values, std::string_view suffix = "",
                 std::string_view le = "") {
  out.append(family.name).append(suffix);
  if (!values.empty() || !le.empty()) {
    out += '{';
    for (std::size_t i = 0; i < values.size(); ++i) append_label(out, family.label_names[i], values[i]);
    if (!le.empty()) append_label(out, "le", le);
    out += '}';
  }
  out += ' ';
}

void append_line(std::string& out, const MetricFamily& family, const LabelValues& values, double value) {
  append_head(out, family, values);
  append_number(out, value);
  out += '\n';
}

void append_histogram(std::string& out, const MetricFamily& family, const LabelValues& values, const MetricCell& cell) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i <= cell.bounds.size(); ++i) {
    std::string le;
    append_number(le, i < cell.bounds.size() ? cell.bounds[i] : std::numeric_limits<double>::infinity());
    count += cell.buckets[i].load(std::memory_order_relaxed);
    append_head(out, family, values, "_bucket", le);
    out.append(std::to_string(count)).append("\n");
  }
  append_head(out, family, values, "_sum");
  append_number(out, cell.value.load(std::memory_order_relaxed));
  out += '\n';
  // The sum of the buckets, not a counter of its own: it can then never disagree with +Inf.
  append_head(out, family, values, "_count");
  out.append(std::to_string(count)).append("\n");
}

void append_cell(std::string& out, const MetricFamily& family, const LabelValues& values, const MetricCell& cell) {
  if (family.type == MetricType::kHistogram) return append_histogram(out, family, values, cell);
  if (family.type == MetricType::kGauge) {
    return append_line(out, family, values, cell.value.load(std::memory_order_relaxed));
  }
  append_head(out, family, values);
  out.append(std::to_string(cell.buckets[0].load(std::memory_order_relaxed))).append("\n");
}

double ask(const std::function<double()>& sample) {
  try {
    return sample();
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();  // as the header promises
  }
}

}  // namespace

struct Metrics::Sample {
  const MetricFamily* family;
  LabelValues values;
  std::function<double()> function;
};

Counter::Counter(MetricCell& cell) : value_(&cell.buckets[0]) {}
Gauge::Gauge(MetricCell& cell) : value_(&cell.value) {}
Histogram::Histogram(MetricCell& cell) : bounds_(cell.bounds), buckets_(cell.buckets.get()), sum_(&cell.value) {}

void Histogram::observe(double value) const noexcept {
  // NaN compares below nothing and would otherwise land in the first bucket.
  const auto bucket = std::isnan(value) ? bounds_.end() : std::lower_bound(bounds_.begin(), bounds_.end(), value);
  buckets_[bucket - bounds_.begin()].fetch_add(1, std::memory_order_relaxed);
  sum_->fetch_add(value, std::memory_order_relaxed);
}

std::vector<double> reconcile_buckets() {
  return {0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,  1.25, 1.5,
          1.75,  2,    2.5,   3,    3.5, 4,    4.5, 5,    6,   7,    8,   9,    10,  15,  20,  25,  30,  40, 50,   60};
}

std::vector<double> exponential_buckets(double start, double factor, std::size_t count) {
  std::vector<double> bounds;
  for (double bound = start; bounds.size() < count; bound *= factor) bounds.push_back(bound);
  return bounds;
}

MetricSample::~MetricSample() {
  if (metrics_ != nullptr) metrics_->remove_sample(id_);
}

Metrics::Metrics() = default;
Metrics::~Metrics() = default;

Family<Counter> Metrics::counter(std::string name, std::string help, std::vector<std::string> label_names) {
  return {*this, family({MetricType::kCounter, std::move(name), std::move(help), std::move(label_names)})};
}

Family<Gauge> Metrics::gauge(std::string name, std::string help, std::vector<std::string> label_names) {
  return {*this, family({MetricType::kGauge, std::move(name), std::move(help), std::move(label_names)})};
}

Family<Histogram> Metrics::histogram(std::string name, std::string help, std::vector<std::string> label_names,
                                     std::vector<double> bounds) {
  return {*this, family({MetricType::kHistogram, std::move(name), std::move(help), std::move(label_names),
                         std::move(bounds)})};
}

Counter Metrics::counter(std::string name, std::string help) {
  return counter(std::move(name), std::move(help), {}).with({});
}

Gauge Metrics::gauge(std::string name, std::string help) {
  return gauge(std::move(name), std::move(help), {}).with({});
}

MetricSample Metrics::sampled_gauge(std::string name, std::string help, const Labels& labels,
                                    std::function<double()> sample) {
  return sampled({MetricType::kGauge, std::move(name), std::move(help), {}}, labels, std::move(sample));
}

MetricSample Metrics::sampled_counter(std::string name, std::string help, const Labels& labels,
                                      std::function<double()> sample) {
  return sampled({MetricType::kCounter, std::move(name), std::move(help), {}}, labels, std::move(sample));
}

std::string Metrics::text() const {
  using Lines = std::map<LabelValues, std::string>;
  // First and without mutex_: a sample function may wait for a lock whose holder registers a metric.
  std::map<const MetricFamily*, Lines> sampled;
  {
    MutexLock lock(samples_mutex_);
    for (const auto& [id, sample] : samples_) {
      append_line(sampled[sample.family][sample.values], *sample.family, sample.values, ask(sample.function));
    }
  }
  MutexLock lock(mutex_);
  std::string out;
  for (const auto& [name, family] : families_) {
    Lines lines = std::move(sampled[family.get()]);
    for (const auto& [values, cell] : family->cells) append_cell(lines[values], *family, values, *cell);
    if (lines.empty()) continue;
    out.append("# HELP ").append(name).append(" ");
    append_escaped(out, family->help, false);
    out.append("\n# TYPE ").append(name).append(" ").append(type_name(family->type)).append("\n");
    for (const auto& [values, text] : lines) out += text;
  }
  return out;
}

template <class Handle>
Handle Metrics::handle(MetricFamily& family, std::span<const std::string_view> label_values) {
  if (label_values.size() != family.label_names.size()) {
    reject(family.name, "got " + std::to_string(label_values.size()) + " label values for " +
                            std::to_string(family.label_names.size()) + " label names");
  }
  MutexLock lock(mutex_);
  auto& cell = family.cells[LabelValues(label_values.begin(), label_values.end())];
  if (cell == nullptr) cell = std::make_unique<MetricCell>(family.bounds);
  return Handle(*cell);
}
template Counter Metrics::handle(MetricFamily&, std::span<const std::string_view>);
template Gauge Metrics::handle(MetricFamily&, std::span<const std::string_view>);
template Histogram Metrics::handle(MetricFamily&, std::span<const std::string_view>);

MetricFamily& Metrics::family(MetricFamily wanted) {
  check(wanted);
  MutexLock lock(mutex_);
  if (const auto there = families_.find(wanted.name); there != families_.end()) {
    check_same(*there->second, wanted);
    return *there->second;
  }
  check_lines(wanted);
  auto& place = families_[wanted.name];
  place = std::make_unique<MetricFamily>(std::move(wanted));
  return *place;
}

// A histogram also writes lines under three other names.
void Metrics::check_lines(const MetricFamily& wanted) const {
  for (const std::string_view suffix : {"_bucket", "_sum", "_count"}) {
    const std::string longer = wanted.name + std::string(suffix);
    if (wanted.type == MetricType::kHistogram && families_.contains(longer)) {
      reject(wanted.name, "as a histogram it would write \"" + longer + "\", which is a metric already");
    }
    if (!wanted.name.ends_with(suffix)) continue;
    const auto shorter = families_.find(wanted.name.substr(0, wanted.name.size() - suffix.size()));
    if (shorter != families_.end() && shorter->second->type == MetricType::kHistogram) {
      reject(wanted.name, "the histogram \"" + shorter->first + "\" writes lines of this name already");
    }
  }
}

MetricSample Metrics::sampled(MetricFamily wanted, const Labels& labels, std::function<double()> sample) {
  wanted.sampled = true;
  LabelValues values;
  for (const auto& [name, value] : labels) {
    wanted.label_names.push_back(name);
    values.push_back(value);
  }
  const MetricFamily& there = family(std::move(wanted));
  MutexLock lock(samples_mutex_);
  for (const auto& [id, other] : samples_) {
    if (other.family == &there && other.values == values) reject(there.name, "these label values are sampled already");
  }
  samples_.emplace(++last_sample_, Sample{&there, std::move(values), std::move(sample)});
  return {*this, last_sample_};
}

void Metrics::remove_sample(std::uint64_t id) {
  MutexLock lock(samples_mutex_);
  samples_.erase(id);
}

}  // namespace flyball
