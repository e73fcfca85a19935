#include "flyball/client/oidc_credentials.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "flyball/client/detail/refreshed.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/net/http_client.hpp"

namespace flyball::client {
namespace {

// How long before its end a token counts as expired: clocks differ and requests take time.
constexpr Duration kMargin = std::chrono::seconds(10);
constexpr Duration kTimeout = std::chrono::seconds(30);
constexpr std::int64_t kLatestSecond = 9'000'000'000;  // the year 2255: what nanoseconds in 64 bits still reach

// The second after which a JSON Web Token is void. Nothing is verified here: that is the API server's business.
std::optional<WallTime> end_of(std::string_view token) {
  const std::size_t first = token.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = token.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  std::string payload(token.substr(first + 1, second - first - 1));
  std::replace(payload.begin(), payload.end(), '-', '+');
  std::replace(payload.begin(), payload.end(), '_', '/');
  payload.append((4 - payload.size() % 4) % 4, '=');
  const std::optional<std::string> text = kube::from_base64(payload);
  if (!text) return std::nullopt;
  try {
    const json::Value claims = json::parse(*text, {.duplicates = json::Duplicates::last_wins});
    const json::View end = claims["exp"];
    if (!end.is_number()) return std::nullopt;
    const double seconds = std::clamp(end.as_double(), 0.0, static_cast<double>(kLatestSecond));
    return WallTime(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

class OidcCredentials final : public detail::RefreshedCredentials {
 public:
  OidcCredentials(Clock& clock, OidcOptions options)
      : RefreshedCredentials(clock, held(options.id_token)),
        clock_(clock),
        options_(std::move(options)),
        http_(clock, {.tls = {.ca = options_.ca, .ca_file = options_.ca_file},
                      .proxy = options_.proxy,
                      .limits = {.body_bytes = 1U << 20U}}),
        refresh_token_(options_.refresh_token) {}

 private:
  static std::optional<Held> held(const Secret& token) {
    const std::optional<WallTime> end = end_of(token.reveal());
    if (!end) return std::nullopt;
    return Held{.token = token, .until = *end - kMargin};
  }

  bool can_fetch() const override { return !options_.refresh_token.empty(); }

  // Called by one thread at a time, which is what guards refresh_token_.
  Held fetch(const Stop& stop) override {
    if (!can_fetch()) {
      throw Error("the id token of " + options_.issuer +
                  " has expired, and without a refresh-token there is no other; log in again");
    }
    const Stop bounded = stop.with_deadline(clock_, clock_.after(kTimeout));
    try {
      return refresh(bounded);
    } catch (const Stopped&) {
      stop.throw_if_stopped();
      throw Error("the identity provider " + options_.issuer + " gave no token within 30 s");
    }
  }

  Held refresh(const Stop& stop) {
    const json::Value provider = ask(net::Url::parse(with_well_known()), {}, stop);
    const std::string_view endpoint = provider["token_endpoint"].string_or("");
    if (endpoint.empty()) fail("its discovery document has no token_endpoint");
    const json::Value answer = ask(net::Url::parse(endpoint), refresh_request(provider), stop);
    const Secret token(std::string(answer["id_token"].string_or("")));
    std::optional<Held> fresh = held(token);
    if (!fresh) {
      fail("its answer to the refresh has no id_token we can read; was the scope \"openid\" asked for at login?");
    }
    if (const Secret next(std::string(answer["refresh_token"].string_or("")));
        !next.empty() && next != refresh_token_) {
      refresh_token_ = next;
      options_.log.warn("the identity provider replaced the refresh token; the one in the kubeconfig may be void now",
                        "issuer", options_.issuer);
    }
    return *fresh;
  }

  std::string with_well_known() const {
    std::string url = options_.issuer;
    while (url.ends_with('/')) url.pop_back();
    return url + "/.well-known/openid-configuration";
  }

  net::Request refresh_request(const json::Value& provider) const {
    net::Query form;
    form.add("grant_type", "refresh_token").add("refresh_token", refresh_token_.reveal());
    net::Request request{.method = "POST", .headers = {{"Content-Type", "application/x-www-form-urlencoded"}}};
    const json::View methods = provider["token_endpoint_auth_methods_supported"];
    const json::Items all = methods.items();
    const bool basic = methods.empty() || std::any_of(all.begin(), all.end(), [](json::View method) {
                         return method.string_or("") == "client_secret_basic";
                       });
    if (basic && !options_.client_secret.empty()) {
      request.headers.set("Authorization",
                          "Basic " + kube::to_base64(net::percent_encode(options_.client_id) + ":" +
                                                     net::percent_encode(options_.client_secret.reveal())));
    } else {
      form.add("client_id", options_.client_id);
      if (!options_.client_secret.empty()) form.add("client_secret", options_.client_secret.reveal());
    }
    request.body = form.text();
    return request;
  }

  json::Value ask(const net::Url& url, net::Request request, const Stop& stop) {
    request.headers.set("Accept", "application/json");
    const net::Response response = http_.send(url, std::move(request), stop);
    json::Value answer;
    try {
      answer = json::parse(response.body, {.duplicates = json::Duplicates::last_wins});
    } catch (const InputError&) {
      fail(url.text() + " answered " + std::to_string(response.status) + " and no JSON");
    }
    if (response.status != 200) {
      std::string words(answer["error"].string_or(""));
      if (const std::string_view more = answer["error_description"].string_or(""); !more.empty()) {
        words += " (" + std::string(more) + ")";
      }
      fail(url.text() + " answered " + std::to_string(response.status) + (words.empty() ? "" : ": " + words) +
           (answer["error"].string_or("") == "invalid_grant" ? "; the refresh token is void, log in again" : ""));
    }
    return answer;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error("the identity provider " + options_.issuer + " gave no token: " + problem);
  }

  // Constant after construction.
  Clock& clock_;
  const OidcOptions options_;
  net::HttpClient http_;

  Secret refresh_token_;
};

}  // namespace

std::shared_ptr<Credentials> oidc_credentials(Clock& clock, OidcOptions options) {
  if (options.id_token.empty() && options.refresh_token.empty()) {
    throw InputError({}, "", "neither an id-token nor a refresh-token; log in first");
  }
  if (options.refresh_token.empty() && !end_of(options.id_token.reveal())) {
    throw InputError({}, "id-token", "no JSON Web Token with an \"exp\" in it; log in again");
  }
  if (!options.refresh_token.empty()) {
    if (options.issuer.empty()) throw InputError({}, "idp-issuer-url", "missing; it says where to refresh the token");
    if (options.client_id.empty()) throw InputError({}, "client-id", "missing; the issuer wants it for a refresh");
    (void)net::Url::parse(options.issuer);
  }
  return std::make_shared<OidcCredentials>(clock, std::move(options));
}

}  // namespace flyball::client
