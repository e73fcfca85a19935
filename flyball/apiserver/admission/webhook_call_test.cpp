#include "flyball/apiserver/admission/webhook_call.hpp"

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::apiserver {
namespace {

// A webhook over HTTPS, with an authority of its own.
struct WebhookCalls : ::testing::Test {
  RealClock clock;
  Store store{clock};
  const net::CertificateAuthority authority =
      net::CertificateAuthority::make({.common_name = "hooks", .from = clock.wall_now()});
  const net::KeyPair pair =
      authority.issue({.common_name = "hook", .names = {"127.0.0.1", "hook.shop.svc"}, .from = clock.wall_now()});
  net::HttpServer server{
      clock,
      {.tls = net::TlsServerOptions{.certificate = pair.certificate, .key = pair.key}},
      [](const net::Request& request, net::ResponseWriter& writer) {
        writer.send({.body = R"({"target":")" + request.target + R"(","host":")" +
                             std::string(request.headers.get("Host")) + R"(","got":)" + request.body + "}"});
      }};

  json::Value post(const WebhookPlace& place, const WebhookOptions& options = {}) {
    WebhookCaller caller(clock, options, store);
    return caller.post(place, std::chrono::seconds(20), json::object({{"a", 1}}), {});
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(server.port()); }
};

TEST_F(WebhookCalls, GoToAUrlWhoseCertificateTheBundleVouchesFor) {
  const json::Value answer = post({.url = "https://" + address() + "/check", .ca = authority.certificate()});
  EXPECT_EQ(answer["target"].as_string(), "/check?timeout=20s");
  EXPECT_EQ(answer["got"]["a"].as_int(), 1);
}

TEST_F(WebhookCalls, GoToAServiceByTheNameInItsCertificate) {
  WebhookOptions options;
  options.resolve = [this](const WebhookService& service) {
    EXPECT_EQ(service.namespace_ + "/" + service.name, "shop/hook");
    return address();
  };
  const WebhookPlace place{
      .service = WebhookService{.namespace_ = "shop", .name = "hook"}, .path = "/check", .ca = authority.certificate()};
  EXPECT_EQ(post(place, options)["target"].as_string(), "/check?timeout=20s");
}

TEST_F(WebhookCalls, OfAServerThatIsNotTrustedFail) {
  const auto other = net::CertificateAuthority::make({.common_name = "others", .from = clock.wall_now()});
  try {
    post({.url = "https://" + address() + "/check", .ca = other.certificate()});
    FAIL() << "it was trusted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Post \"https://" + address()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace flyball::apiserver
