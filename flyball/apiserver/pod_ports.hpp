// What kubectl port-forward asks for: connections to ports of a pod, many over one connection.
//
//   forward_streams(clock, spdy, connect, stop);              // SPDY: two streams for each, of any number of ports
//   forward_channels(clock, socket, {8080}, connect, stop);   // v4.channel.k8s.io: two channels for each port, one use
//
// Two threads, however many connections there are: this one carries what the client sends to the pod, another what the
// pod sends back. Each end may end its half before the other. A pod that does not read holds up the client's other
// connections, as it does with a real kubelet.
//
// Thread-safety: blocks its thread. Lifetime: all it is given outlives the call.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/descriptor.hpp"
#include "flyball/net/spdy.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::apiserver {

// Throws Error with what the client shall be told.
using ConnectPort = std::function<net::OwnedDescriptor(std::uint16_t port, const Stop& stop)>;

void forward_streams(Clock& clock, net::SpdyConnection& spdy, const ConnectPort& connect, const Stop& stop);
void forward_channels(Clock& clock, net::WebSocket& socket, const std::vector<std::uint16_t>& ports,
                      const ConnectPort& connect, const Stop& stop);

}  // namespace flyball::apiserver
