#include "flyball/net/proxy.hpp"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/detail/raw_peer_for_test.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::net {
namespace {

using detail::RawServer;
using detail::read_until;
using testing::HasSubstr;

ProxyRules rules(const std::map<std::string, std::string>& variables) {
  return ProxyRules::from([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

TEST(ProxyRules, FollowTheSchemeAndTheExceptions) {
  const ProxyRules all =
      rules({{"HTTPS_PROXY", "http://secure:3128"},
             {"http_proxy", "plain:3128"},
             {"NO_PROXY", "example.com, .below.com,10.0.0.0/8,192.168.1.1,fd00::/8,ported.com:8443,*.star.com"}});
  const auto via = [&](const std::string& url) {
    const Url* proxy = all.find(Url::parse(url));
    return proxy == nullptr ? std::string("direct") : proxy->host;
  };
  EXPECT_EQ(via("https://kube"), "secure");
  EXPECT_EQ(via("http://kube"), "plain");
  EXPECT_EQ(via("https://example.com"), "direct");
  EXPECT_EQ(via("https://a.EXAMPLE.com"), "direct");
  EXPECT_EQ(via("https://notexample.com"), "secure");
  EXPECT_EQ(via("https://below.com"), "secure");
  EXPECT_EQ(via("https://a.below.com"), "direct");
  EXPECT_EQ(via("https://a.star.com"), "direct");
  EXPECT_EQ(via("https://10.255.1.1"), "direct");
  EXPECT_EQ(via("https://11.0.0.1"), "secure");
  EXPECT_EQ(via("https://192.168.1.1"), "direct");
  EXPECT_EQ(via("https://192.168.1.2"), "secure");
  EXPECT_EQ(via("https://[fd12::1]"), "direct");
  EXPECT_EQ(via("https://[fe80::1]"), "secure");
  EXPECT_EQ(via("https://ported.com:8443"), "direct");
  EXPECT_EQ(via("https://ported.com"), "secure");
  EXPECT_EQ(via("https://localhost"), "direct");
  EXPECT_EQ(via("https://127.9.9.9"), "direct");
  EXPECT_EQ(via("https://[::1]"), "direct");
  EXPECT_EQ(rules({{"HTTPS_PROXY", "http://p"}, {"NO_PROXY", "*"}}).find(Url::parse("https://kube")), nullptr);
  EXPECT_EQ(rules({}).find(Url::parse("https://kube")), nullptr);
  EXPECT_THROW((void)rules({{"HTTPS_PROXY", "http://p:x"}}), InputError);
}

// Carries bytes both ways until one side ends: first all of the client's, as the tests need it.
void relay(Stream& client, Clock& clock, std::uint16_t port, const Stop& stop) {
  Resolver resolver(clock);
  const auto target = connect_tcp(clock, resolver, "127.0.0.1", port, stop);
  Thread back(clock, "back", [&] {
    try {
      std::array<char, 4096> buffer{};
      while (const std::size_t n = target->read(buffer, stop)) client.write({buffer.data(), n}, stop);
      client.close();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the end of the connection
    }
  });
  try {
    std::array<char, 4096> buffer{};
    while (const std::size_t n = client.read(buffer, stop)) target->write({buffer.data(), n}, stop);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the end of the connection
  }
  target->shutdown();
}

class Proxied : public testing::Test {
 public:
  Url secure_url() const { return Url::parse("https://api.example.com:" + std::to_string(server.port()) + "/x"); }
  HttpClientOptions through(const std::string& proxy) const {
    return {.tls = {.ca = ca.certificate()}, .proxy = ProxyRules::all_through(Url::parse(proxy))};
  }

  RealClock clock;
  StopSource over;
  const CertificateAuthority ca = CertificateAuthority::make({.common_name = "test ca", .from = clock.wall_now()});
  const KeyPair pair = ca.issue({.common_name = "api", .names = {"api.example.com"}, .from = clock.wall_now()});
  HttpServer server{
      clock,
      {.tls = TlsServerOptions{.certificate = pair.certificate, .key = pair.key}},
      [](const Request& request, ResponseWriter& writer) { writer.send({.body = "got " + request.target}); }};
};

TEST_F(Proxied, APlainRequestNamesItsTargetInFull) {
  std::string asked;
  RawServer proxy(clock, [&](Stream& stream, int) {
    asked = read_until(stream, "\r\n\r\n");
    stream.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", {});
  });
  Url proxy_url = proxy.url();
  HttpClient http(clock, {.proxy = ProxyRules::all_through(Url::parse("http://me:secret@" + proxy_url.host_header()))});
  EXPECT_EQ(http.send(Url::parse("http://kube.example.com/x?y"), {}, {}).body, "ok");
  EXPECT_THAT(asked, HasSubstr("GET http://kube.example.com/x?y HTTP/1.1\r\nHost: kube.example.com\r\n"));
  EXPECT_THAT(asked, HasSubstr("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
}

TEST_F(Proxied, ATlsRequestGoesThroughAnHttpTunnel) {
  std::string asked;
  RawServer proxy(clock, [&](Stream& stream, int) {
    asked = read_until(stream, "\r\n\r\n");
    stream.write("HTTP/1.1 200 Connection established\r\n\r\n", {});
    relay(stream, clock, server.port(), over.stop());
  });
  {
    HttpClient http(clock, through(proxy.url().text()));
    EXPECT_EQ(http.send(secure_url(), {}, {}).body, "got /x");
    EXPECT_EQ(http.send(secure_url(), {}, {}).body, "got /x") << "through the same tunnel";
  }
  EXPECT_THAT(asked, HasSubstr("CONNECT api.example.com:" + std::to_string(server.port()) + " HTTP/1.1\r\n"));
  over.request_stop();
}

// A proxy behind TLS, on a connection that the script of RawServer has as TCP.
TEST_F(Proxied, ATlsRequestGoesThroughATunnelInsideTls) {
  const CertificateAuthority proxy_ca =
      CertificateAuthority::make({.common_name = "proxy ca", .from = clock.wall_now()});
  const KeyPair proxy_pair = proxy_ca.issue({.common_name = "proxy", .names = {"127.0.0.1"}, .from = clock.wall_now()});
  const std::string large(3U << 20U, 'x');
  HttpServer api(clock, {.tls = TlsServerOptions{.certificate = pair.certificate, .key = pair.key}},
                 [](const Request& request, ResponseWriter& writer) { writer.send({.body = request.body}); });
  HttpServer proxy(clock, {.tls = TlsServerOptions{.certificate = proxy_pair.certificate, .key = proxy_pair.key}},
                   [&](const Request& request, ResponseWriter& writer) {
                     if (request.method != "CONNECT") return writer.send({.body = "plain " + request.target});
                     relay(writer.take_over({.status = 200}), clock, api.port(), over.stop());
                   });
  HttpClientOptions options = through(proxy.url());
  const Url url = Url::parse("https://api.example.com:" + std::to_string(api.port()) + "/x");
  EXPECT_THROW((void)HttpClient(clock, options).send(url, {}, {}), NetError) << "nobody said whom to trust as proxy";
  options.proxy_tls.ca = proxy_ca.certificate();
  {
    HttpClient http(clock, options);
    EXPECT_EQ(http.send(url, {.method = "POST", .body = large}, {}).body, large);
    EXPECT_EQ(http.send(url, {.method = "POST", .body = "again"}, {}).body, "again");
    EXPECT_EQ(http.kept(), 1U) << "through the same tunnel";
    EXPECT_EQ(http.send(Url::parse("http://kube.example.com/x"), {}, {}).body, "plain http://kube.example.com/x");
  }
  over.request_stop();
}

TEST_F(Proxied, AProxyThatSaysNoIsQuoted) {
  RawServer proxy(clock, [&](Stream& stream, int) {
    read_until(stream, "\r\n\r\n");
    stream.write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", {});
  });
  HttpClient http(clock, through(proxy.url().text()));
  try {
    (void)http.send(secure_url(), {}, {});
    FAIL() << "the proxy said no";
  } catch (const NetError& error) {
    EXPECT_EQ(error.kind(), NetError::Kind::kProxy);
    EXPECT_THAT(error.what(), HasSubstr("407 Proxy Authentication Required; give user and password"));
  }
}

TEST_F(Proxied, ATlsRequestGoesThroughSocksWithAPassword) {
  std::string words;
  RawServer proxy(clock, [&](Stream& stream, int) {
    const auto take = [&](std::size_t size) {
      std::string got(size, '\0');
      for (std::size_t done = 0; done < size;) done += stream.read({got.data() + done, size - done}, {});
      return got;
    };
    words = take(4);
    stream.write(std::string_view("\x05\x02", 2), {});
    words += take(1 + 1 + 2 + 1 + 6);
    stream.write(std::string_view("\x01\x00", 2), {});
    words += take(4 + 1 + 15 + 2);
    stream.write(std::string_view("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00", 10), {});
    relay(stream, clock, server.port(), over.stop());
  });
  {
    HttpClient http(clock, through("socks5://me:secret@" + proxy.url().host_header()));
    EXPECT_EQ(http.send(secure_url(), {}, {}).body, "got /x");
  }
  EXPECT_THAT(words, HasSubstr("\x02me\x06secret"));
  EXPECT_THAT(words, HasSubstr("api.example.com")) << "the proxy resolves the name";
  over.request_stop();
}

TEST_F(Proxied, ASocksRefusalHasItsReason) {
  RawServer proxy(clock, [&](Stream& stream, int) {
    std::array<char, 3> hello{};
    (void)stream.read(hello, {});
    stream.write(std::string_view("\x05\x00", 2), {});
    std::array<char, 300> words{};
    (void)stream.read(words, {});
    stream.write(std::string_view("\x05\x02\x00\x01", 4), {});
  });
  HttpClient http(clock, through("socks5://" + proxy.url().host_header()));
  try {
    (void)http.send(secure_url(), {}, {});
    FAIL() << "the proxy said no";
  } catch (const NetError& error) {
    EXPECT_THAT(error.what(), HasSubstr("its rules do not allow it"));
  }
}

}  // namespace
}  // namespace flyball::net
