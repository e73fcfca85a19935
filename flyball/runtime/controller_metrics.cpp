#include "flyball/runtime/detail/controller_metrics.hpp"

namespace flyball::runtime::detail {

ControllerMetrics::ControllerMetrics(Metrics* metrics, const std::string& controller, double most_at_once) {
  if (metrics == nullptr) return;
  const auto total =
      metrics->counter("controller_runtime_reconcile_total",
                       "Passes by controller and result: success, requeue_after or error.", {"controller", "result"});
  const auto count = [&](const char* name, const char* help) {
    return metrics->counter(name, help, {"controller"}).with({controller});
  };
  const auto gauge = [&](const char* name, const char* help) {
    return metrics->gauge(name, help, {"controller"}).with({controller});
  };
  all_ =
      All{.success = total.with({controller, "success"}),
          .requeue_after = total.with({controller, "requeue_after"}),
          .error = total.with({controller, "error"}),
          .errors = count("controller_runtime_reconcile_errors_total", "Passes that failed."),
          .terminal = count("controller_runtime_terminal_reconcile_errors_total",
                            "Passes that failed and are not tried again."),
          .timeouts = count("controller_runtime_reconcile_timeouts_total", "Passes that ran into their timeout."),
          .seconds =
              metrics->histogram("controller_runtime_reconcile_time_seconds", "How long passes take.", {"controller"})
                  .with({controller}),
          .active = gauge("controller_runtime_active_workers", "Passes that run now."),
          .most = gauge("controller_runtime_max_concurrent_reconciles", "Passes that may run at once.")};
  all_->most.set(most_at_once);
}

void ControllerMetrics::began() const {
  if (all_) all_->active.add(1);
}

void ControllerMetrics::ended(PassResult result, Duration took, bool timed_out) const {
  if (!all_) return;
  all_->active.add(-1);
  all_->seconds.observe(std::chrono::duration<double>(took).count());
  if (timed_out) all_->timeouts.add();
  switch (result) {
    case PassResult::success: return all_->success.add();
    case PassResult::requeue_after: return all_->requeue_after.add();
    case PassResult::terminal: all_->terminal.add(); [[fallthrough]];
    case PassResult::error: all_->error.add(); return all_->errors.add();
    // Neither: it was not let to its end.
    case PassResult::interrupted: return;
  }
}

}  // namespace flyball::runtime::detail
