// EventBook: which events are to be written, and which of them are repetitions. See events.hpp.
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "flyball/base/clock.hpp"
#include "flyball/client/client_options.hpp"
#include "flyball/kube/events/v1.hpp"
#include "flyball/runtime/event_note.hpp"
#include "flyball/runtime/token_bucket.hpp"

namespace flyball::runtime::detail {

// What is to be sent: the event as it is now. With `patch` only its series: the rest is stored already.
struct EventWrite {
  std::string identity = {};
  kube::events::v1::Event event = {};
  bool patch = false;
  int tries = 0;  // before this one
};

struct EventBookOptions {
  Duration series_interval = {};
  Duration series_ends = {};
  client::RateLimit per_object = {};
  std::size_t most_waiting = 0;
};

class EventBook {
 public:
  enum class Taken : std::uint8_t { fresh, merged, dropped };

  explicit EventBook(EventBookOptions options) : options_(options) {}

  // `event` is complete but for its series.
  Taken record(kube::events::v1::Event event, TimePoint now);

  TimePoint next_due() const { return due_.empty() ? kNever : due_.begin()->first; }
  std::size_t waiting() const { return due_.size(); }
  // One that is due; with `all` also one that is not. It waits no longer: say how it went.
  std::optional<EventWrite> take(TimePoint now, bool all);
  void written(const EventWrite& write, TimePoint now);
  // To be tried again at that time, or given up.
  void failed(const EventWrite& write, std::optional<TimePoint> again);

 private:
  struct Series {
    kube::events::v1::Event event = {};
    std::int32_t count = 1;
    bool stored = false;
    bool waits = false;
    int tries = 0;
    TimePoint due = {};
    TimePoint written = {};
    TimePoint seen = {};
  };

  bool over_limit(const kube::events::v1::Event& event, TimePoint now);
  void wait(const std::string& identity, Series& series, TimePoint due);
  void sweep(TimePoint now);

  const EventBookOptions options_;
  std::map<std::string, Series> series_;       // by identity
  std::map<std::string, TokenBucket> limits_;  // by object
  std::set<std::pair<TimePoint, std::string>> due_;
  std::size_t sweep_at_ = 1024;
};

}  // namespace flyball::runtime::detail
