#include "flyball/client/detail/pod_request.hpp"

#include <utility>

#include "flyball/client/refusal.hpp"
#include "flyball/client/requests.hpp"
#include "flyball/net/websocket_handshake.hpp"

namespace flyball::client::detail {

std::string pod_target(const Client& client, const ObjectKey& pod, std::string_view subresource,
                       const net::Query& query) {
  // Without a name the path would be that of the whole list.
  if (pod.name.empty()) throw InputError({}, "name", "the pod has no name; give \"namespace/name\"");
  const std::string& where = pod.namespace_.empty() ? client.options().namespace_ : pod.namespace_;
  return with_query("/api/v1/namespaces/" + net::percent_encode(where) + "/pods/" + net::percent_encode(pod.name) +
                        "/" + std::string(subresource),
                    query);
}

Stop until_answered(const Client& client) {
  const Duration timeout = client.options().timeout;
  Clock& clock = client.engine()->clock();
  return timeout > Duration::zero() ? client.stop().with_deadline(clock, clock.after(timeout)) : client.stop();
}

std::unique_ptr<net::WebSocket> open_pod_socket(const Client& client, std::string target,
                                                const std::vector<std::string>& protocols) {
  const std::string about = "GET " + loggable_target(target);
  const net::WebSocketHandshake handshake(protocols);
  net::Request request{.target = std::move(target)};
  handshake.add_to(request.headers);
  net::Upgraded upgraded = client.engine()->transport().upgrade(std::move(request), until_answered(client));
  client.options().log.debug("request", "method", "GET", "target", about.substr(4), "code", upgraded.head.status);
  if (upgraded.head.status >= 400) throw ApiError(read_refusal(upgraded.head, about).details);
  try {
    std::string chosen = handshake.check(upgraded.head);
    if (chosen.empty()) {
      std::string offered;
      for (const std::string& protocol : protocols) offered += (offered.empty() ? "" : ", ") + protocol;
      throw net::ProtocolError("the server took none of the subprotocols we speak: " + offered);
    }
    return std::make_unique<net::WebSocket>(client.engine()->clock(), std::move(upgraded.stream),
                                            net::WebSocketRole::kClient, std::move(chosen));
  } catch (const net::ProtocolError& error) {
    throw net::ProtocolError(about + ": " + error.what(), error.status());
  }
}

}  // namespace flyball::client::detail
