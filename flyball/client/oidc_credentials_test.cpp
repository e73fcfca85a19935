#include "flyball/client/oidc_credentials.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/bytes.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using detail::error_of;
using detail::TestApi;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

// A token that says when it ends, and which one it is.
std::string token_until(WallTime end, const std::string& name = "x") {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(end.time_since_epoch()).count();
  std::string payload = kube::to_base64(R"({"sub":"jane?>","exp":)" + std::to_string(seconds) + "}");
  std::replace(payload.begin(), payload.end(), '+', '-');
  std::replace(payload.begin(), payload.end(), '/', '_');
  std::erase(payload, '=');
  return "eyJhbGciOiJub25lIn0." + payload + "." + name;
}

std::string header_of(Credentials& credentials) {
  net::Headers headers;
  credentials.authorize(headers, {});
  return std::string(headers.get("Authorization"));
}

// A provider that gives tokens for one hour and replaces the refresh token each time.
class Oidc : public testing::Test {
 public:
  net::Response answer(const net::Request& request) {
    if (request.target == "/realm/.well-known/openid-configuration") {
      return {.body = R"({"token_endpoint": ")" + provider.url() + R"(/token")" + more_discovery + "}"};
    }
    if (request.target != "/token") return {.status = 404, .body = "what?"};
    last = request;
    if (!refusal.empty()) return {.status = 400, .body = refusal};
    ++tokens;
    const std::string n = std::to_string(tokens);
    return {.body =
                R"({"id_token": ")" + token_until(clock.wall_now() + 1h, n) + R"(", "refresh_token": "r)" + n + "\"}"};
  }
  OidcOptions options(const std::string& id_token) {
    return {.issuer = provider.url() + "/realm/",
            .client_id = "kube id",
            .client_secret = Secret("s&cret"),
            .id_token = Secret(id_token),
            .refresh_token = Secret("r0"),
            .ca = provider.ca()};
  }

  RealClock real;
  ManualClock clock{{.wall_start = real.wall_now()}};
  TestApi provider{real, [this](const net::Request& request) { return answer(request); }};
  std::string more_discovery;
  std::string refusal;
  net::Request last;
  int tokens = 0;
};

TEST_F(Oidc, AnIdTokenIsUsedUntilShortlyBeforeItsEnd) {
  const std::string token = token_until(clock.wall_now() + 10min);
  const auto credentials = oidc_credentials(clock, options(token));
  EXPECT_EQ(header_of(*credentials), "Bearer " + token);
  clock.advance(9min + 45s);
  EXPECT_EQ(header_of(*credentials), "Bearer " + token);
  EXPECT_EQ(tokens, 0);
  clock.advance(5s);
  EXPECT_THAT(header_of(*credentials), EndsWith(".1"));
  clock.advance(30min);
  EXPECT_THAT(header_of(*credentials), EndsWith(".1"));
  EXPECT_EQ(tokens, 1);
}

TEST_F(Oidc, ARefreshSaysWhoAsksAndUsesTheNewestRefreshToken) {
  const auto credentials = oidc_credentials(clock, options(""));
  (void)header_of(*credentials);
  EXPECT_EQ(last.body, "grant_type=refresh_token&refresh_token=r0");
  EXPECT_EQ(last.headers.get("Authorization"), "Basic " + kube::to_base64("kube%20id:s%26cret"));
  EXPECT_EQ(last.headers.get("Content-Type"), "application/x-www-form-urlencoded");
  clock.advance(2h);
  EXPECT_THAT(header_of(*credentials), EndsWith(".2"));
  EXPECT_EQ(last.body, "grant_type=refresh_token&refresh_token=r1");
}

TEST_F(Oidc, TheSecretGoesWhereTheProviderWantsIt) {
  more_discovery = R"(, "token_endpoint_auth_methods_supported": ["client_secret_post"])";
  (void)header_of(*oidc_credentials(clock, options("")));
  EXPECT_EQ(last.body, "grant_type=refresh_token&refresh_token=r0&client_id=kube%20id&client_secret=s%26cret");
  EXPECT_FALSE(last.headers.contains("Authorization"));
}

TEST_F(Oidc, ARejectedTokenIsRefreshed) {
  const TestApi api(real, [](const net::Request& request) {
    return net::Response{.status = request.headers.get("Authorization").ends_with(".1") ? 200 : 401};
  });
  Config config = api.config();
  config.credentials = oidc_credentials(clock, options(token_until(clock.wall_now() + 1h)));
  HttpTransport transport(real, config);
  EXPECT_EQ(transport.send({}, {}).status, 200);
  EXPECT_EQ(tokens, 1);
}

TEST_F(Oidc, WithoutARefreshTokenTheIdTokenIsAllThereIs) {
  OidcOptions only = options(token_until(clock.wall_now() + 1h));
  only.refresh_token = {};
  const auto credentials = oidc_credentials(clock, only);
  EXPECT_FALSE(credentials->rejected({{"Authorization", header_of(*credentials)}}));
  clock.advance(1h);
  EXPECT_EQ(
      error_of([&] { return header_of(*credentials); }),
      "the id token of " + only.issuer + " has expired, and without a refresh-token there is no other; log in again");
}

TEST_F(Oidc, ARefusalIsToldInTheProvidersWords) {
  refusal = R"({"error": "invalid_grant", "error_description": "Session not active"})";
  const auto credentials = oidc_credentials(clock, options(""));
  EXPECT_EQ(error_of([&] { return header_of(*credentials); }),
            "the identity provider " + provider.url() + "/realm/ gave no token: " + provider.url() +
                "/token answered 400: invalid_grant (Session not active); the refresh token is void, log in again");
  refusal.clear();
  EXPECT_THAT(header_of(*credentials), EndsWith(".1")) << "it is asked again";
}

TEST_F(Oidc, AWrongIssuerIsAnError) {
  OidcOptions wrong = options("");
  wrong.issuer = provider.url() + "/elsewhere";
  EXPECT_THAT(error_of([&] { return header_of(*oidc_credentials(clock, wrong)); }),
              EndsWith("/elsewhere/.well-known/openid-configuration answered 404 and no JSON"));
  wrong = options("");
  wrong.ca.clear();
  EXPECT_THAT(error_of<net::NetError>([&] { return header_of(*oidc_credentials(clock, wrong)); }),
              HasSubstr("not among the CAs we trust"));
}

TEST_F(Oidc, WhatIsMissingIsSaidAtOnce) {
  EXPECT_EQ(error_of<InputError>([&] { return oidc_credentials(clock, {}); }),
            "neither an id-token nor a refresh-token; log in first");
  EXPECT_EQ(error_of<InputError>([&] { return oidc_credentials(clock, {.id_token = Secret("opaque")}); }),
            "id-token: no JSON Web Token with an \"exp\" in it; log in again");
  EXPECT_EQ(error_of<InputError>([&] { return oidc_credentials(clock, {.refresh_token = Secret("r")}); }),
            "idp-issuer-url: missing; it says where to refresh the token");
}

}  // namespace
}  // namespace flyball::client
