// Calls of webhooks: a JSON body goes out, a JSON answer comes back, or an error in the words people know from
// kube-apiserver.
//
//   WebhookCaller caller(clock, options.webhooks, store);
//   const json::Value answer = caller.post({.client = config, .timeout = 10s}, review, stop);
//
// Connections to one webhook are kept and used again. No lock is held while it is waited for an answer.
//
// Thread-safety: all members may be called from any thread. Lifetime: clock, options and store outlive it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/apiserver/store.hpp"
#include "flyball/apiserver/webhook_options.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/json/value.hpp"
#include "flyball/net/http_client.hpp"

namespace flyball::apiserver {

// Where a webhook is: a URL, or a Service.
struct WebhookPlace {
  std::string url = {};
  std::optional<WebhookService> service = {};
  std::string path = {};  // at the Service
  std::string ca = {};    // PEM
};

// Of both API groups that have such a thing.
template <class ClientConfig>
WebhookPlace place_of(const ClientConfig& config) {
  WebhookPlace place{.url = config.url.value_or(""), .ca = config.caBundle.str()};
  if (config.service) {
    place.service = WebhookService{.namespace_ = config.service->namespace_,
                                   .name = config.service->name,
                                   .port = static_cast<std::uint16_t>(config.service->port.value_or(443))};
    place.path = config.service->path.value_or("");
  }
  return place;
}

class WebhookCaller {
 public:
  WebhookCaller(Clock& clock, const WebhookOptions& options, const Store& store)
      : clock_(clock), options_(options), store_(store) {}

  // The answer's body. `Error` says what went wrong as Go's client would: `Post "https://…": dial tcp …`; Stopped when
  // the request itself has ended.
  json::Value post(const WebhookPlace& place, std::chrono::seconds timeout, const json::Value& body, const Stop& stop);

 private:
  net::Response send(const WebhookCall& call, const Stop& stop);
  std::string resolve(const WebhookService& service) const;

  // Constant after construction.
  Clock& clock_;
  const WebhookOptions& options_;
  const Store& store_;

  Mutex mutex_;
  // By authority and name of the server.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<net::HttpClient>> clients_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::apiserver
