#include "flyball/runtime/detail/queue_metrics.hpp"

#include <utility>

namespace flyball::runtime::detail {
namespace {

// Ten nanoseconds to a thousand seconds.
std::vector<double> duration_buckets() { return exponential_buckets(1e-8, 10, 12); }

}  // namespace

QueueMetrics::QueueMetrics(Metrics* metrics, const std::string& queue) {
  if (metrics == nullptr) return;
  const std::vector<std::string> labels = {"name", "controller"};
  handles_.emplace(Handles{
      .adds =
          metrics->counter("workqueue_adds_total", "Keys that came to wait for a pass.", labels).with({queue, queue}),
      .retries = metrics->counter("workqueue_retries_total", "Passes that failed and are tried again.", labels)
                     .with({queue, queue}),
      .queue_duration = metrics
                            ->histogram("workqueue_queue_duration_seconds",
                                        "How long keys were ready before their pass began.", labels, duration_buckets())
                            .with({queue, queue}),
      .work_duration =
          metrics->histogram("workqueue_work_duration_seconds", "How long passes took.", labels, duration_buckets())
              .with({queue, queue})});
}

void QueueMetrics::added() const {
  if (handles_) handles_->adds.add();
}

void QueueMetrics::taken(Duration waited) const {
  if (handles_) handles_->queue_duration.observe(seconds(waited));
}

void QueueMetrics::finished(Duration took) const {
  if (handles_) handles_->work_duration.observe(seconds(took));
}

void QueueMetrics::retried() const {
  if (handles_) handles_->retries.add();
}

QueueSamples sample_queue(Metrics* metrics, const std::string& queue, QueueQuestions questions) {
  QueueSamples samples;
  if (metrics == nullptr) return samples;
  const Metrics::Labels labels = {{"name", queue}, {"controller", queue}};
  samples.push_back(
      metrics->sampled_gauge("workqueue_depth", "Keys that are ready.", labels, std::move(questions.depth)));
  samples.push_back(metrics->sampled_gauge("workqueue_unfinished_work_seconds",
                                           "How long the passes that run have taken so far, all together.", labels,
                                           std::move(questions.unfinished)));
  samples.push_back(metrics->sampled_gauge("workqueue_longest_running_processor_seconds",
                                           "How long the longest of the passes that run has taken so far.", labels,
                                           std::move(questions.longest_running)));
  samples.push_back(metrics->sampled_gauge("flyball_queue_oldest_seconds",
                                           "How long the key that waits longest has been ready.", labels,
                                           std::move(questions.oldest)));
  return samples;
}

}  // namespace flyball::runtime::detail
