#include "flyball/net/detail/net_counters.hpp"

#include "flyball/net/detail/tcp_stream.hpp"

namespace flyball::net::detail {
namespace {

Counter connections(Metrics& metrics, std::string_view side, std::string_view result) {
  return metrics.counter("flyball_net_connections_total", "Connections, by what became of them.", {"side", "result"})
      .with({side, result});
}

Counter handshakes_of(Metrics& metrics, std::string_view side, std::string_view result) {
  return metrics.counter("flyball_net_tls_handshakes_total", "TLS handshakes.", {"side", "result"})
      .with({side, result});
}

Counter bytes(Metrics& metrics, std::string_view side, std::string_view direction) {
  return metrics.counter("flyball_net_bytes_total", "Bytes on the wire.", {"side", "direction"})
      .with({side, direction});
}

}  // namespace

NetCounters::NetCounters(Metrics& metrics, std::string_view side)
    : opened(connections(metrics, side, "opened")),
      reused(connections(metrics, side, "reused")),
      failed(connections(metrics, side, "failed")),
      handshakes(handshakes_of(metrics, side, "done")),
      failed_handshakes(handshakes_of(metrics, side, "failed")),
      received(bytes(metrics, side, "received")),
      sent(bytes(metrics, side, "sent")) {}

void count_bytes(Stream& stream, const NetCounters& counters) {
  if (auto* tcp = dynamic_cast<TcpStream*>(&stream)) tcp->count(counters.received, counters.sent);
}

}  // namespace flyball::net::detail
