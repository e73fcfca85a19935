// Clients that mean no good, over HTTPS: each gets a clear no or nothing at all, and the others are served meanwhile.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/server.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/tls.hpp"

namespace flyball::apiserver {
namespace {

using namespace std::chrono_literals;

constexpr const char* kConfigMaps = "/api/v1/namespaces/default/configmaps";

struct HostileClients : ::testing::Test {
  RealClock clock;
  Server server{clock};
  client::HttpTransport admin{clock, server.config()};

  Stop soon() { return Stop().with_deadline(clock, clock.after(30s)); }

  net::Response post(const std::string& type, std::string body, const std::string& method = "POST",
                     const std::string& target = kConfigMaps) {
    net::Request request{.method = method, .target = target, .body = std::move(body)};
    request.headers.set("Content-Type", type);
    return admin.send(std::move(request), soon());
  }
  net::Response apply(std::string body) {
    return post("application/apply-patch+yaml", std::move(body), "PATCH",
                std::string(kConfigMaps) + "/x?fieldManager=me");
  }

  // A connection that says what we like.
  std::unique_ptr<net::Stream> raw() {
    const client::Config config = server.config();
    net::TlsClient tls(clock, {.ca = config.tls.ca, .certificate = config.tls.certificate, .key = config.tls.key});
    return tls.connect(net::connect_tcp(clock, resolver, "127.0.0.1", server.port(), soon()), "127.0.0.1", soon());
  }
  // What the server says to it, up to the end of the connection.
  std::string answer_to(const std::string& text) {
    const auto stream = raw();
    std::string answer;
    std::vector<char> buffer(4096);
    try {
      stream->write(text, soon());
      for (std::size_t n = 1; n > 0;) {
        n = stream->read(buffer, soon());
        answer.append(buffer.data(), n);
      }
    } catch (const net::NetError&) {  // NOLINT(bugprone-empty-catch): it may hang up while we still talk
    }
    return answer;
  }

  void expect_service() {
    const std::string name = "served-" + std::to_string(++served);
    EXPECT_EQ(post("application/json", R"({"metadata":{"name":")" + name + "\"}}").status, 201);
    EXPECT_EQ(admin.send({.target = std::string(kConfigMaps) + "/" + name}, soon()).status, 200);
  }

