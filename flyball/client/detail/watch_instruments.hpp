// What a watch tells the world about itself: metrics, log lines, status. Private to the room.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/client/watch.hpp"

namespace flyball::client::detail {

class WatchInstruments {
 public:
  WatchInstruments(Clock& clock, const WatchOptions& options);
  WatchInstruments(const WatchInstruments&) = delete;
  WatchInstruments& operator=(const WatchInstruments&) = delete;

  // An event goes out to the consumer.
  void gave(WatchEvent::Kind kind) FLYBALL_EXCLUDES(mutex_);
  // The server said something that makes sense.
  void heard();
  // A stream or a list is to be opened anew: "ended", "silent", "broken", "refused", "error" or "expired".
  void restart(std::string_view why);
  // Something is wrong; empty: no longer.
  void trouble(std::string text) FLYBALL_EXCLUDES(mutex_);

  const Logger& log() const noexcept { return log_; }
  WatchStatus status() const FLYBALL_EXCLUDES(mutex_);

 private:
  MetricSample sample_age(Metrics& metrics, const std::string& resource, const std::string& scope);

  // Constant after construction.
  Clock& clock_;
  const Logger log_;
  const std::string resource_;
  std::vector<Counter> events_;  // by kind; empty without metrics
  std::optional<Family<Counter>> restarts_;

  std::atomic<Duration::rep> heard_;

  mutable Mutex mutex_;
  bool synced_ FLYBALL_GUARDED_BY(mutex_);
  std::string trouble_ FLYBALL_GUARDED_BY(mutex_);

  MetricSample age_;  // last: it reads what is above until it is gone
};

}  // namespace flyball::client::detail
