// Reach a port of a pod from here, through the API server.
//
//   const PortForward forward(client, {"shop", "db-0"}, 5432);
//   connect_to("127.0.0.1", forward.port());                 // each connection goes to port 5432 of the pod
//
//   const auto connection = open_pod_port(client, {"shop", "db-0"}, 5432);      // one connection, without a local port
//   connection->write("hello");
//   for (std::string piece; !(piece = connection->read()).empty();) use(piece);
//
// Over WebSockets with the subprotocol v4.channel.k8s.io, one per connection, which every kube-apiserver passes on to
// the node. It cannot say that one direction has ended and the other goes on: when either side closes, the connection
// is closed for both. (kubectl tunnels SPDY to have that; we do not.) The caller needs the verbs get and create on
// pods/portforward.
//
// Errors: ApiError when the server refuses, net::NetError for the connection and for what the node says about the port
// (nobody listens there), Stopped at the client's stop. Of a PortForward's connections they go to the client's log.
//
// Thread-safety: of a PodConnection, one thread reads, any number write and close; PortForward from any thread.
// Lifetime: what the client needs outlives both. The destructor of PortForward breaks its connections off.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "flyball/client/client.hpp"

namespace flyball::net {
class WebSocket;
}

namespace flyball::client {

namespace detail {
class PortForwardState;
}

class PodConnection {
 public:
  PodConnection(Client client, std::unique_ptr<net::WebSocket> socket, std::string about);
  ~PodConnection();
  PodConnection(const PodConnection&) = delete;
  PodConnection& operator=(const PodConnection&) = delete;

  // The next bytes, as soon as there are some; empty after the pod has closed.
  std::string read();
  void write(std::string_view bytes);
  // Closes the connection: the pod sees its end.
  void close();

 private:
  const Client client_;
  const std::unique_ptr<net::WebSocket> socket_;
  const std::string about_;  // "port 80 of shop/web-1", for errors

  // Used by the reading thread alone.
  bool data_begun_ = false;  // the port's number has come, which is the first thing on each channel
  bool error_begun_ = false;
};

std::unique_ptr<PodConnection> open_pod_port(const Client& client, const ObjectKey& pod, std::uint16_t port);

struct PortForwardOptions {
  std::string address = "127.0.0.1";  // numeric, to listen on
  std::uint16_t local_port = 0;       // 0: a free one
  std::size_t connections = 64;       // at once; more wait
};

class PortForward {
 public:
  // Listens when it returns; the pod is asked when somebody connects.
  PortForward(const Client& client, ObjectKey pod, std::uint16_t pod_port, const PortForwardOptions& options = {});
  ~PortForward();
  PortForward(const PortForward&) = delete;
  PortForward& operator=(const PortForward&) = delete;

  // The local one.
  std::uint16_t port() const noexcept;

 private:
  std::unique_ptr<detail::PortForwardState> state_;
};

}  // namespace flyball::client