  net::Resolver resolver{clock};
  int served = 0;
};

TEST_F(HostileClients, BodiesTooLargeGetA413) {
  const net::Response large = post("application/json", std::string((std::size_t{3} << 20U) + 1, ' '));
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(json::parse(large.body)["reason"].as_string(), "RequestEntityTooLarge");
  const std::string head = "POST " + std::string(kConfigMaps) + " HTTP/1.1\r\nHost: x\r\n";
  EXPECT_TRUE(answer_to(head + "Content-Length: 999999999999\r\n\r\n").starts_with("HTTP/1.1 413 "));
  std::string chunks = head + "Transfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 80; ++i) chunks += "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
  const std::string answer = answer_to(chunks);
  EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 413 ")) << answer;
  expect_service();
}

TEST_F(HostileClients, BodiesTooDeepGetA4xx) {
  const auto refused = [](const net::Response& response) { return response.status >= 400 && response.status < 500; };
  EXPECT_PRED1(refused, post("application/json", std::string(1'000'000, '[')));
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "{\"a\":";
  EXPECT_PRED1(refused, post("application/json", nested + "1" + std::string(100'000, '}')));
  EXPECT_PRED1(refused, post("application/json", R"({"metadata":{"name":"x"},"data":)" + std::string(2000, '[') +
                                                     std::string(2000, ']') + "}"));
  EXPECT_PRED1(refused, post("application/yaml", std::string(1'000'000, '[')));
  std::string indented;
  for (std::size_t i = 0; i < 1500; ++i) indented += std::string(i, ' ') + "a:\n";
  EXPECT_PRED1(refused, post("application/yaml", indented));
  EXPECT_PRED1(refused, post("application/yaml", std::string(100'000, '-') + " x"));
  EXPECT_PRED1(refused, apply(std::string(1'000'000, '{')));
  std::string wide = "- [";
  for (int i = 0; i < 1'000'000; ++i) wide += "a,";
  EXPECT_PRED1(refused, post("application/yaml", wide + "a]"));
  EXPECT_PRED1(refused,
               post("application/vnd.kubernetes.protobuf", std::string("k8s\0", 4) + std::string(100'000, '\x0a')));
  expect_service();
}

// Nine lines that would be a billion words.
TEST_F(HostileClients, YamlThatGrowsIsRefused) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) laughs += (j == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    laughs += "]\n";
  }
  EXPECT_EQ(post("application/yaml", laughs).status, 400);
  EXPECT_EQ(apply(laughs).status, 400);
  expect_service();
}

TEST_F(HostileClients, TextThatIsNotUtf8IsRefused) {
  for (const std::string& bad :
       std::vector<std::string>{"\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_EQ(post("application/json", R"({"metadata":{"name":"x"},"data":{"a":")" + bad + "\"}}").status, 400);
    EXPECT_EQ(post("application/yaml", "metadata: {name: x}\ndata: {a: \"" + bad + "\"}").status, 400);
    EXPECT_GE(apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: \"" + bad + "\"}").status, 400);
  }
  expect_service();
}

TEST_F(HostileClients, FloodsOfHeadersGetA431) {
  std::string many = "GET /readyz HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 300; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_TRUE(answer_to(many + "\r\n").starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(
      answer_to("GET /readyz HTTP/1.1\r\nX: " + std::string(70'000, 'y') + "\r\n\r\n").starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(answer_to("GET /" + std::string(70'000, 'y') + " HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 4"));
  expect_service();
}

TEST_F(HostileClients, ThoseWhoNeverFinishARequestKeepNobodyElseWaiting) {
  std::vector<std::unique_ptr<net::Stream>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(net::connect_tcp(clock, resolver, "127.0.0.1", server.port(), soon()));  // not even TLS
    slow.push_back(raw());
    slow.back()->write("GET /readyz HT", soon());
    slow.push_back(raw());
    slow.back()->write("POST " + std::string(kConfigMaps) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
                       soon());
  }
  expect_service();
}

TEST_F(HostileClients, AWatcherWhoNeverReadsKeepsNobodyElseWaiting) {
  const std::string watch = "GET " + std::string(kConfigMaps) +
                            "?watch=1&resourceVersion=" + std::to_string(server.store().revision()) +
                            " HTTP/1.1\r\nHost: x\r\n\r\n";
  const auto deaf = raw();
  deaf->write(watch, soon());
  const auto listener = admin.open(
      {.target = std::string(kConfigMaps) + "?watch=1&resourceVersion=" + std::to_string(server.store().revision())},
      soon());
  ASSERT_EQ(listener->head().status, 200);
  const std::string filling(500'000, 'x');  // twenty of them fill every buffer between
  for (int i = 0; i < 20; ++i) {
    const std::string name = "large-" + std::to_string(i);
    ASSERT_EQ(
        post("application/json", R"({"metadata":{"name":")" + name + R"("},"data":{"a":")" + filling + "\"}}").status,
        201);
  }
  std::ptrdiff_t heard = 0;
  while (heard < 20) {
    const std::string piece = listener->read(soon());
    ASSERT_FALSE(piece.empty());
    heard += std::ranges::count(piece, '\n');
  }
  expect_service();
}

struct CrowdedServer : ::testing::Test {
  RealClock clock;
  Server server{clock, {.connections = 20}};  // 18 watches
  client::HttpTransport admin{clock, server.config()};

  Stop soon() { return Stop().with_deadline(clock, clock.after(30s)); }
  std::unique_ptr<client::BodyStream> watch() {
    return admin.open({.target = std::string(kConfigMaps) + "?watch=1"}, soon());
  }
};

TEST_F(CrowdedServer, AWatchTooManyGetsA429AndTheOthersAreServed) {
  std::vector<std::unique_ptr<client::BodyStream>> watches;
  for (int i = 0; i < 18; ++i) {
    watches.push_back(watch());
    ASSERT_EQ(watches.back()->head().status, 200);
  }
  const auto refused = watch();
  EXPECT_EQ(refused->head().status, 429);
  EXPECT_EQ(refused->head().headers.get("Retry-After"), "1");
  const json::Value status = json::parse(refused->read(soon()));
  EXPECT_EQ(status["reason"].as_string(), "TooManyRequests");
  EXPECT_EQ(admin.send({.target = "/readyz"}, soon()).status, 200);

  // One that ends makes room, as soon as the server has seen it go.
  watches.pop_back();
  const Stop stop = soon();
  while (watch()->head().status != 200) ASSERT_TRUE(pause_until(clock, clock.after(1ms), stop));
}

}  // namespace
}  // namespace flyball::apiserver
