#include "flyball/net/http_client.hpp"

#include <atomic>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/net/certificate.hpp"
#include "flyball/net/detail/gzip.hpp"
#include "flyball/net/detail/raw_peer_for_test.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using detail::RawServer;
using detail::read_until;
using testing::HasSubstr;
using testing::StartsWith;

// Answers with what was asked.
void echo(const Request& request, ResponseWriter& writer) {
  writer.send(
      {.headers = {{"X-Peer", writer.peer()}}, .body = request.method + " " + request.target + " " + request.body});
}

class Client : public testing::Test {
 public:
  RealClock clock;
};

template <class Exception, class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "none";
}

TEST_F(Client, SendsARequestAndGetsTheAnswer) {
  HttpServer server(clock, {}, echo);
  // [snippet: send]
  HttpClient http(clock);
  const Url url = Url::parse(server.url() + "/api?x=1");
  const Stop soon = Stop().with_deadline(clock, clock.after(10s));
  const Response response = http.send(url, {.method = "POST", .body = "hello"}, soon);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "POST /api?x=1 hello");
  // [end]
}

TEST_F(Client, UsesOneConnectionForRequestsAfterEachOther) {
  HttpServer server(clock, {}, echo);
  HttpClient http(clock);
  const Url url = Url::parse(server.url());
  const Response first = http.send(url, {}, {});
  EXPECT_EQ(http.kept(), 1U);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(http.send(url, {}, {}).headers.get("X-Peer"), first.headers.get("X-Peer")) << "the same port of ours";
  }
  EXPECT_EQ(http.kept(), 1U);
  http.close_kept();
  EXPECT_NE(http.send(url, {}, {}).headers.get("X-Peer"), first.headers.get("X-Peer"));
}

TEST_F(Client, AStreamGivesEachPieceAsItComes) {
  std::atomic<int> seen = 0;
  HttpServer server(clock, {}, [&](const Request&, ResponseWriter& writer) {
    writer.begin({});
    for (int i = 1; i <= 3; ++i) {
      writer.write("event " + std::to_string(i) + "\n");
      // The next one is sent only when the client has this one: nothing is held back on the way.
      while (seen < i && !writer.stop().stopped()) std::this_thread::yield();
    }
    writer.end({{"X-Sum", "3"}});
  });
  HttpClient http(clock);
  // [snippet: stream]
  const auto stream = http.open(Url::parse(server.url()), {}, {}, {.idle_timeout = 60s});
  EXPECT_EQ(stream->head().status, 200);
  std::string all;
  for (std::string piece; !(piece = stream->read({})).empty();) {
    all += piece;
    ++seen;
  }
  EXPECT_EQ(all, "event 1\nevent 2\nevent 3\n");
  // [end]
  EXPECT_EQ(stream->head().trailers.get("X-Sum"), "3");
  EXPECT_EQ(http.kept(), 1U) << "read to its end, the connection is kept";
}

TEST_F(Client, AStreamLeftEarlyClosesAndTheServerHearsOfIt) {
  std::atomic<bool> stopped = false;
  HttpServer server(clock, {}, [&](const Request&, ResponseWriter& writer) {
    const Stop stop = writer.stop();
    writer.begin({.body = "first"});
    pause_until(clock, kNever, stop);
    stopped = stop.reason() == "the client has gone";
  });
  HttpClient http(clock);
  {
    const auto stream = http.open(Url::parse(server.url()), {}, {});
    EXPECT_EQ(stream->read({}), "first");
  }
  EXPECT_TRUE(server.stop(clock.after(10s))) << "the handler ended by itself";
  EXPECT_TRUE(stopped);
  EXPECT_EQ(http.kept(), 0U);
}

TEST_F(Client, AReadThatWasStoppedCanGoOn) {
  std::atomic<bool> go = false;
  HttpServer server(clock, {}, [&](const Request&, ResponseWriter& writer) {
    writer.begin({});
    while (!go) std::this_thread::yield();
    writer.write("late");
  });
  HttpClient http(clock);
  const auto stream = http.open(Url::parse(server.url()), {}, {});
  EXPECT_THROW((void)stream->read(Stop().with_deadline(clock, clock.after(5ms))), Stopped);
  go = true;
  EXPECT_EQ(stream->read({}), "late");
}

TEST_F(Client, SendsABodyInChunks) {
  HttpServer server(clock, {}, echo);
  HttpClient http(clock);
  int left = 3;
  const auto stream = http.open(Url::parse(server.url()), {.method = "POST"}, {},
                                {.body = [&](const Stop&) { return left-- > 0 ? std::string("ab") : std::string(); }});
  EXPECT_EQ(stream->read({}), "POST / ababab");
}

