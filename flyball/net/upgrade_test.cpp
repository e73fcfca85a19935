#include "flyball/net/upgrade.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/thread.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/detail/raw_peer_for_test.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using detail::read_to_end;
using detail::read_until;
using testing::HasSubstr;

const Request kAsk{.headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}}};
const Response kSwitch{.status = 101, .headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}}};

class Upgrade : public testing::Test {
 public:
  // A server over TLS or not, and a client that trusts it.
  std::unique_ptr<HttpServer> serve(bool secure, HttpServer::Handler handler) {
    HttpServerOptions options;
    if (secure) options.tls = TlsServerOptions{.certificate = pair.certificate, .key = pair.key};
    return std::make_unique<HttpServer>(clock, std::move(options), std::move(handler));
  }

  RealClock clock;
  const WallTime now = clock.wall_now();
  const CertificateAuthority ca = CertificateAuthority::make({.common_name = "test ca", .from = now});
  const KeyPair pair = ca.issue({.common_name = "api", .names = {"127.0.0.1"}, .from = now});
  HttpClient http{clock, {.tls = {.ca = ca.certificate()}}};
};

TEST_F(Upgrade, HandsTheConnectionOverOnBothEnds) {
  const auto server = serve(false, [](const Request& request, ResponseWriter& writer) {
    // [snippet: take_over]
    if (!same_name(request.headers.get("Upgrade"), "echo")) return writer.send({.status = 426});
    Stream& stream = writer.take_over({.status = 101, .headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}}});
    std::array<char, 4096> buffer{};
    while (const std::size_t n = stream.read(buffer, writer.stop())) stream.write({buffer.data(), n}, writer.stop());
    // [end]
  });
  // [snippet: upgrade]
  const Request ask{.headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}}};
  const Upgraded upgraded = http.upgrade(Url::parse(server->url()), ask, {});
  ASSERT_EQ(upgraded.head.status, 101);
  upgraded.stream->write("hello", {});
  EXPECT_EQ(read_until(*upgraded.stream, "hello"), "hello");
  // [end]
  upgraded.stream->close();
  EXPECT_EQ(read_to_end(*upgraded.stream), "") << "the connection ends with the handler";
  EXPECT_EQ(http.kept(), 0U);
}

TEST_F(Upgrade, NothingIsLostThatFollowsTheHeadAtOnce) {
  const detail::RawServer server(clock, [](Stream& stream, int) {
    read_until(stream, "\r\n\r\n");
    stream.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\nfirst ", {});
    stream.write("second", {});
  });
  const Upgraded upgraded = http.upgrade(server.url(), kAsk, {});
  EXPECT_EQ(read_to_end(*upgraded.stream), "first second");

  std::string got;
  const auto own =
      serve(false, [&](const Request&, ResponseWriter& writer) { got = read_until(writer.take_over(kSwitch), "end"); });
  Resolver resolver(clock);
  auto stream = connect_tcp(clock, resolver, "127.0.0.1", own->port(), {});
  stream->write("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\n\r\nahead, end", {});
  EXPECT_THAT(read_to_end(*stream), HasSubstr("101 Switching Protocols"));
  stream.reset();
  EXPECT_TRUE(own->stop(clock.after(60s)));
  EXPECT_EQ(got, "ahead, end");
}

TEST_F(Upgrade, AnotherAnswerThan101ComesWholeAndKeepsTheConnection) {
  const auto server =
      serve(false, [](const Request&, ResponseWriter& writer) { writer.send({.status = 403, .body = "you may not"}); });
  const Upgraded upgraded = http.upgrade(Url::parse(server->url()), kAsk, {});
  EXPECT_EQ(upgraded.stream, nullptr);
  EXPECT_EQ(upgraded.head.status, 403);
  EXPECT_EQ(upgraded.head.body, "you may not");
  EXPECT_EQ(http.kept(), 1U);
}

TEST_F(Upgrade, AStoppedServerEndsAConnectionThatWasTakenOver) {
  std::string why;
  const auto server = serve(false, [&](const Request&, ResponseWriter& writer) {
    Stream& stream = writer.take_over(kSwitch);
    std::array<char, 10> buffer{};
    try {
      (void)stream.read(buffer, writer.stop());
    } catch (const Stopped& stopped) {
      why = stopped.what();
      throw;
    }
  });
  const Upgraded upgraded = http.upgrade(Url::parse(server->url()), kAsk, {});
  EXPECT_FALSE(server->stop(clock.after(1ms)));
  EXPECT_EQ(why, "stopped: the server has ended");
  EXPECT_EQ(read_to_end(*upgraded.stream), "");
}

// Each end has a thread that reads and one that writes. What is sent is far more than the buffers between them hold:
// an end that could not do both at once would never finish.
class FullDuplex : public Upgrade, public testing::WithParamInterface<bool> {
 public:
  static constexpr std::size_t kPieces = 100;
  static std::string piece(char first) { return std::string(1, first) + std::string(100'000, 'x'); }

  void talk(Stream& stream, char mine, char others) {
    Thread writer(clock, "writer", [&] {
      for (std::size_t i = 0; i < kPieces; ++i) stream.write(piece(mine), {});
      stream.close();
    });
    std::size_t size = 0;
    std::size_t firsts = 0;
    std::vector<char> buffer(64 * 1024);
    while (const std::size_t n = stream.read(buffer, {})) {
      size += n;
      for (std::size_t i = 0; i < n; ++i) firsts += buffer[i] == others ? 1U : 0U;
    }
    EXPECT_EQ(size, kPieces * piece(others).size());
    EXPECT_EQ(firsts, kPieces);
  }
};

TEST_P(FullDuplex, OneThreadReadsWhileAnotherWrites) {
  const auto server =
      serve(GetParam(), [&](const Request&, ResponseWriter& writer) { talk(writer.take_over(kSwitch), 's', 'c'); });
  const Upgraded upgraded = http.upgrade(Url::parse(server->url()), kAsk, {});
  talk(*upgraded.stream, 'c', 's');
  EXPECT_TRUE(server->stop(clock.after(60s)));
}

TEST_P(FullDuplex, AStopForTheReaderLeavesTheWriterAlone) {
  std::string got;
  const auto server =
      serve(GetParam(), [&](const Request&, ResponseWriter& writer) { got = read_to_end(writer.take_over(kSwitch)); });
  const Upgraded upgraded = http.upgrade(Url::parse(server->url()), kAsk, {});
  StopSource reading;
  std::atomic<bool> stopped = false;
  Thread reader(clock, "reader", [&] {
    std::array<char, 10> buffer{};
    try {
      (void)upgraded.stream->read(buffer, reading.stop());
    } catch (const Stopped&) {
      stopped = true;
    }
  });
  upgraded.stream->write("before ", {});
  reading.request_stop();
  reader.join();
  EXPECT_TRUE(stopped);
  upgraded.stream->write("after", {});
  upgraded.stream->close();
  EXPECT_TRUE(server->stop(clock.after(60s)));
  EXPECT_EQ(got, "before after");
}

INSTANTIATE_TEST_SUITE_P(Streams, FullDuplex, testing::Bool(),
                         [](const auto& secure) { return secure.param ? "Tls" : "Tcp"; });

}  // namespace
}  // namespace flyball::net
