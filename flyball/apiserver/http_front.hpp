// HttpFront: an Engine over HTTP or HTTPS, for kubectl and every other client outside this process.
//
//   HttpFront front(clock, engine, {.port = 6443, .tls = tls_options});
//   front.url();                               // https://127.0.0.1:6443
//
// Who calls is what the client's certificate says. Watches are answered piece by piece, each on its connection's
// thread.
//
// exec, attach and port-forward go on over the same connection in other protocols: pod_requests.hpp.
//
// Every connection has a thread, and an open watch keeps its connection: about 75 kB over TLS. So watches, and what
// goes on in pods, may take nine tenths of the connections there can be; one more is answered with 429 and a
// Retry-After, and the rest of the connections is left to those who ask and write.
//
// Thread-safety: stop() and the getters may be called from any thread. Lifetime: clock and engine outlive the front;
// the destructor ends all requests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::apiserver {

class HttpFront {
 public:
  // Listens when it returns. Throws net::NetError when it cannot. Bodies beyond what the engine takes are refused
  // early.
  HttpFront(Clock& clock, Engine& engine, net::HttpServerOptions options);

  void also_listen(std::unique_ptr<net::Listener> listener) { server_.also_listen(std::move(listener)); }

  std::uint16_t port() const noexcept { return server_.port(); }
  std::string url() const { return server_.url(); }
  // Accepts nobody any more and ends what is under way, at the latest at the deadline.
  bool stop(TimePoint deadline) { return server_.stop(deadline); }

 private:
  void answer(const net::Request& request, net::ResponseWriter& writer);
  void stream(const net::Request& request, const net::PeerIdentity& caller, net::ResponseWriter& writer);

  Clock& clock_;
  Engine& engine_;
  const std::size_t most_watches_;
  std::atomic<std::size_t> watches_ = 0;
  net::HttpServer server_;
};

}  // namespace flyball::apiserver
