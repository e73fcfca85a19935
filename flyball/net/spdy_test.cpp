#include "flyball/net/spdy.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "flyball/base/thread.hpp"
#include "flyball/net/socket.hpp"

namespace flyball::net {
namespace {

struct SpdyConnectionTest : ::testing::Test {
  RealClock clock;
  Listener listener{clock, "127.0.0.1", 0};
  Resolver resolver{clock};
  std::unique_ptr<Stream> ours = connect_tcp(clock, resolver, "127.0.0.1", listener.port(), {});
  std::unique_ptr<Stream> theirs = listener.accept({});
  SpdyConnection client{clock, spdy_over(*ours)};
  SpdyConnection server{clock, spdy_over(*theirs)};

  void echo_until_gone() {
    while (const auto event = server.next({})) {
      if (event->kind == SpdyKind::syn_stream) server.accept(event->stream, {});
      if (event->kind == SpdyKind::data && !event->data.empty()) server.write(event->stream, event->data, {});
      if (event->last) server.finish(event->stream, {});
    }
    server.close({});
  }
};

TEST_F(SpdyConnectionTest, StreamsOfOneConnectionAreApart) {
  Thread echo(clock, "echo", [&] { echo_until_gone(); });
  client.open(1, {{"streamtype", "data"}}, {});
  client.open(3, {{"streamtype", "error"}}, {});
  std::string first;
  std::string third;
  const std::string much(std::size_t{1} << 20U, 'x');
  Thread writer(clock, "writer", [&] {
    client.write(1, much, {});
    client.write(3, "small", {});
    client.finish(3, {});
    client.finish(1, {});
  });
  int replies = 0;
  for (int open = 2; open > 0;) {
    const auto event = client.next({});
    ASSERT_TRUE(event);
    if (event->kind == SpdyKind::syn_reply) ++replies;
    if (event->kind == SpdyKind::data) (event->stream == 1 ? first : third) += event->data;
    if (event->last) --open;
  }
  writer.join();
  client.close({});
  EXPECT_EQ(client.next({}), std::nullopt);
  EXPECT_EQ(replies, 2);
  EXPECT_EQ(first, much);
  EXPECT_EQ(third, "small");
}

TEST_F(SpdyConnectionTest, APingIsAnsweredInPassing) {
  Thread echo(clock, "echo", [&] { echo_until_gone(); });
  ours->write(SpdyWriter::ping(5), {});
  std::string piece(100, '\0');
  piece.resize(ours->read(piece, {}));
  EXPECT_EQ(piece, SpdyWriter::ping(5));
  client.close({});
}

TEST_F(SpdyConnectionTest, AGoodbyeEndsIt) {
  ours->write(SpdyWriter::go_away(0), {});
  EXPECT_EQ(server.next({}), std::nullopt);
}

}  // namespace
}  // namespace flyball::net
