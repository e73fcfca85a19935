// The metrics of a queue, under the names that dashboards for controller-runtime and client-go know. See queue.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/metrics.hpp"

namespace flyball::runtime::detail {

// What is counted as it happens. Without a registry nothing is.
class QueueMetrics {
 public:
  QueueMetrics(Metrics* metrics, const std::string& queue);

  void added() const;
  void taken(Duration waited) const;
  void finished(Duration took) const;
  void retried() const;

 private:
  struct Handles {
    Counter adds;
    Counter retries;
    Histogram queue_duration;
    Histogram work_duration;
  };
  std::optional<Handles> handles_;
};

// What is asked for when somebody collects.
struct QueueQuestions {
  std::function<double()> depth;
  std::function<double()> unfinished;
  std::function<double()> longest_running;
  std::function<double()> oldest;
};
using QueueSamples = std::vector<MetricSample>;
QueueSamples sample_queue(Metrics* metrics, const std::string& queue, QueueQuestions questions);

inline double seconds(Duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace flyball::runtime::detail