TEST_F(Client, UnpacksGzip) {
  const std::string text(100000, 'x');
  HttpServer server(clock, {}, [&](const Request& request, ResponseWriter& writer) {
    EXPECT_TRUE(request.headers.has_word("Accept-Encoding", "gzip"));
    const std::string packed = detail::gzip(text.substr(0, 40000)) + detail::gzip(text.substr(40000));
    writer.send({.headers = {{"Content-Encoding", "gzip"}},
                 .body = request.target == "/cut" ? packed.substr(0, packed.size() - 9) : packed});
  });
  HttpClient http(clock);
  const Response response = http.send(Url::parse(server.url()), {}, {});
  EXPECT_TRUE(response.body == text);
  EXPECT_FALSE(response.headers.contains("Content-Encoding"));
  EXPECT_THAT(error_of<ProtocolError>([&] { (void)http.send(Url::parse(server.url() + "/cut"), {}, {}); }),
              HasSubstr("ends in the middle"));
  HttpClient careful(clock, {.limits = {.body_bytes = 99999}});
  EXPECT_THAT(error_of<ProtocolError>([&] { (void)careful.send(Url::parse(server.url()), {}, {}); }),
              HasSubstr("unpacks to more than the limit of 99999 bytes"));
}

TEST_F(Client, AHeadAnswerHasNoBody) {
  HttpServer server(clock, {}, echo);
  HttpClient http(clock);
  const Response response = http.send(Url::parse(server.url()), {.method = "HEAD"}, {});
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.headers.get("Content-Length"), "7");
  EXPECT_EQ(http.kept(), 1U);
}

TEST_F(Client, TalksTlsWithAClientCertificateAndKeepsTheConnection) {
  // [snippet: tls]
  const WallTime now = clock.wall_now();
  const auto ca = CertificateAuthority::make({.common_name = "test ca", .from = now});
  const KeyPair pair = ca.issue({.common_name = "api", .names = {"127.0.0.1"}, .from = now});
  const KeyPair admin = ca.issue({.common_name = "admin", .organizations = {"system:masters"}, .from = now});
  TlsServerOptions tls{.certificate = pair.certificate, .key = pair.key, .client_ca = ca.certificate()};
  HttpServer server(clock, {.tls = tls}, [](const Request&, ResponseWriter& writer) {
    const PeerIdentity who = writer.identity();
    writer.send({.headers = {{"X-Peer", writer.peer()}}, .body = who.common_name + " of " + who.organizations.at(0)});
  });
  HttpClient http(clock, {.tls = {.ca = ca.certificate(), .certificate = admin.certificate, .key = admin.key}});
  const Response first = http.send(Url::parse(server.url()), {}, {});
  EXPECT_EQ(first.body, "admin of system:masters");
  // [end]
  EXPECT_EQ(http.send(Url::parse(server.url()), {}, {}).headers.get("X-Peer"), first.headers.get("X-Peer"));
}

TEST_F(Client, ReplacesADeadKeptConnectionOnceWhenTheMethodMayBeRepeated) {
  // Each connection answers one request, then takes another and closes without a word.
  RawServer server(clock, [](Stream& stream, int connection) {
    read_until(stream, "\r\n\r\n");
    stream.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::to_string(connection % 10), {});
    read_until(stream, "\r\n\r\n");
  });
  HttpClient http(clock);
  EXPECT_EQ(http.send(server.url(), {}, {}).body, "1");
  EXPECT_EQ(http.send(server.url(), {}, {}).body, "2") << "GET is sent again on a new connection";
  EXPECT_THAT(error_of<Error>([&] { (void)http.send(server.url(), {.method = "POST"}, {}); }),
              HasSubstr("POST http://"))
      << "POST may have been carried out: only the caller knows";
}

TEST_F(Client, ANewConnectionThatDiesIsAnErrorAndNotALoop) {
  std::atomic<int> connections = 0;
  RawServer server(clock, [&](Stream& stream, int) {
    ++connections;
    read_until(stream, "\r\n\r\n");
  });
  HttpClient http(clock);
  EXPECT_THAT(error_of<ProtocolError>([&] { (void)http.send(server.url(), {}, {}); }), HasSubstr("without a word"));
  EXPECT_EQ(connections, 1);
}

TEST_F(Client, SkipsInterimAnswers) {
  RawServer server(clock, [](Stream& stream, int connection) {
    read_until(stream, "\r\n\r\n");
    const std::string interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    std::string text;
    for (int i = 0; i < (connection == 1 ? 2 : 100); ++i) text += interim;
    stream.write(text + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", {});
  });
  HttpClient http(clock, {.kept_per_origin = 0});
  EXPECT_EQ(http.send(server.url(), {}, {}).body, "ok");
  EXPECT_THAT(error_of<ProtocolError>([&] { (void)http.send(server.url(), {}, {}); }), HasSubstr("without end"));
}

TEST_F(Client, RefusesWhatIsNotHttp) {
  HttpClient http(clock);
  EXPECT_THROW((void)http.send(Url::parse("ftp://127.0.0.1/"), {}, {}), InputError);
  EXPECT_THROW((void)http.send(Url::parse("http://127.0.0.1/"), {.headers = {{"A", "b\r\nc"}}}, {}), InputError);
}

TEST_F(Client, AConnectTimeoutNamesTheOrigin) {
  // A TLS handshake nobody answers.
  RawServer server(clock, [](Stream& stream, int) { detail::read_to_end(stream); });
  Url url = server.url();
  url.scheme = "https";
  HttpClient http(clock, {.tls = {.insecure = true}, .connect_timeout = 20ms});
  EXPECT_THAT(error_of<NetError>([&] { (void)http.send(url, {}, {}); }),
              StartsWith("cannot connect to https://127.0.0.1:"));
}

}  // namespace
}  // namespace flyball::net
