// What is counted of connections. Made once per client or server; counting is an addition to an atomic.
#pragma once

#include <string_view>

#include "flyball/base/metrics.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::net::detail {

struct NetCounters {
  // `side` is "client" or "server".
  NetCounters(Metrics& metrics, std::string_view side);

  Counter opened;  // connections
  Counter reused;
  Counter failed;
  Counter handshakes;  // of TLS
  Counter failed_handshakes;
  Counter received;  // bytes, as they are on the wire
  Counter sent;
};

// From here on the bytes of the stream are counted. Only for TCP streams, before TLS is put over them.
void count_bytes(Stream& stream, const NetCounters& counters);

}  // namespace flyball::net::detail
