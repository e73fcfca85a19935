// TCP: connect to a host, listen for peers.
//
//   Resolver resolver(clock);
//   std::unique_ptr<Stream> stream = connect_tcp(clock, resolver, "localhost", 8080, stop);
//
//   Listener listener(clock, "127.0.0.1", 0);             // 0: a free port, then in listener.port()
//   std::unique_ptr<Stream> peer = listener.accept(stop);
//
// All addresses of a name are tried, IPv6 and IPv4 in turns; a new attempt begins when the one before it failed or has
// been silent for `stagger`, and the first to succeed wins (RFC 8305).
//
// Deadlines come with the Stop, on the clock that is given here. A thread that waits for a socket counts as outside to
// a manual clock. Thread-safety: Resolver and Listener may be used from any thread. Lifetime: the clock outlives all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/thread_pool.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::net {

// Numeric addresses, in the order they should be tried.
class Resolver {
 public:
  explicit Resolver(Clock& clock);
  // Waits for lookups that are under way; the system's resolver cannot be interrupted, but ends by itself.
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // Throws NetError (kLookup) when the name has none, Stopped when the stop comes first.
  std::vector<std::string> resolve(const std::string& host, const Stop& stop);

 private:
  Clock& clock_;
  Mutex mutex_;
  std::unique_ptr<ThreadPool> pool_ FLYBALL_GUARDED_BY(mutex_);  // made for the first name that needs it
};

struct ConnectOptions {
  Duration stagger = std::chrono::milliseconds(250);  // until the next address is tried beside this one
  Duration idle_timeout = {};                         // of the stream; zero: none
};

std::unique_ptr<Stream> connect_tcp(Clock& clock, Resolver& resolver, const std::string& host, std::uint16_t port,
                                    const Stop& stop, const ConnectOptions& options = {});

class Listener {
 public:
  // `address` is numeric. Port 0 takes a free one.
  Listener(Clock& clock, const std::string& address, std::uint16_t port);
  // Takes over a TCP socket that listens already, and does not block. It may be of another network namespace.
  Listener(Clock& clock, int fd);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  // Throws Stopped at the stop.
  std::unique_ptr<Stream> accept(const Stop& stop);

 private:
  Clock& clock_;
  int fd_;
  std::uint16_t port_ = 0;
};

}  // namespace flyball::net
