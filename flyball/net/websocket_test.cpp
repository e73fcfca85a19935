#include "flyball/net/websocket.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/detail/raw_peer_for_test.hpp"
#include "flyball/net/websocket_handshake.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using detail::read_to_end;
using detail::read_until;
using testing::HasSubstr;
using testing::StartsWith;

using Message = WebSocket::Message;

TEST(WebSocketHandshake, AcceptsAsTheRfcComputesIt) {
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

Request ask() {
  Request request{.headers = {{"Host", "a"}}};
  WebSocketHandshake({"b", "c"}).add_to(request.headers);
  return request;
}

TEST(WebSocketHandshake, BothHalvesAgreeOnTheClientsFavouriteProtocol) {
  const WebSocketHandshake handshake({"v5", "v4", "v3"});
  Request request;
  handshake.add_to(request.headers);
  EXPECT_EQ(handshake.check(answer_websocket_handshake(request, {"v3", "v4"})), "v4");
  EXPECT_EQ(handshake.check(answer_websocket_handshake(request, {})), "");
}

TEST(WebSocketHandshake, AServerRefusesWhatIsNoHandshakeAndSaysWhy) {
  EXPECT_EQ(answer_websocket_handshake(ask(), {}).status, 101);
  const auto refused = [](const char* header, std::optional<std::string> value) {
    Request request = ask();
    request.headers.remove(header);
    if (value) request.headers.set(header, *value);
    return answer_websocket_handshake(request, {"a", "b"});
  };
  EXPECT_EQ(refused("Upgrade", {}).status, 426);
  EXPECT_EQ(refused("Upgrade", "h2c").status, 426);
  EXPECT_EQ(refused("Connection", "keep-alive").status, 426);
  EXPECT_EQ(refused("Sec-WebSocket-Version", "8").headers.get("Sec-WebSocket-Version"), "13");
  EXPECT_EQ(refused("Sec-WebSocket-Key", {}).status, 400);
  EXPECT_EQ(refused("Sec-WebSocket-Key", "too short").status, 400);
  EXPECT_THAT(refused("Sec-WebSocket-Protocol", "x").body, HasSubstr("none of those spoken here: a, b"));
  EXPECT_EQ(refused("Connection", "keep-alive, upgrade").status, 101);
  Request post = ask();
  post.method = "POST";
  EXPECT_EQ(answer_websocket_handshake(post, {}).status, 400);
}

TEST(WebSocketHandshake, AClientRefusesAnAnswerThatIsNotToItsRequest) {
  const WebSocketHandshake handshake({"b"});
  Request request;
  handshake.add_to(request.headers);
  const Response good = answer_websocket_handshake(request, {"b"});
  EXPECT_EQ(handshake.check(good), "b");
  const auto problem = [&](const char* header, const char* value) -> std::string {
    Response wrong = good;
    wrong.headers.set(header, value);
    try {
      (void)handshake.check(wrong);
    } catch (const ProtocolError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_THAT(problem("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), HasSubstr("does not belong"));
  EXPECT_THAT(problem("Upgrade", "SPDY/3.1"), HasSubstr("switched to \"SPDY/3.1\""));
  EXPECT_THAT(problem("Connection", "close"), HasSubstr("where a WebSocket was asked for"));
  EXPECT_THAT(problem("Sec-WebSocket-Extensions", "permessage-deflate"), HasSubstr("permessage-deflate"));
  EXPECT_THAT(problem("Sec-WebSocket-Protocol", "x"), HasSubstr("chose the WebSocket subprotocol \"x\""));
}

class Socket : public testing::Test {
 public:
  using Talk = std::function<void(WebSocket&, const Stop&)>;
  void serve(const Talk& talk, const WebSocketOptions& options = {}) { serve_with({}, talk, options); }
  void serve_with(HttpServerOptions server_options, const Talk& talk, const WebSocketOptions& options) {
    server.emplace(clock, std::move(server_options), [=, this](const Request& request, ResponseWriter& writer) {
      const auto socket = WebSocket::accept(clock, request, writer, options);
      if (socket) talk(*socket, writer.stop());
    });
  }
  static void echo(WebSocket& socket, const Stop& stop) {
    while (const auto message = socket.read(stop)) {
      if (message->text) socket.write_text(message->data, stop);
      if (!message->text) socket.write_binary(message->data, stop);
    }
  }
  std::unique_ptr<WebSocket> connect(const WebSocketOptions& options = {}) {
    return WebSocket::connect(clock, http, Url::parse(server->url()), {}, {}, options);
  }
  // A server that opens one by hand.
  static void shake_hands(Stream& stream) {
    HttpParser parser(HttpParser::Kind::kRequest);
    std::string body;
    parser.feed(read_until(stream, "\r\n\r\n"), body);
    std::string answer;
    append_head(answer, answer_websocket_handshake(parser.request(), {}));
    stream.write(answer, {});
  }
  // A client that opened a WebSocket by hand.
  std::unique_ptr<Stream> raw() {
    Request request;
    WebSocketHandshake().add_to(request.headers);
    return http.upgrade(Url::parse(server->url()), request, {}).stream;
  }

  RealClock clock;
  HttpClient http{clock};
  std::optional<HttpServer> server;
};

TEST_F(Socket, TalksBothWaysAndClosesInOrder) {
  // [snippet: websocket_server]
  server.emplace(clock, HttpServerOptions{}, [&](const Request& request, ResponseWriter& writer) {
    const auto socket = WebSocket::accept(clock, request, writer, {.protocols = {"echo"}});
    if (!socket) return;  // no handshake for us; it was answered with the reason
    const Stop stop = writer.stop();
    while (const auto message = socket->read(stop)) socket->write_text("you said " + message->data, stop);
  });
  // [end]
  // [snippet: websocket]
  const Url url = Url::parse(server->url() + "/chat");
  const auto socket = WebSocket::connect(clock, http, url, {}, {}, {.protocols = {"echo.v2", "echo"}});
  EXPECT_EQ(socket->protocol(), "echo");
  socket->write_text("hello", {});
  EXPECT_EQ(socket->read({})->data, "you said hello");
  socket->close({}, close_code::kNormal, "done");
  EXPECT_EQ(socket->read({}), std::nullopt);  // the server has closed, too
  // [end]
  EXPECT_EQ(socket->peer_close_code(), 1000);
}

TEST_F(Socket, CarriesTextBinaryEmptyAndLargeMessages) {
  serve(echo);
  const auto socket = connect();
  std::string all(70'000, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i * 7);
  for (const Message& message : {Message{true, "text ü"}, Message{false, all}, Message{true, ""}, Message{false, ""}}) {
    if (message.text) socket->write_text(message.data, {});
    if (!message.text) socket->write_binary(message.data, {});
    EXPECT_EQ(socket->read({}), message);
  }
}

TEST_F(Socket, TheServersCloseReachesTheClientWithCodeAndReason) {
  serve([](WebSocket& socket, const Stop& stop) {
    socket.close(stop, 4001, "enough of you");
    EXPECT_EQ(socket.read(stop), std::nullopt);
    EXPECT_EQ(socket.peer_close_code(), 4001) << "the client says it back";
  });
  auto socket = connect();
  EXPECT_EQ(socket->read({}), std::nullopt);
  EXPECT_EQ(socket->read({}), std::nullopt) << "and stays so";
  EXPECT_EQ(socket->peer_close_code(), 4001);
  EXPECT_EQ(socket->peer_close_reason(), "enough of you");
  EXPECT_THROW(socket->write_text("too late", {}), NetError);
  socket->close({});
  socket.reset();
  EXPECT_TRUE(server->stop(clock.after(60s)));
}

TEST_F(Socket, AConnectionThatEndsWithoutAGoodbyeIsAnErrorAndNotAnEnd) {
  serve([](WebSocket& socket, const Stop& stop) {
    socket.write_text("half of what I", stop);
    throw Error("died");
  });
  const auto socket = connect();
  EXPECT_EQ(socket->read({})->data, "half of what I");
  EXPECT_THROW((void)socket->read({}), NetError);
}

TEST_F(Socket, ARefusalTellsStatusAndReason) {
  server.emplace(clock, HttpServerOptions{},
                 [](const Request&, ResponseWriter& writer) { writer.send({.status = 403, .body = "you may not"}); });
  try {
    (void)connect();
    FAIL();
  } catch (const ProtocolError& error) {
    EXPECT_EQ(error.status(), 403);
    EXPECT_THAT(error.what(), StartsWith(server->url()));
    EXPECT_THAT(error.what(), HasSubstr("403 Forbidden: you may not"));
  }
}

TEST_F(Socket, APeerThatBreaksTheRulesIsToldWhy) {
  std::string why;
  serve([&](WebSocket& socket, const Stop& stop) {
    try {
      (void)socket.read(stop);
    } catch (const WebSocketError& error) {
      why = error.what();
    }
  });
  auto stream = raw();
  stream->write(
      "\x81\x03"
      "abc",
      {});  // not masked
  const std::string answer = read_to_end(*stream);
  ASSERT_GE(answer.size(), 4U);
  EXPECT_EQ(answer.substr(0, 1), "\x88");
  EXPECT_EQ(answer.substr(2, 2), "\x03\xea") << "1002";
  EXPECT_THAT(answer, HasSubstr("does not mask"));
  stream.reset();
  EXPECT_TRUE(server->stop(clock.after(60s)));
  EXPECT_THAT(why, HasSubstr("127.0.0.1"));
}

TEST_F(Socket, AnswersPingsWhileItReads) {
  serve(echo);
  const auto stream = raw();
  std::string text;
  append_frame(text, Opcode::kPing, "are you there", FrameMask{1, 2, 3, 4});
  stream->write(text, {});
  EXPECT_EQ(read_until(*stream, "there"),
            "\x8a\x0d"
            "are you there");
}

// The writer cannot go on until the peer reads, and the peer does not read until it was answered.
TEST_F(Socket, APingIsNotWaitedForByTheReaderWhenAWriterIsStuck) {
  std::atomic<bool> answered = false;
  std::vector<WebSocketEvent> events;
  std::optional<detail::RawServer> peer;
  peer.emplace(clock, [&](Stream& stream, int) {
    shake_hands(stream);
    std::string input(1, '\0');
    input.resize(stream.read(input, {}));  // the writer has begun
    stream.write("\x89\x02hi\x81\x05hello", {});
    while (!answered) std::this_thread::yield();
    FrameReader reader(WebSocketRole::kServer, 1U << 30U);
    std::vector<char> buffer(1U << 20U);
    while (events.size() < 2) {
      std::optional<WebSocketEvent> event;
      input.erase(0, reader.feed(input, event));
      if (event) events.push_back(std::move(*event));
      if (input.empty() && events.size() < 2) input.assign(buffer.data(), stream.read(buffer, {}));
    }
  });
  const auto socket = WebSocket::connect(clock, http, peer->url(), {}, {});
  Thread writer(clock, "writer", [&] { socket->write_binary(std::string(32U << 20U, 'x'), {}); });
  EXPECT_EQ(socket->read({})->data, "hello");
  answered = true;
  writer.join();
  peer.reset();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].payload.size(), 32U << 20U);
  EXPECT_EQ(events[1], (WebSocketEvent{.kind = Opcode::kPong, .payload = "hi"}));
}

// A server by hand, on real time, for a client on a clock that is moved a second at a time.
class Silence : public Socket {
 public:
  // Lets time pass until the client has sent a ping, or has gone.
  bool wait_for_ping(Stream& stream) {
    std::array<char, 6> ping{};
    while (true) {
      time.jump(1s);
      try {
        return stream.read(ping, Stop().with_deadline(clock, clock.after(1ms))) == 6 && ping[0] == '\x89';
      } catch (const Stopped&) {
        continue;
      }
    }
  }
  std::unique_ptr<WebSocket> open(const detail::RawServer& peer) {
    return WebSocket::connect(time, on_time, peer.url(), {}, {}, {.ping_every = 30s});
  }

  ManualClock time;
  HttpClient on_time{time};
};

TEST_F(Silence, IsBrokenByAPingAndThenGivenUp) {
  std::atomic<int> pings = 0;
  const detail::RawServer silent(clock, [&](Stream& stream, int) {
    shake_hands(stream);
    while (wait_for_ping(stream)) ++pings;
  });
  auto socket = open(silent);
  try {
    (void)socket->read({});
    FAIL();
  } catch (const NetError& error) {
    EXPECT_EQ(error.kind(), NetError::Kind::kTimeout);
    EXPECT_THAT(error.what(), HasSubstr("nothing came for 1m0s, not even an answer to our ping"));
  }
  EXPECT_EQ(pings, 1);
  socket.reset();
}

TEST_F(Silence, MayLastAsLongAsPingsAreAnswered) {
  const detail::RawServer patient(clock, [&](Stream& stream, int) {
    shake_hands(stream);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(wait_for_ping(stream));
      stream.write(std::string_view("\x8a\x00", 2), {});
    }
    stream.write(
        "\x81\x07"
        "at last",
        {});
    (void)read_to_end(stream);
  });
  const auto socket = open(patient);
  EXPECT_EQ(socket->read({})->data, "at last");
}

TEST_F(Socket, AReadThatWasStoppedGoesOnWhereItWas) {
  serve([](WebSocket& socket, const Stop& stop) {
    (void)socket.read(stop);
    socket.write_text("here", stop);
  });
  const auto socket = connect();
  EXPECT_THROW((void)socket->read(Stop().with_deadline(clock, clock.after(1ms))), Stopped);
  socket->write_text("now", {});
  EXPECT_EQ(socket->read({})->data, "here");
}

TEST_F(Socket, AMessagePastTheLimitIsRefusedWith1009) {
  serve(echo, {.message_bytes = 1000});
  const auto socket = connect();
  socket->write_binary(std::string(1001, 'x'), {});
  EXPECT_EQ(socket->read({}), std::nullopt);
  EXPECT_EQ(socket->peer_close_code(), close_code::kTooBig);
}

TEST_F(Socket, OneReaderAndManyWritersOverTls) {
  constexpr int kWriters = 3;
  constexpr int kMessages = 50;
  const WallTime now = clock.wall_now();
  const auto ca = CertificateAuthority::make({.common_name = "test ca", .from = now});
  const KeyPair pair = ca.issue({.common_name = "api", .names = {"127.0.0.1"}, .from = now});
  serve_with({.tls = TlsServerOptions{.certificate = pair.certificate, .key = pair.key}}, echo, {});
  HttpClient secure(clock, {.tls = {.ca = ca.certificate()}});
  const auto socket = WebSocket::connect(clock, secure, Url::parse(server->url()), {}, {});
  std::vector<int> next(kWriters, 0);
  std::vector<std::unique_ptr<Thread>> writers;
  writers.reserve(kWriters);
  for (int w = 0; w < kWriters; ++w) {
    writers.push_back(std::make_unique<Thread>(clock, "writer", [&, w] {
      for (int i = 0; i < kMessages; ++i) {
        socket->write_text(std::to_string(w) + ":" + std::to_string(i) + std::string(20'000, '.'), {});
      }
    }));
  }
  for (int i = 0; i < kWriters * kMessages; ++i) {
    const auto message = socket->read({});
    const auto writer = static_cast<std::size_t>(message->data[0] - '0');
    EXPECT_EQ(message->data.substr(2, message->data.find('.') - 2), std::to_string(next.at(writer)++));
  }
  for (const auto& writer : writers) writer->join();
  socket->close({});
  EXPECT_EQ(socket->read({}), std::nullopt);
}

}  // namespace
}  // namespace flyball::net
