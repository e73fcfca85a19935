// What goes on inside a pod, over a connection that stops being HTTP: exec, attach, port-forward.
//
//   if (is_pod_request(request)) return serve_pod_request(clock, engine, request, caller, writer);
//
// Three forms, all of them in use: WebSockets with v5.channel.k8s.io or v4 (kubectl, our own client), SPDY/3.1
// (client-go before 1.31, and whoever falls back to it), and SPDY inside of a WebSocket's messages (kubectl
// port-forward). What is refused before that is refused in HTTP, as everything else is.
//
// Thread-safety: pure functions; serve_pod_request() blocks its thread for as long as it goes on. Lifetime: what they
// are given outlives the call.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/pod_door.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::apiserver {

class Engine;

struct PodRequest {
  std::optional<net::Response> refusal = {};  // there is nothing more to it
  bool ports = false;                         // port-forward; else a command
  PodCommand command = {};                    // of port-forward: the pod only
  std::vector<std::uint16_t> channels = {};   // ports that a WebSocket without SPDY is for
  PodDoor* door = nullptr;
};

// GET or POST of …/pods/NAME/exec, attach or portforward.
bool is_pod_request(const net::Request& request);
// Throws Refusal.
PodRequest read_pod_request(Context& context, PodDoor& door);
void serve_pod_request(Clock& clock, Engine& engine, const net::Request& request, const net::PeerIdentity& caller,
                       net::ResponseWriter& writer);

}  // namespace flyball::apiserver
