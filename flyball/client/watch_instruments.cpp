#include "flyball/client/detail/watch_instruments.hpp"

#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/client/detail/watch_request.hpp"

namespace flyball::client::detail {
namespace {

Logger log_of(const WatchOptions& options) {
  const Logger log = options.log.with("resource", resource_name(options));
  const std::string scope = scope_text(options);
  return scope.empty() ? log : log.with("scope", scope);
}

}  // namespace

WatchInstruments::WatchInstruments(Clock& clock, const WatchOptions& options)
    : clock_(clock),
      log_(log_of(options)),
      resource_(resource_name(options)),
      heard_(clock.now().time_since_epoch().count()),
      synced_(!options.resource_version.empty()) {
  if (options.metrics == nullptr) return;
  Metrics& metrics = *options.metrics;
  const auto events = metrics.counter("flyball_watch_events_total", "Events that watches gave to their consumers.",
                                      {"resource", "type"});
  for (int kind = 0; kind <= static_cast<int>(WatchEvent::Kind::synced); ++kind) {
    events_.push_back(events.with({resource_, to_string(static_cast<WatchEvent::Kind>(kind))}));
  }
  restarts_ = metrics.counter("flyball_watch_restarts_total", "Streams that were opened anew, and why.",
                              {"resource", "reason"});
  age_ = sample_age(metrics, resource_, scope_text(options));
}

MetricSample WatchInstruments::sample_age(Metrics& metrics, const std::string& resource, const std::string& scope) {
  // Two watches of the same things are two lines.
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? scope : scope + "#" + std::to_string(number);
    try {
      return metrics.sampled_gauge("flyball_watch_age_seconds", "Since the server last said something on this watch.",
                                   {{"resource", resource}, {"scope", name}}, [this] {
                                     const Duration age = clock_.now().time_since_epoch() - Duration(heard_.load());
                                     return std::chrono::duration<double>(age).count();
                                   });
    } catch (const InputError&) {
      if (number == 100) throw;
    }
  }
}

void WatchInstruments::gave(WatchEvent::Kind kind) {
  if (!events_.empty()) events_[static_cast<std::size_t>(kind)].add();
  if (kind != WatchEvent::Kind::resync_begin && kind != WatchEvent::Kind::synced) return;
  MutexLock lock(mutex_);
  synced_ = kind == WatchEvent::Kind::synced;
}

void WatchInstruments::heard() { heard_.store(clock_.now().time_since_epoch().count()); }

void WatchInstruments::restart(std::string_view why) {
  if (restarts_) restarts_->with({resource_, why}).add();
}

void WatchInstruments::trouble(std::string text) {
  MutexLock lock(mutex_);
  trouble_ = std::move(text);
}

WatchStatus WatchInstruments::status() const {
  MutexLock lock(mutex_);
  return {.synced = synced_, .last_heard = TimePoint(Duration(heard_.load())), .trouble = trouble_};
}

}  // namespace flyball::client::detail
