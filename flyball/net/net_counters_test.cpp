#include "flyball/net/detail/net_counters.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/net/certificate.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(NetMetrics, CountConnectionsHandshakesAndBytesOfBothSides) {
  RealClock clock;
  Metrics metrics;
  const WallTime now = clock.wall_now();
  const auto ca = CertificateAuthority::make({.common_name = "test ca", .from = now});
  const KeyPair pair = ca.issue({.common_name = "api", .names = {"127.0.0.1"}, .from = now});
  HttpServer server(clock,
                    {.tls = TlsServerOptions{.certificate = pair.certificate, .key = pair.key}, .metrics = &metrics},
                    [](const Request&, ResponseWriter& writer) { writer.send({.body = "hello"}); });
  // [snippet: metrics]
  HttpClient http(clock, {.tls = {.ca = ca.certificate()}, .metrics = &metrics});
  (void)http.send(Url::parse(server.url()), {}, {});
  (void)http.send(Url::parse(server.url()), {}, {});
  EXPECT_THAT(metrics.text(), HasSubstr("flyball_net_connections_total{side=\"client\",result=\"opened\"} 1\n"));
  EXPECT_THAT(metrics.text(), HasSubstr("flyball_net_connections_total{side=\"client\",result=\"reused\"} 1\n"));
  EXPECT_THAT(metrics.text(), HasSubstr("flyball_net_tls_handshakes_total{side=\"client\",result=\"done\"} 1\n"));
  // [end]
  HttpClient stranger(clock, {.metrics = &metrics});
  EXPECT_THROW((void)stranger.send(Url::parse(server.url()), {}, {}), NetError);
  http.close_kept();
  EXPECT_TRUE(server.stop(clock.after(60s)));
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("flyball_net_connections_total{side=\"client\",result=\"failed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("flyball_net_tls_handshakes_total{side=\"client\",result=\"failed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("flyball_net_connections_total{side=\"server\",result=\"opened\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("flyball_net_tls_handshakes_total{side=\"server\",result=\"done\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("flyball_net_tls_handshakes_total{side=\"server\",result=\"failed\"} 1\n"));
  const detail::NetCounters client(metrics, "client");
  EXPECT_GT(client.sent.value(), 500U);
  EXPECT_GT(client.received.value(), 500U);
  EXPECT_GT(detail::NetCounters(metrics, "server").received.value(), 500U);
}

}  // namespace
}  // namespace flyball::net
