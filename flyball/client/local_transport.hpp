// LocalTransport: the Transport that calls a server in the same process. No socket, no thread of its own, no waiting
// but the server's: a test holds server and client on one thread.
//
//   const net::PeerIdentity admin{.common_name = "admin", .organizations = {"system:masters"}};
//   LocalTransport transport(clock, server, {.caller = admin});
//   Client client(transport, clock, random);
//
// The Service is the server: it gets the request, and who asks. What an HTTP server learns from a client's certificate
// is said here by the one who makes the transport.
//
// Errors are those of Transport; an exception out of the Service is an answer 500 with a Status that holds its words,
// as it would be over HTTP, and the request is named. Stopped goes through.
//
// Thread-safety: may be used from any thread, if the Service may. Lifetime: clock and Service outlive the transport,
// the transport its streams.
#pragma once

#include <memory>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/client/transport.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::client {

// What answers requests: the engine of an API server.
class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

  // The whole answer.
  virtual net::Response handle(const net::Request& request, const net::PeerIdentity& caller, const Stop& stop) = 0;
  // The head, then the body as it comes: watches and logs. The stop bounds this call, not the stream.
  virtual std::unique_ptr<BodyStream> open(const net::Request& request, const net::PeerIdentity& caller,
                                           const Stop& stop) = 0;
};

struct LocalTransportOptions {
  net::PeerIdentity caller = {};
  Duration idle_timeout = std::chrono::seconds(60);  // of a stream without a byte; zero: for ever
};

class LocalTransport final : public Transport {
 public:
  LocalTransport(Clock& clock, Service& service, LocalTransportOptions options = {});

  net::Response send(net::Request request, const Stop& stop) override;
  std::unique_ptr<BodyStream> open(net::Request request, const Stop& stop, const OpenOptions& options = {}) override;

 private:
  Clock& clock_;
  Service& service_;
  const LocalTransportOptions options_;
};

}  // namespace flyball::client
