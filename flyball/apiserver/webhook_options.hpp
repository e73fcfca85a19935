// WebhookOptions: how an API server reaches webhooks. Part of EngineOptions; everything has a default that works.
//
//   EngineOptions options;
//   options.webhooks.resolve = [&](const WebhookService& to) { return forwarded_port_of(to); };   // "127.0.0.1:4711"
//   options.webhooks.send = [&](const WebhookCall& call, const Stop&) { return my_webhook(call.body); };   // a test
//
// Thread-safety: a value; the functions are called from the threads of requests, several at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "flyball/base/stop.hpp"
#include "flyball/json/value.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

// A Service that a webhook names.
struct WebhookService {
  std::string namespace_ = {};
  std::string name = {};
  std::uint16_t port = 443;
};

// One call of a webhook, on its way out.
struct WebhookCall {
  std::string url = {};          // with the query: "https://web.shop.svc:443/check?timeout=10s"
  std::string address = {};      // where to connect instead of the host of the URL: "10.0.0.7:443"; empty: there
  std::string server_name = {};  // the name its certificate must have, instead of the host of the URL
  std::string ca = {};           // PEM; empty: the authorities of this machine
  std::string body = {};         // JSON
};

// Whether a webhook is to be asked, by its matchConditions.
struct MatchQuestion {
  struct Condition {
    std::string name = {};
    std::string expression = {};  // CEL
  };
  std::vector<Condition> conditions = {};
  json::Value request = {};  // what an AdmissionReview says under `request`: object, oldObject, userInfo …
};

struct WebhookOptions {
  // Where a Service is reached: "10.0.0.7:8443". Throws Error when it is not. Empty: a ready endpoint of the Service,
  // or its cluster IP.
  std::function<std::string(const WebhookService&)> resolve = {};
  // Sends a call and waits for the answer. Throws NetError, or Stopped at the deadline. Empty: over HTTPS.
  std::function<net::Response(const WebhookCall&, const Stop&)> send = {};
  // Whether all conditions hold. Throws Error for one that cannot be decided. Empty: none can be, and the webhook's
  // failurePolicy says what becomes of the request.
  std::function<bool(const MatchQuestion&)> match = {};
};

}  // namespace flyball::apiserver
