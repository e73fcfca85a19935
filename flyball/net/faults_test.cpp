// What the network and bad peers do to a client. Each test has a deadline that a hang would run into; none waits for
// it.
#include <atomic>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/net/detail/raw_peer_for_test.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using detail::RawServer;
using detail::read_until;
using testing::HasSubstr;

// Closes so that the peer gets a reset and not an end.
void reset(Stream& stream) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(stream.descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

class Faults : public testing::Test {
 public:
  Stop deadline() { return Stop().with_deadline(clock, clock.after(60s)); }

  // The error of a request to a server that reads the request and then does what the script says.
  std::string error_after(const std::function<void(Stream&, const Stop& over)>& script,
                          HttpClientOptions options = {}) {
    StopSource over;
    RawServer server(clock, [&](Stream& stream, int) {
      read_until(stream, "\r\n\r\n");
      script(stream, over.stop());
    });
    HttpClient http(clock, std::move(options));
    std::string error = "none";
    try {
      const Response response = http.send(server.url(), {}, deadline());
      error = "answered: " + response.body;
    } catch (const Stopped& stopped) {
      error = std::string("HANGS: ") + stopped.what();
    } catch (const Error& caught) {
      error = caught.what();
    }
    over.request_stop("the test has ended");
    EXPECT_EQ(http.kept(), 0U) << "a connection that failed is not used again";
    return error;
  }

  static void say(Stream& stream, std::string_view text) { stream.write(text, {}); }

  RealClock clock;
};

TEST_F(Faults, AResetInTheMiddleOfABody) {
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) {
                say(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                reset(stream);
              }),
              testing::AnyOf(HasSubstr("the peer broke the connection off"), HasSubstr("bytes of the body missing")));
}

TEST_F(Faults, AResetBeforeAnyAnswer) {
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) { reset(stream); }),
              HasSubstr("the peer broke the connection off"));
}

TEST_F(Faults, AResetOfAKeptConnectionIsMendedForAGetAndReportedForAPost) {
  RawServer server(clock, [](Stream& stream, int) {
    read_until(stream, "\r\n\r\n");
    say(stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    read_until(stream, "\r\n\r\n");
    reset(stream);
  });
  HttpClient http(clock);
  EXPECT_EQ(http.send(server.url(), {}, deadline()).body, "ok");
  EXPECT_EQ(http.send(server.url(), {}, deadline()).body, "ok");
  EXPECT_THROW((void)http.send(server.url(), {.method = "POST"}, deadline()), NetError);
}

TEST_F(Faults, ABodyThatEndsTooSoon) {
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) {
                say(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
              }),
              HasSubstr("96 bytes of the body missing"));
}

TEST_F(Faults, AChunkThatEndsTooSoon) {
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) {
                say(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf");
              }),
              HasSubstr("middle of a chunked body"));
}

TEST_F(Faults, AHalfOpenPeerIsFoundByItsSilence) {
  EXPECT_THAT(error_after(
                  [](Stream&, const Stop& over) {
                    RealClock c;
                    pause_until(c, kNever, over);
                  },
                  {.idle_timeout = 20ms}),
              HasSubstr("no byte came for 20ms"));
}

TEST_F(Faults, AStreamThatGoesSilentIsFoundByItsSilence) {
  RawServer server(clock, [&](Stream& stream, int) {
    read_until(stream, "\r\n\r\n");
    say(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nevent\r\n");
    read_until(stream, "never");  // until the client leaves
  });
  ManualClock time;
  HttpClient http(time);
  auto stream = http.open(server.url(), {}, {}, {.idle_timeout = 1h});
  EXPECT_EQ(stream->read({}), "event");
  std::atomic<bool> found = false;
  Thread reader(time, "reader", [&] {
    try {
      (void)stream->read({});
    } catch (const NetError& error) {
      found = error.kind() == NetError::Kind::kTimeout;
    }
    stream.reset();
  });
  // Whenever the wait begins, the hour after it passes.
  while (!found) time.jump(1h);
}

TEST_F(Faults, ASlowServerIsCutOffByTheDeadline) {
  StopSource over;
  RawServer server(clock, [&](Stream& stream, int) {
    read_until(stream, "\r\n\r\n");
    say(stream, "HTTP/1.1 200 OK\r\nA: ");
    // Never silent, never done.
    while (pause_until(clock, clock.after(1ms), over.stop())) say(stream, "x");
  });
  HttpClient http(clock, {.idle_timeout = 10s});
  EXPECT_THROW((void)http.send(server.url(), {}, Stop().with_deadline(clock, clock.after(30ms))), Stopped);
  over.request_stop();
}

TEST_F(Faults, Garbage) {
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) { say(stream, std::string("\0\1\2\3 what?\r\n\r\n", 14)); }),
              HasSubstr("this is no HTTP response"));
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) { say(stream, "HTTP/1.1 200 OK\r\nA b\r\n\r\n"); }),
              HasSubstr("a header has no colon"));
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) {
                say(stream, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain");
              }),
              HasSubstr("not the gzip it says it is"));
}

TEST_F(Faults, HeadersWithoutEnd) {
  EXPECT_THAT(error_after([](Stream& stream, const Stop&) {
                say(stream, "HTTP/1.1 200 OK\r\n");
                for (int i = 0; i < 100000; ++i) say(stream, "A: " + std::string(1000, 'x') + "\r\n");
              }),
              HasSubstr("the headers are longer than the limit of 65536 bytes"));
}

TEST_F(Faults, ABodyWithoutEnd) {
  EXPECT_THAT(error_after(
                  [](Stream& stream, const Stop&) {
                    say(stream, "HTTP/1.1 200 OK\r\n\r\n");
                    for (int i = 0; i < 100000; ++i) say(stream, std::string(1000, 'x'));
                  },
                  {.limits = {.body_bytes = 1 << 20}}),
              HasSubstr("larger than the limit of 1048576 bytes"));
}

TEST_F(Faults, AnAnswerWithMoreThanItsBodyIsNotTrustedWithTheNextRequest) {
  EXPECT_EQ(error_after([](Stream& stream, const Stop&) {
              say(stream,
                  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
            }),
            "answered: ok");
}

TEST_F(Faults, AServerThatWasStartedAgainIsReachedAgain) {
  const HttpServer::Handler handler = [](const Request&, ResponseWriter& writer) { writer.send({.body = "ok"}); };
  auto server = std::make_unique<HttpServer>(clock, HttpServerOptions{}, handler);
  const std::uint16_t port = server->port();
  const Url url = Url::parse(server->url());
  HttpClient http(clock);
  EXPECT_EQ(http.send(url, {}, deadline()).body, "ok");
  EXPECT_EQ(http.kept(), 1U);
  server.reset();
  EXPECT_THROW((void)http.send(url, {}, deadline()), NetError) << "refused, now";
  server = std::make_unique<HttpServer>(clock, HttpServerOptions{.port = port}, handler);
  EXPECT_EQ(http.send(url, {.method = "POST"}, deadline()).body, "ok");
}

}  // namespace
}  // namespace flyball::net
