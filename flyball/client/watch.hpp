// Watch: everything there is of a resource, and from then on every change, for as long as the program lives.
//
//   Watch pods(transport, clock, random, {.resource = resource_of<core::Pod>(), .namespace_ = "shop"});
//   while (const WatchEvent* event = pods.next(stop)) {         // null: stopped
//     if (event->kind == WatchEvent::Kind::added) use(event->as<core::Pod>());
//   }
//
//   TypedWatch<core::Pod> same(transport, clock, random, {.namespace_ = "shop"});
//   while (auto event = same.next(stop)) use(event->object());  // decoded when asked for
//
// The consumer pulls; nothing runs in between, and nothing is held but the piece of the stream that came last. What
// the events mean for somebody who keeps a copy is in watch_event.hpp.
//
// What it does by itself: it streams the present state in (WatchList; pages of a list where the server has it not),
// keeps the stream open on a connection of its own, asks for bookmarks, and takes up the stream at the last version
// after whatever has broken it: the server's timeout, a reset, garbage, a silence longer than `idle_timeout` (a peer
// that is gone without a word), the server's restart. Between tries that failed it pauses, longer each time. When the
// history it needs is gone (410) it resyncs. No change is lost, and none comes twice: an event counts when next() has
// returned it.
//
// Errors: next() throws ApiError when the server refuses for a reason that time alone does not mend (403 Forbidden, 404
// for a kind that is not installed): at once when it never worked, else when it goes on for `patience`. Everything
// passing is logged, counted and mended. After an exception next() may be called again, and tries again.
//
// Thread-safety: one thread at a time; status() from any thread. Lifetime: transport, clock, random and metrics outlive
// the watch; an event is good until the next call of next().
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/client/transport.hpp"
#include "flyball/client/watch_event.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/labels.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::client {

namespace detail {
class WatchLoop;
}

struct WatchOptions {
  Resource resource = {};
  std::string namespace_ = {};   // empty: all namespaces
  std::string name = {};         // only this object
  Labels labels = {};            // every one of these
  kube::Selector selector = {};  // and this: Selector::parse("tier in (cache,db),!canary")
  kube::FieldSelector fields = {};
  std::string resource_version = {};  // begin with what changed after it; empty: with everything there is
  Extent extent = Extent::whole;      // metadata: objects come as PartialObjectMetadata

  bool watch_list = true;       // stream the present state in where the server can; false: always list
  std::size_t page_size = 500;  // objects per request of a list; 0: all in one, still streamed
  Duration idle_timeout = std::chrono::seconds(90);       // without an event or a bookmark, which comes every minute
  Duration shortest_life = std::chrono::minutes(5);       // the server ends a stream after that, or up to twice that
  Duration first_pause = std::chrono::milliseconds(500);  // after a failure; doubles, and is longer by chance
  Duration longest_pause = std::chrono::seconds(30);
  Duration patience = std::chrono::minutes(1);     // how long a watch that worked may be refused before next() throws
  std::size_t event_bytes = WatchDecoder::kLimit;  // of one event or item

  Logger log = {};
  Metrics* metrics = nullptr;  // flyball_watch_*
};

// How it goes, for probes and for people.
struct WatchStatus {
  bool synced = false;        // everything there is has been given, and the stream goes on from there
  TimePoint last_heard = {};  // when the server last said something; at first, when the watch was made
  std::string trouble = {};   // what went wrong last; empty when all is well
};

class Watch {
 public:
  // Sends nothing yet. Throws InputError when the options contradict each other.
  Watch(Transport& transport, Clock& clock, Random& random, WatchOptions options);
  ~Watch();
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;

  // Waits for the next event; null when stopped or past the deadline. Nothing is lost by that: it may be called again.
  const WatchEvent* next(const Stop& stop);
  // An event that is there now, without waiting for one; null when there is none. For programs that do everything on
  // one thread, over a transport in the same process.
  const WatchEvent* poll(const Stop& stop);
  // When poll() has something to do although the server says nothing: a pause ends, a silence has lasted too long.
  TimePoint next_due() const;

  WatchStatus status() const;

 private:
  std::unique_ptr<detail::WatchLoop> loop_;
};

template <class T>
class TypedEvent {
 public:
  explicit TypedEvent(const WatchEvent& raw) : raw_(&raw) {}
  WatchEvent::Kind kind() const { return raw_->kind; }
  const kube::Metadata& metadata() const { return raw_->metadata; }
  // Decodes it, each time.
  T object() const { return raw_->as<T>(); }
  const WatchEvent& raw() const { return *raw_; }

 private:
  const WatchEvent* raw_;
};

// A watch of one C++ type: `resource` in the options is filled in.
template <class T>
class TypedWatch {
 public:
  using Kind = WatchEvent::Kind;

  TypedWatch(Transport& transport, Clock& clock, Random& random, WatchOptions options = {})
      : watch_(transport, clock, random, complete(std::move(options))) {}

  std::optional<TypedEvent<T>> next(const Stop& stop) {
    const WatchEvent* event = watch_.next(stop);
    if (event == nullptr) return std::nullopt;
    return TypedEvent<T>(*event);
  }
  WatchStatus status() const { return watch_.status(); }

 private:
  static WatchOptions complete(WatchOptions options) {
    options.resource = resource_of<T>();
    return options;
  }

  Watch watch_;
};

}  // namespace flyball::client
