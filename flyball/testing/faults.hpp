// Faults: what goes wrong between an operator and its API server. FaultyTransport: a Transport that lets it.
//
//   testing::Environment env(setup, {.seed = seed, .faults = {.lose_answer = 0.05, .break_watch = 0.02}});
//
//   FaultyTransport transport(server.transport(), clock, random, {.refuse = 0.1});        // or by hand
//   transport.set_down(true);                                                             // nobody answers
//   transport.set_faults({});                                                             // peace
//
// Each fault is a probability, drawn for each request or each piece of a watch from the generator that is given: the
// same seed, the same faults. What they mean for the one who asks is what a real network and a real server do.
//
// Thread-safety: may be used from any thread; what is drawn is then a matter of who comes first.
// Lifetime: everything it is given outlives it, and it outlives its streams.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/transport.hpp"

namespace flyball::testing {

struct Faults {
  double lose_request = 0;  // the connection breaks before the server has heard it
  double lose_answer = 0;   // the server did it, and the connection breaks before it could say so
  double refuse = 0;        // 500, 503 or 429 instead of an answer
  double conflict = 0;      // a write is refused with 409
  double delay = 0;         // a request takes up to a second
  double break_watch = 0;   // a watch breaks off
  double expire_watch = 0;  // a watch is told that its history is gone: 410
  double hold_watch = 0;    // a watch says nothing for up to ten seconds, then everything at once
  double repeat_event = 0;  // a watch says the same once more
  double stale_list = 0;    // a list is answered with what was there the last time somebody asked
};

struct FaultCounts {
  std::uint64_t requests = 0;
  std::uint64_t lost_requests = 0;
  std::uint64_t lost_answers = 0;
  std::uint64_t refused = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t delays = 0;
  std::uint64_t broken_watches = 0;
  std::uint64_t expired_watches = 0;
  std::uint64_t held_watches = 0;
  std::uint64_t repeated_events = 0;
  std::uint64_t stale_lists = 0;

  FaultCounts& operator+=(const FaultCounts& more);
  // Each of them, at least once.
  bool all_happened() const;
  // "1204 requests, 17 lost, …"
  std::string to_string() const;
};

class FaultyTransport final : public client::Transport {
 public:
  FaultyTransport(client::Transport& to, Clock& clock, Random& random, const Faults& faults = {});

  net::Response send(net::Request request, const Stop& stop) override;
  std::unique_ptr<client::BodyStream> open(net::Request request, const Stop& stop,
                                           const client::OpenOptions& options = {}) override;

  void set_faults(const Faults& faults);
  Faults faults() const;
  // Down: every request and every watch that is open fails, until it is up again.
  void set_down(bool down) { down_ = down; }
  // Called before each request is sent, on the thread that sends it: what the rest of the world does meanwhile. It may
  // send requests of its own, and is not called for those.
  void set_meanwhile(std::function<void()> meanwhile) { meanwhile_ = std::move(meanwhile); }
  // Of requests that reached the server, and of what went wrong.
  FaultCounts counts() const;

 private:
  class Stream;

  bool draw(double Faults::* which, std::uint64_t FaultCounts::* count);
  void before(const net::Request& request, const Stop& stop);
  net::Response refusal(const net::Request& request);

  // Constant after construction.
  client::Transport& to_;
  Clock& clock_;
  Random& random_;

  std::function<void()> meanwhile_;  // set before there are threads
  std::atomic<bool> down_ = false;
  mutable Mutex mutex_;
  Faults faults_ FLYBALL_GUARDED_BY(mutex_);
  FaultCounts counts_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, net::Response> lists_ FLYBALL_GUARDED_BY(mutex_);  // the last answers, by target
};

}  // namespace flyball::testing
