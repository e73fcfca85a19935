// ClientOptions: how a client behaves, whatever it is asked.
//
//   Client client(transport, clock, random, {.namespace_ = "shop", .field_manager = "shop-operator", .log = log});
//
// Thread-safety: a value.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/metrics.hpp"
#include "flyball/client/retry.hpp"

namespace flyball::client {

// At most so many requests: for servers without priority and fairness of their own.
struct RateLimit {
  double per_second = 0;  // 0: no limit
  int burst = 1;          // that many may go at once after a quiet time
};

struct ClientOptions {
  std::string namespace_ = {};            // where a key without a namespace lies; empty: the Config's, else "default"
  std::string field_manager = "flyball";  // who owns the fields that are written
  // Of a request with all its tries, where the caller gave no deadline of its own; zero: none.
  Duration timeout = std::chrono::seconds(30);
  RetryPolicy retry = {};
  RateLimit rate_limit = {};
  bool protobuf = true;  // for built-in kinds, where the server speaks it
  Logger log = {};       // room "client": a line per request at debug, what the server warns of at warn
  Metrics* metrics = nullptr;
  // What the server warns of (a deprecated version, an unknown field). Default: it is logged, each text once.
  std::function<void(std::string_view)> on_warning = {};
};

}  // namespace flyball::client
