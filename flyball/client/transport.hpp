// Transport: a request goes to the API server, an answer or a stream comes back. The seam below every client.
//
//   net::Response answer = transport.send({.target = "/api/v1/namespaces/default/pods?limit=500"}, stop);
//   auto stream = transport.open({.target = "/api/v1/pods?watch=1"}, stop, {.idle_timeout = 90s});
//   for (std::string piece; !(piece = stream->read(stop)).empty();) use(piece);
//
// Two implementations: HTTP (http_transport.hpp), and a direct call into an API server in the same process. Nothing
// above can tell which it has. Answers are answers, whatever their status; who the caller is (tokens, certificates,
// impersonation) and where the server is belong to the transport. It tries once: retries are the client's.
//
// Errors: net::NetError for a connection that could not be made or did not last, net::ProtocolError for a peer that
// does not speak HTTP, Stopped at the stop or its deadline.
//
// Thread-safety: a Transport may be used from any thread, a BodyStream by one at a time.
// Lifetime: the transport outlives its streams.
#pragma once

#include <memory>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/http.hpp"
#include "flyball/net/upgrade.hpp"

namespace flyball::client {

struct OpenOptions {
  Duration idle_timeout = Duration(-1);  // without a byte from the server; negative: the transport's, zero: for ever
};

// An answer whose body is still coming. Destroying it ends the answer.
class BodyStream {
 public:
  BodyStream() = default;
  BodyStream(const BodyStream&) = delete;
  BodyStream& operator=(const BodyStream&) = delete;
  virtual ~BodyStream() = default;

  // Status and headers.
  virtual const net::Response& head() const noexcept = 0;
  // The next piece, as soon as there is one; empty at the end.
  virtual std::string read(const Stop& stop) = 0;
};

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // The whole answer. `target` begins at the API's root ("/api", "/apis"), whatever path the server lives under.
  virtual net::Response send(net::Request request, const Stop& stop) = 0;
  // The answer's head; the body as it comes. Each open stream has a connection of its own.
  virtual std::unique_ptr<BodyStream> open(net::Request request, const Stop& stop, const OpenOptions& options = {}) = 0;
  // Asks for another protocol on the connection (exec, attach, port-forward: WebSocket). After 101 the connection is in
  // `stream`; any other answer comes whole, in `head`.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that can do it send it
  virtual net::Upgraded upgrade(net::Request request, const Stop& /*stop*/) {
    throw Error("this transport cannot switch protocols, which " + request.method + " " + request.target +
                " needs; use a transport over HTTP");
  }
};

}  // namespace flyball::client
