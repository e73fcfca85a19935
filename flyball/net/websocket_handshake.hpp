// The opening handshake of a WebSocket, for those who send or answer the request themselves. Most people want
// websocket.hpp.
//
//   const WebSocketHandshake handshake({"v5.channel.k8s.io", "v4.channel.k8s.io"});
//   handshake.add_to(request.headers);
//   const Upgraded upgraded = http.upgrade(url, request, stop);
//   const std::string protocol = handshake.check(upgraded.head);
//
// Thread-safety: constant after construction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flyball/net/http.hpp"

namespace flyball::net {

// The client's half.
class WebSocketHandshake {
 public:
  // Subprotocols in the order we like them.
  explicit WebSocketHandshake(std::vector<std::string> protocols = {});

  void add_to(Headers& headers) const;
  // Which subprotocol the server chose; empty for none. Throws ProtocolError when the answer is no WebSocket handshake,
  // or not the one to our request.
  std::string check(const Response& head) const;

 private:
  const std::vector<std::string> protocols_;
  const std::string key_;
};

// The server's half: 101 when the request is a WebSocket handshake with one of our subprotocols (any, if we have none),
// else the refusal to send, with the reason in its body.
Response answer_websocket_handshake(const Request& request, const std::vector<std::string>& protocols);

// Sec-WebSocket-Accept for a Sec-WebSocket-Key.
std::string websocket_accept(std::string_view key);

}  // namespace flyball::net
