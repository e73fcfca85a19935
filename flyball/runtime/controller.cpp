#include "flyball/runtime/controller.hpp"

#include <algorithm>
#include <utility>

#include "flyball/runtime/context.hpp"
#include "flyball/runtime/leader_election.hpp"
#include "flyball/runtime/terminal.hpp"

namespace flyball::runtime {
namespace {

using detail::PassResult;

// A conflict means that the cache was behind: the next try will do, and people need not know. If it does not, they do.
constexpr std::uint32_t kQuietConflicts = 5;

bool is_conflict(const ApiError& error) { return error.is_conflict() || error.is_already_exists(); }

std::string_view word(cache::Change::Type type) {
  switch (type) {
    case cache::Change::Type::added: return "created";
    case cache::Change::Type::modified: return "updated";
    case cache::Change::Type::deleted: return "deleted";
  }
  return {};
}

}  // namespace

struct Controller::Outcome {
  PassResult result = PassResult::success;
  std::optional<Duration> again = {};
  std::string text = "done";
  bool timed_out = false;
};

Controller::Controller(const ControllerSpec& spec, ControllerParts parts)
    : spec_(spec),
      parts_(std::move(parts)),
      log_(parts_.log.in_room("runtime").with("controller", spec.name)),
      metrics_(parts_.metrics, spec.name, concurrency()),
      queue_(parts_.clock, parts_.random, {.name = spec.name, .metrics = parts_.metrics}),
      remembered_({.stable_reads = true}),
      history_(parts_.history) {
  for (const Source& source : spec_.sources) {
    if (source.owned) owned_.push_back(source.resource.kind);
  }
}

Controller::~Controller() {
  for (const auto& trigger : spec_.triggers) trigger->connect({});
}

cache::Watching Controller::listen_to(const Source& source) {
  cache::Scope scope = source.scope;
  if (scope.budget == 0) scope.budget = parts_.cache_budget;
  return parts_.cache.subscribe(source.resource, std::move(scope),
                                [this, &source](const cache::Change& change) { heard(source, change); });
}

void Controller::start() {
  for (const Source& source : spec_.sources) watching_.push_back(listen_to(source));
  for (const auto& trigger : spec_.triggers) {
    trigger->connect([this](const kube::ObjectKey& object, const std::string& reason) {
      queue_.add({.namespace_ = object.namespace_, .name = object.name}, {.reason = reason});
    });
  }
}

void Controller::follow(const client::Resource& resource, cache::Scope scope, Map map) {
  const MutexLock lock(following_);
  auto& followed = followed_[resource.resource().to_string()];
  if (followed) return;
  followed = std::make_unique<Followed>();
  followed->source = {.resource = resource, .scope = std::move(scope), .maps = {std::move(map)}};
  followed->watching = listen_to(followed->source);
}

void Controller::unfollow(const client::Resource& resource) {
  const MutexLock lock(following_);
  followed_.erase(resource.resource().to_string());
}

std::vector<client::Resource> Controller::followed() const {
  const MutexLock lock(following_);
  std::vector<client::Resource> all;
  all.reserve(followed_.size());
  for (const auto& [name, followed] : followed_) all.push_back(followed->source.resource);
  return all;
}

bool Controller::is_wanted(const Source& source, const cache::Change& change) const {
  if (!source.when) return true;
  try {
    return source.when(change);
  } catch (const std::exception& error) {
    log_.error("a predicate failed; the change counts", "object", change.key().to_string(), "error", error);
    return true;
  }
}

std::vector<kube::ObjectKey> Controller::mapped(const Map& map, const cache::Change& change) const {
  try {
    return map(change);
  } catch (const std::exception& error) {
    log_.error("a map failed; the change wakes nobody by it", "object", change.key().to_string(), "error", error);
    return {};
  }
}

void Controller::heard(const Source& source, const cache::Change& change) {
  const kube::GroupVersionKind& kind = source.resource.kind;
  const kube::ObjectKey object = change.key();
  const Cause cause{.reason = std::string(word(change.type())),
                    .kind = kind,
                    .object = object,
                    .resource_version = std::string(change.resource_version())};
  const bool is_new = change.type() == cache::Change::Type::added;
  const Key key{.namespace_ = object.namespace_, .name = object.name};
  // What was there when the operator started is behind what changes meanwhile.
  const AddOptions options{.priority = is_new && !working_.load(std::memory_order_relaxed) ? kLowPriority : 0};
  const bool is_gone = change.type() == cache::Change::Type::deleted;
  bool is_own = source.primary && !is_gone;
  if (is_own && !is_wanted(source, change)) {
    // As an echo of its own: nothing that this object needs to hear.
    remembered_.written(key, {.kind = kind, .object = object, .resource_version = cause.resource_version});
    is_own = false;
  }
  // Also one that a predicate has kept out so far.
  const bool is_unknown = is_own && (is_new || !remembered_.knows(key));
  // Before anybody is told: a pass that begins because of this change has seen it, and need not be woken by it again.
  const auto woken = remembered_.woken_by({.kind = kind,
                                           .before = is_new ? nullptr : change.old_metadata(),
                                           .after = is_gone ? nullptr : &change.metadata(),
                                           .leap = change.is_leap()});
  if (is_unknown) queue_.add(key, cause, options);
  for (const Key& one : woken) queue_.add(one, cause);
  for (const Map& map : source.maps) {
    for (const kube::ObjectKey& one : mapped(map, change)) {
      queue_.add({.namespace_ = one.namespace_, .name = one.name}, cause, options);
    }
  }
}

void Controller::work(const Stop& stop) {
  working_ = true;
  while (auto work = queue_.take(stop)) pass_over(std::move(*work), stop);
}

bool Controller::step(const Stop& stop) {
  working_ = true;
  auto work = queue_.try_take();
  if (!work) return false;
  pass_over(std::move(*work), stop);
  return true;
}

cache::ReadView Controller::view() const {
  std::vector<const cache::Watching*> own;
  own.reserve(watching_.size());
  for (const cache::Watching& watching : watching_) own.push_back(&watching);
  const MutexLock lock(following_);
  for (const auto& [name, followed] : followed_) own.push_back(&followed->watching);
  return parts_.cache.view(own);
}

void Controller::pass_over(Work work, const Stop& stop) {
  const TimePoint begun = parts_.clock.now();
  const TimePoint deadline = spec_.timeout > Duration::zero() ? parts_.clock.after(spec_.timeout) : kNever;
  ReconcileRecord record{.controller = spec_.name,
                         .key = work.key(),
                         .number = ++passes_,
                         .began = parts_.clock.wall_now(),
                         .causes = work.causes()};
  const Logger log = log_.with("object", work.key());
  log.debug("reconciling", "because", work.causes());
  metrics_.began();
  // The view comes after the beginning: what changes between the two counts as changed meanwhile.
  ReadSet reads = remembered_.begin(work.key());
  detail::Pass pass({parts_.client, view(), parts_.events, parts_.clock, owned_, this}, std::move(reads), work.causes(),
                    work.failures(), log, stop.with_deadline(parts_.clock, deadline));
  const Outcome outcome = run(pass, stop);
  record.take(pass.reads());
  record.writes = std::move(pass.writes());
  const bool succeeded = outcome.result == PassResult::success || outcome.result == PassResult::requeue_after;
  const bool absent = pass.is_absent();
  auto missed = succeeded ? remembered_.finish(std::move(pass.reads())) : remembered_.abandon(std::move(pass.reads()));
  if (absent) remembered_.forget(record.key);
  settle(work, outcome);
  for (Cause& cause : missed) queue_.add(record.key, std::move(cause));
  record.took = parts_.clock.now() - begun;
  record.outcome = outcome.text;
  metrics_.ended(outcome.result, record.took, outcome.timed_out);
  this->record(std::move(record));
}

Controller::Outcome Controller::run(detail::Pass& pass, const Stop& stop) const {
  try {
    Context context(pass);
    spec_.run(context);
    if (!pass.requeue()) return {};
    return {.result = PassResult::requeue_after, .again = pass.requeue(), .text = "again later"};
  } catch (const Terminal& error) {
    Outcome outcome = failed(pass, error, false);
    outcome.result = PassResult::terminal;
    pass.tell(EventType::warning, error.reason(), error.what());
    return outcome;
  } catch (const NotLeading& error) {
    // The object is all right; another replica goes on with it.
    pass.log().warn("the pass was broken off", "because", error);
    return {.result = PassResult::interrupted, .text = std::string("broken off: ") + error.what()};
  } catch (const ApiError& error) {
    const bool quiet = is_conflict(error) && pass.failures() < kQuietConflicts;
    return failed(pass, error, quiet);
  } catch (const Stopped& error) {
    // At the end of the program nothing has failed.
    if (stop.stopped()) return {.result = PassResult::interrupted, .text = "interrupted"};
    Outcome outcome = failed(pass, error, false);
    outcome.timed_out = true;
    return outcome;
  } catch (const std::exception& error) {
    return failed(pass, error, false);
  } catch (...) {
    return failed(pass, Error("something that is no std::exception was thrown"), false);
  }
}

Controller::Outcome Controller::failed(detail::Pass& pass, const std::exception& error, bool quiet) const {
  Outcome outcome{.result = PassResult::error, .text = std::string("failed: ") + error.what()};
  if (quiet) {
    pass.log().debug("the object has changed meanwhile; trying again", "error", error);
    return outcome;
  }
  pass.log().error("the pass failed", "error", error, "failures", pass.failures() + 1);
  if (dynamic_cast<const Terminal*>(&error) == nullptr) pass.tell(EventType::warning, "ReconcileFailed", error.what());
  return outcome;
}

void Controller::settle(Work& work, const Outcome& outcome) {
  switch (outcome.result) {
    case PassResult::success:
    case PassResult::terminal: return work.done();
    case PassResult::requeue_after: return work.requeue_after(*outcome.again);
    case PassResult::error:
    case PassResult::interrupted: work.retry();
  }
}

void Controller::record(ReconcileRecord record) {
  if (const auto loop = loops_.passed(record)) {
    log_.warn("a reconcile keeps itself busy", "object", loop->key, "rounds", loop->rounds, "loop", loop->text);
  }
  history_.add(std::move(record));
}

}  // namespace flyball::runtime
