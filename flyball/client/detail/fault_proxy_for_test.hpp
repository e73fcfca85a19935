// FaultProxy: stands between a client and a server on the loopback, and does to their connections what networks do.
//
//   FaultProxy proxy(clock, server.port());
//   proxy.plan({{.kind = Fault::Kind::reset, .after = 300}});    // the first connection; those after the plan are
//   sound connect(proxy.port());
//
// A fault befalls what the server says, once it has said `after` bytes on that connection.
//
// Thread-safety: all members may be called from any thread. Lifetime: the destructor breaks all connections off; the
// clock outlives the proxy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <sys/socket.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::client {

struct Fault {
  enum class Kind : std::uint8_t {
    none,
    reset,      // the connection is broken off
    end,        // it ends in order, whatever was under way
    half_open,  // nothing more comes, and nobody says so
    drip,       // a byte now and then, for ever
    garbage,    // something else comes, and then the end
  };
  Kind kind = Kind::none;
  std::size_t after = 0;
};

class FaultProxy {
 public:
  FaultProxy(Clock& clock, std::uint16_t server_port)
      : clock_(clock), server_port_(server_port), resolver_(clock), listener_(clock, "127.0.0.1", 0) {
    accepter_ = std::make_unique<Thread>(clock, "fault proxy", [this] { accept(); });
  }
  ~FaultProxy() { stop_.request_stop("the proxy ends"); }
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  std::uint16_t port() const noexcept { return listener_.port(); }

  // What befalls the next connections, one after the other.
  void plan(std::deque<Fault> faults) {
    MutexLock lock(mutex_);
    plan_ = std::move(faults);
  }
  // Faults that are still to come.
  std::size_t planned() const {
    MutexLock lock(mutex_);
    return plan_.size();
  }

 private:
  struct Session {
    std::unique_ptr<net::Stream> client;
    std::unique_ptr<net::Stream> server;
    Fault fault;
    StopSource over;
    std::unique_ptr<Thread> up = {};
    std::unique_ptr<Thread> down = {};
  };

  void accept() {
    std::list<Session> sessions;
    try {
      while (true) {
        auto client = listener_.accept(stop_.stop());
        Session& session =
            sessions.emplace_back(Session{std::move(client), connect(), next_fault(), StopSource(stop_.stop())});
        if (!session.server) {
          sessions.pop_back();
          continue;
        }
        session.up = std::make_unique<Thread>(clock_, "proxy up", [&] { up(session); });
        session.down = std::make_unique<Thread>(clock_, "proxy down", [&] { down(session); });
      }
    } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): the test has ended
    }
  }

  // Null when the server is not there: the client's connection then just ends.
  std::unique_ptr<net::Stream> connect() {
    try {
      return net::connect_tcp(clock_, resolver_, "127.0.0.1", server_port_, stop_.stop());
    } catch (const net::NetError&) {
      return nullptr;
    }
  }

  Fault next_fault() {
    MutexLock lock(mutex_);
    if (plan_.empty()) return {};
    const Fault fault = plan_.front();
    plan_.pop_front();
    return fault;
  }

  static void up(Session& session) {
    std::array<char, 4096> buffer{};
    const Stop stop = session.over.stop();
    try {
      while (const std::size_t n = session.client->read(buffer, stop)) session.server->write({buffer.data(), n}, stop);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): either has gone
    }
    session.server->shutdown();
  }

  void down(Session& session) {
    const Fault fault = session.fault;
    std::array<char, 4096> buffer{};
    std::size_t said = 0;
    try {
      while (const std::size_t n = session.server->read(buffer, stop_.stop())) {
        const bool now = fault.kind != Fault::Kind::none && said + n > fault.after;
        const std::size_t sound = now ? fault.after - said : n;
        session.client->write({buffer.data(), sound}, stop_.stop());
        if (now) return befall(session, std::string_view(buffer.data(), n).substr(sound));
        said += n;
      }
      session.client->close();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): either has gone
      session.client->shutdown();
    }
  }

  void befall(Session& session, std::string_view rest) {
    net::Stream& client = *session.client;
    switch (session.fault.kind) {
      case Fault::Kind::none: return;
      case Fault::Kind::reset: {
        const linger now{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(client.descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
        session.over.request_stop("the connection is broken off");
        session.up->join();
        session.client.reset();
        return;
      }
      case Fault::Kind::end: return client.shutdown();
      case Fault::Kind::half_open: pause_until(clock_, kNever, stop_.stop()); return;
      case Fault::Kind::drip:
        for (const char byte : rest) {
          if (!pause_until(clock_, clock_.after(std::chrono::milliseconds(20)), stop_.stop())) return;
          client.write({&byte, 1}, stop_.stop());
        }
        pause_until(clock_, kNever, stop_.stop());
        return;
      case Fault::Kind::garbage:
        client.write("\x01\x02}{ this is not what the server said \xff\xfe", stop_.stop());
        return client.shutdown();
    }
  }

  // Constant after construction.
  Clock& clock_;
  const std::uint16_t server_port_;

  net::Resolver resolver_;
  net::Listener listener_;
  StopSource stop_;
  mutable Mutex mutex_;
  std::deque<Fault> plan_ FLYBALL_GUARDED_BY(mutex_);
  std::unique_ptr<Thread> accepter_;
};

}  // namespace flyball::client
