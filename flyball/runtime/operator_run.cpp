#include "flyball/runtime/operator_run.hpp"

#include <algorithm>
#include <utility>

#include "flyball/base/thread.hpp"

namespace flyball::runtime {
namespace {

EventRecorderOptions event_options(const Operator& op, const OperatorRunOptions& options) {
  return {.controller = op.name(),
          .thread = options.threads,
          .log = options.log.in_room("runtime"),
          .metrics = options.metrics};
}

cache::CacheOptions cache_options(const OperatorRunOptions& options) {
  return {.namespaces = options.namespaces,
          .saved = options.saved,
          .threads = options.threads,
          .log = options.log.in_room("cache"),
          .metrics = options.metrics};
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "; ") + word;
  return text;
}

}  // namespace

OperatorRun::OperatorRun(const Operator& op, const client::Client& client, Clock& clock, Random& random,
                         OperatorRunOptions options)
    : clock_(clock),
      options_(std::move(options)),
      log_(options_.log.in_room("runtime")),
      client_(client),
      events_(client_, clock, random, event_options(op, options_)),
      cache_(client_, cache_options(options_)) {
  op.check();
  for (const auto& spec : op.controllers()) {
    controllers_.push_back(std::make_unique<Controller>(*spec, ControllerParts{.client = client_,
                                                                               .cache = cache_,
                                                                               .events = events_,
                                                                               .clock = clock,
                                                                               .random = random,
                                                                               .log = options_.log,
                                                                               .metrics = options_.metrics,
                                                                               .concurrency = options_.concurrency,
                                                                               .cache_budget = options_.cache_budget}));
  }
  ready_.add("caches", [this] { return is_synced() ? "" : "the caches are still being filled"; });
  ready_.add("watches", [this] { return dead_watches(); });
}

OperatorRun::~OperatorRun() = default;

Controller& OperatorRun::controller(std::string_view name) const {
  const auto found =
      std::ranges::find_if(controllers_, [&](const auto& controller) { return controller->spec().name == name; });
  if (found == controllers_.end()) throw Error("there is no controller \"" + std::string(name) + "\"");
  return **found;
}

std::string OperatorRun::dead_watches() const {
  std::vector<std::string> dead;
  for (const cache::StoreStatus& store : cache_.status()) {
    for (const cache::ReflectorStatus& watch : store.watches) {
      if (!watch.failure.empty()) {
        dead.push_back(store.resource + ": " + watch.failure);
      } else if (!watch.parked && clock_.now() - watch.last_heard > options_.watch_silence) {
        dead.push_back(store.resource + ": no word from the server" +
                       (watch.trouble.empty() ? "" : ": " + watch.trouble));
      }
    }
  }
  return join(dead);
}

void OperatorRun::start() {
  for (const auto& controller : controllers_) controller->start();
  started_ = true;
}

void OperatorRun::run(const Stop& stop) {
  start();
  if (!cache_.wait_for_sync(stop)) return;
  log_.info("everything there is has been read; reconciling", "controllers", controllers_.size());
  std::vector<std::unique_ptr<Thread>> workers;
  // Passes that run at the stop go on: they end at the end of the grace.
  StopSource grace;
  for (const auto& controller : controllers_) {
    for (std::uint32_t i = 0; i < controller->concurrency(); ++i) {
      workers.push_back(std::make_unique<Thread>(
          clock_, "worker", [&controller = *controller, end = grace.stop()] { controller.work(end); }));
    }
  }
  pause_until(clock_, kNever, stop);
  log_.info("ending", "because", stop.reason());
  shut_down();
  grace.request_stop("the operator ends");
  workers.clear();
  events_.stop(clock_.after(std::chrono::seconds(1)));
}

void OperatorRun::shut_down() {
  const TimePoint deadline = clock_.after(options_.shutdown_timeout);
  for (const auto& controller : controllers_) controller->queue().shut_down();
  for (const auto& controller : controllers_) {
    if (controller->queue().wait_until_idle(deadline)) continue;
    log_.warn("passes still run at the end of the grace; their requests are cut off", "controller",
              controller->spec().name, "running", controller->queue().running());
  }
}

bool OperatorRun::step_watches(const Stop& stop) {
  const auto reflectors = cache_.reflectors();
  const std::size_t first =
      options_.order != nullptr && !reflectors.empty() ? options_.order->below(reflectors.size()) : 0;
  for (std::size_t i = 0; i < reflectors.size(); ++i) {
    if (reflectors[(first + i) % reflectors.size()]->poll(stop)) return true;
  }
  return false;
}

bool OperatorRun::step_controllers(const Stop& stop) {
  if (!cache_.is_synced()) return false;
  const std::size_t first =
      options_.order != nullptr && !controllers_.empty() ? options_.order->below(controllers_.size()) : 0;
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    if (controllers_[(first + i) % controllers_.size()]->step(stop)) return true;
  }
  return false;
}

bool OperatorRun::step(const Stop& stop) {
  const bool passes_first = options_.order != nullptr && options_.order->chance(0.5);
  if (passes_first && step_controllers(stop)) return true;
  if (step_watches(stop)) return true;
  if (!passes_first && step_controllers(stop)) return true;
  return events_.step(stop);
}

TimePoint OperatorRun::next_due() const {
  TimePoint due = events_.next_due();
  for (const auto& controller : controllers_) due = std::min(due, controller->next_due());
  for (const auto& reflector : cache_.reflectors()) due = std::min(due, reflector->next_due());
  return due;
}

}  // namespace flyball::runtime
