// An API server on loopback that answers pods' subresources by a script, and a client that talks to it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/mutex.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::client::detail {

class PodApi : public testing::Test {
 private:
  void note(const std::string& target) {
    MutexLock lock(mutex_);
    target_ = target;
  }

  // First, since the server's handlers use them to their end.
  Mutex mutex_;
  std::string target_ FLYBALL_GUARDED_BY(mutex_);

 public:
  using Talk = std::function<void(net::WebSocket&, const Stop&)>;

  Client serve(net::HttpServer::Handler handler, ClientOptions options = {.namespace_ = "shop"}) {
    server.emplace(clock, net::HttpServerOptions{},
                   [this, handler = std::move(handler)](const net::Request& request, net::ResponseWriter& writer) {
                     note(request.target);
                     handler(request, writer);
                   });
    transport.emplace(clock, Config{.server = net::Url::parse(server->url())});
    return {*transport, clock, random, std::move(options)};
  }
  // The server's end of a WebSocket.
  Client serve_socket(std::vector<std::string> protocols, Talk talk) {
    return serve([this, protocols = std::move(protocols), talk = std::move(talk)](const net::Request& request,
                                                                                  net::ResponseWriter& writer) {
      const auto socket = net::WebSocket::accept(clock, request, writer, {.protocols = protocols});
      if (socket) talk(*socket, writer.stop());
    });
  }
  // Reads until the other end has closed.
  static void read_away(net::WebSocket& socket, const Stop& stop) {
    while (socket.read(stop)) {
    }
  }

  // Of the last request.
  std::string target() {
    MutexLock lock(mutex_);
    return target_;
  }

  RealClock clock;
  Random random{1};
  std::optional<net::HttpServer> server;
  std::optional<HttpTransport> transport;
};

}  // namespace flyball::client::detail
