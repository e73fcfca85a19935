// serve_command: joins a command in a pod with the client that asked for it, until one of them ends.
//
//   ChannelPeer peer(socket, …);                        // pod_peers.hpp: a WebSocket's channels, or SPDY's streams
//   serve_command(clock, peer, [&](const Stop& stop) { return door.run(command, stop); }, command, stop);
//
// Two threads: this one carries what the client says to the command, another what the command prints to the client.
// Each reads only when what it read before is delivered: nothing piles up here. When the client is gone the command is
// killed; when the command has ended and all it printed is sent, the client is told how, and has a few seconds to hang
// up.
//
// Thread-safety: blocks its thread. Lifetime: all it is given outlives the call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "flyball/apiserver/pod_door.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// Whoever asked for a command. One thread calls next(), another the rest.
class CommandPeer {
 public:
  struct Said {
    enum class Kind : std::uint8_t { input, end_of_input, resize, gone };
    Kind kind = Kind::gone;
    std::string data = {};
    std::uint16_t width = 0;
    std::uint16_t height = 0;
  };

  CommandPeer() = default;
  CommandPeer(const CommandPeer&) = delete;
  CommandPeer& operator=(const CommandPeer&) = delete;
  virtual ~CommandPeer() = default;

  // Throws what the connection throws.
  virtual Said next(const Stop& stop) = 0;
  virtual void write(bool error, std::string_view bytes, const Stop& stop) = 0;
  // How it ended, as a Status, and goodbye.
  virtual void finish(const json::Value& status, const Stop& stop) = 0;
};

using StartCommand = std::function<std::unique_ptr<PodProcess>(const Stop&)>;

void serve_command(Clock& clock, CommandPeer& peer, const StartCommand& start, const PodCommand& command,
                   const Stop& stop);

// Of {"Width":80,"Height":24}; gone for what is none.
CommandPeer::Said resize_from(std::string_view text);

}  // namespace flyball::apiserver
