#include "flyball/runtime/operator_run.hpp"

#include <algorithm>
#include <utility>

#include "flyball/base/condition.hpp"

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

std::unique_ptr<LeaderElection> make_election(const client::Client& client, Clock& clock, Random& random,
                                              const OperatorRunOptions& options) {
  if (!options.leader_election) return nullptr;
  LeaderElectionOptions election = *options.leader_election;
  election.log = options.log.in_room("runtime");
  election.metrics = options.metrics;
  return std::make_unique<LeaderElection>(client, clock, random, std::move(election));
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
      election_(make_election(client_, clock, random, options_)),
      leaders_client_(election_ == nullptr ? client_ : election_->fence(client_)),
      events_(client_, clock, random, event_options(op, options_)),
      cache_(client_, cache_options(options_)) {
  op.check();
  for (const auto& spec : op.controllers()) {
    controllers_.push_back(
        std::make_unique<Controller>(*spec, ControllerParts{.client = spec->needs_leader ? leaders_client_ : client_,
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
  if (election_ == nullptr) return;
  // Should a pass not let the program end, somebody has to.
  live_.add("leadership", [lost = election_->leadership()] { return lost.reason(); });
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

void OperatorRun::begin_work(std::vector<std::unique_ptr<Thread>>& workers, const Stop& end, bool of_the_leader) {
  for (const auto& controller : controllers_) {
    if (controller->spec().needs_leader != of_the_leader) continue;
    for (std::uint32_t i = 0; i < controller->concurrency(); ++i) {
      workers.push_back(
          std::make_unique<Thread>(clock_, "worker", [&controller = *controller, end] { controller.work(end); }));
    }
  }
}

void OperatorRun::wait_for_the_end(const Stop& stop) {
  StopSource end(stop);
  const StopCallback at_the_loss(leadership(), [&] { end.request_stop("leadership is lost"); });
  pause_until(clock_, kNever, end.stop());
  log_.info("ending", "because", end.stop().reason());
}

void OperatorRun::run(const Stop& stop) {
  start();
  if (!cache_.wait_for_sync(stop)) return;
  log_.info(election_ == nullptr ? "everything there is has been read; reconciling"
                                 : "everything there is has been read; reconciling as soon as this replica leads",
            "controllers", controllers_.size());
  // Only now: who leads has to be able to work. It goes on until the last pass has ended.
  StopSource candidacy;
  std::unique_ptr<Thread> electing;
  if (election_ != nullptr) {
    electing = std::make_unique<Thread>(clock_, "election", [this, end = candidacy.stop()] { election_->run(end); });
  }
  std::vector<std::unique_ptr<Thread>> workers;
  // Passes that run at the stop go on: they end at the end of the grace, or when another replica may lead.
  StopSource grace(leadership());
  begin_work(workers, grace.stop(), false);
  if (election_ == nullptr || election_->wait_to_lead(stop)) begin_work(workers, grace.stop(), true);
  wait_for_the_end(stop);
  const bool all_ended = shut_down();
  grace.request_stop("the operator ends");
  workers.clear();
  events_.stop(clock_.after(std::chrono::seconds(1)));
  candidacy.request_stop("the operator ends");
  electing.reset();
  if (election_ != nullptr && all_ended) election_->release({});
  throw_if_lost();
}

void OperatorRun::end() {
  const bool all_ended = shut_down();
  events_.stop(clock_.after(std::chrono::seconds(1)));
  if (election_ != nullptr && all_ended) election_->release({});
}

bool OperatorRun::shut_down() {
  bool all_ended = true;
  const TimePoint deadline = clock_.after(options_.shutdown_timeout);
  for (const auto& controller : controllers_) controller->queue().shut_down();
  for (const auto& controller : controllers_) {
    if (controller->queue().wait_until_idle(deadline)) continue;
    all_ended = false;
    log_.warn("passes still run at the end of the grace; their requests are cut off", "controller",
              controller->spec().name, "running", controller->queue().running());
  }
  return all_ended;
}

void OperatorRun::throw_if_lost() const {
  if (!leadership().stopped()) return;
  throw LeadershipLost("leadership is lost: " + leadership().reason() +
                       ". Another replica goes on; started again, this one stands by");
}

bool OperatorRun::step_election(const Stop& stop) {
  if (election_ == nullptr) return false;
  throw_if_lost();
  // Who leads has to be able to work. Once it competes it goes on, whatever becomes of the caches.
  competing_ = competing_ || is_synced();
  if (!competing_) return false;
  const bool did = election_->step(stop);
  throw_if_lost();
  return did;
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
    Controller& controller = *controllers_[(first + i) % controllers_.size()];
    if (may_work(controller) && controller.step(stop)) return true;
  }
  return false;
}

bool OperatorRun::step(const Stop& stop) {
  const bool passes_first = options_.order != nullptr && options_.order->chance(0.5);
  if (passes_first && step_controllers(stop)) return true;
  if (step_election(stop)) return true;
  if (step_watches(stop)) return true;
  if (!passes_first && step_controllers(stop)) return true;
  return events_.step(stop);
}

TimePoint OperatorRun::next_due() const {
  TimePoint due = events_.next_due();
  if (competing_ || (election_ != nullptr && is_synced())) due = std::min(due, election_->next_due());
  for (const auto& controller : controllers_) {
    if (may_work(*controller)) due = std::min(due, controller->next_due());
  }
  for (const auto& reflector : cache_.reflectors()) due = std::min(due, reflector->next_due());
  return due;
}

}  // namespace flyball::runtime
