// Who asks for a command in a pod, and how: channels of a WebSocket (v5.channel.k8s.io and v4), or streams of SPDY (v4,
// v3 and v2 of the same name).
//
// Thread-safety: as CommandPeer says. Lifetime: socket and connection outlive the peer.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "flyball/apiserver/pod_command.hpp"
#include "flyball/net/spdy.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::apiserver {

// The first byte of each message says which stream it is of.
class ChannelPeer final : public CommandPeer {
 public:
  // Says at once that it is there.
  ChannelPeer(net::WebSocket& socket, const PodCommand& command, const Stop& stop);

  Said next(const Stop& stop) override;
  void write(bool error, std::string_view bytes, const Stop& stop) override;
  void finish(const json::Value& status, const Stop& stop) override;

 private:
  void send(char channel, std::string_view bytes, const Stop& stop);

  net::WebSocket& socket_;
};

class SpdyPeer final : public CommandPeer {
 public:
  SpdyPeer(net::SpdyConnection& spdy, const PodCommand& command, std::string protocol)
      : spdy_(spdy), tty_(command.tty), protocol_(std::move(protocol)), awaited_(awaited_of(command)) {}

  // Waits for the streams that belong to the command. False when the client has gone. Throws Error when others come.
  bool await_streams(const Stop& stop);

  Said next(const Stop& stop) override;
  void write(bool error, std::string_view bytes, const Stop& stop) override;
  void finish(const json::Value& status, const Stop& stop) override;

 private:
  static std::vector<std::string> awaited_of(const PodCommand& command);
  void keep(net::SpdyEvent event);
  Said said_by(const net::SpdyEvent& event) const;

  // Constant after construction.
  net::SpdyConnection& spdy_;
  const bool tty_;
  const std::string protocol_;
  const std::vector<std::string> awaited_;

  std::map<std::string, std::uint32_t, std::less<>> streams_;  // by type; constant once all have come
  std::deque<net::SpdyEvent> early_;                           // the reading thread's: came, and was not yet told
};

}  // namespace flyball::apiserver
