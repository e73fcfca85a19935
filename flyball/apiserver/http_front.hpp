// HttpFront: an Engine over HTTP or HTTPS, for kubectl and every other client outside this process.
//
//   HttpFront front(clock, engine, {.port = 6443, .tls = tls_options});
//   front.url();                               // https://127.0.0.1:6443
//
// Who calls is what the client's certificate says. Watches are answered piece by piece, each on its connection's
// thread.
//
// Thread-safety: stop() and the getters may be called from any thread. Lifetime: clock and engine outlive the front;
// the destructor ends all requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::apiserver {

class HttpFront {
 public:
  // Listens when it returns. Throws net::NetError when it cannot. Bodies beyond what the engine takes are refused
  // early.
  HttpFront(Clock& clock, Engine& engine, net::HttpServerOptions options);

  std::uint16_t port() const noexcept { return server_.port(); }
  std::string url() const { return server_.url(); }
  // Accepts nobody any more and ends what is under way, at the latest at the deadline.
  bool stop(TimePoint deadline) { return server_.stop(deadline); }

 private:
  void answer(const net::Request& request, net::ResponseWriter& writer);

  Engine& engine_;
  net::HttpServer server_;
};

}  // namespace flyball::apiserver
