#include "flyball/net/socket.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct Pair {
  std::unique_ptr<Stream> client;
  std::unique_ptr<Stream> server;
};

class Sockets : public testing::Test {
 public:
  Pair connected(const std::string& host = "127.0.0.1") {
    Pair pair;
    pair.client = connect_tcp(clock, resolver, host, listener.port(), {});
    pair.server = listener.accept({});
    return pair;
  }

  RealClock clock;
  Resolver resolver{clock};
  Listener listener{clock, "127.0.0.1", 0};
};

std::string read_all(Stream& stream) {
  std::string all;
  std::array<char, 1000> buffer{};
  while (const std::size_t n = stream.read(buffer, {})) all.append(buffer.data(), n);
  return all;
}

TEST_F(Sockets, CarryMoreThanTheKernelBuffers) {
  Pair pair = connected();
  const std::string sent(8 << 20, 'x');
  Thread writer(clock, "writer", [&] {
    pair.client->write(sent, {});
    pair.client->close();
  });
  EXPECT_TRUE(read_all(*pair.server) == sent);
}

TEST_F(Sockets, NamesAreLookedUpAndEveryAddressIsTried) {
  // Where "localhost" is ::1 first, nobody listens there and 127.0.0.1 is next.
  const Pair pair = connected("localhost");
  EXPECT_THAT(pair.client->peer(), HasSubstr("localhost:" + std::to_string(listener.port())));
}

TEST_F(Sockets, RefusedNamesHostAndPort) {
  std::uint16_t port = 0;
  {
    const Listener gone(clock, "127.0.0.1", 0);
    port = gone.port();
  }
  try {
    (void)connect_tcp(clock, resolver, "127.0.0.1", port, {});
    FAIL() << "nobody listens";
  } catch (const NetError& error) {
    EXPECT_EQ(error.kind(), NetError::Kind::kConnect);
    EXPECT_EQ(error.what(),
              "cannot connect to 127.0.0.1:" + std::to_string(port) + ": connection refused, nothing listens there");
  }
}

TEST_F(Sockets, AnUnknownNameIsALookupError) {
  try {
    // A label may have 63 characters: no resolver asks anybody for this one.
    (void)connect_tcp(clock, resolver, std::string(70, 'x') + ".invalid", 1, {});
    FAIL() << "there is no such name";
  } catch (const NetError& error) {
    EXPECT_EQ(error.kind(), NetError::Kind::kLookup);
    EXPECT_THAT(error.what(), HasSubstr("cannot find the address of xxx"));
  }
}

TEST_F(Sockets, AStopWakesAReader) {
  Pair pair = connected();
  StopSource source;
  std::string why;
  Thread reader(clock, "reader", [&] {
    std::array<char, 10> buffer{};
    try {
      (void)pair.server->read(buffer, source.stop());
    } catch (const Stopped& stopped) {
      why = stopped.what();
    }
  });
  source.request_stop("enough");
  reader.join();
  EXPECT_EQ(why, "stopped: enough");
}

TEST_F(Sockets, ADeadlineEndsAReadThatGetsNothing) {
  const Pair pair = connected();
  std::array<char, 10> buffer{};
  EXPECT_THROW((void)pair.server->read(buffer, Stop().with_deadline(clock, clock.after(10ms))), Stopped);
}

TEST_F(Sockets, SilenceIsATimeoutThatNamesThePeer) {
  const Pair pair = connected();
  pair.client->set_idle_timeout(10ms);
  std::array<char, 10> buffer{};
  try {
    (void)pair.client->read(buffer, {});
    FAIL() << "nothing was sent";
  } catch (const NetError& error) {
    EXPECT_EQ(error.kind(), NetError::Kind::kTimeout);
    EXPECT_THAT(error.what(), HasSubstr("127.0.0.1:" + std::to_string(listener.port()) + ": no byte came for 10ms"));
  }
}

TEST_F(Sockets, APeerThatStopsReadingIsATimeoutForTheWriter) {
  const Pair pair = connected();
  pair.client->set_idle_timeout(10ms);
  EXPECT_THROW(pair.client->write(std::string(64 << 20, 'x'), {}), NetError);
}

TEST_F(Sockets, ShutdownFromAnotherThreadWakesAReader) {
  Pair pair = connected();
  std::size_t got = 1;
  Thread reader(clock, "reader", [&] {
    std::array<char, 10> buffer{};
    got = pair.server->read(buffer, {});
  });
  pair.server->shutdown();
  reader.join();
  EXPECT_EQ(got, 0U);
}

TEST_F(Sockets, APeerThatLeftIsSeenWithoutReading) {
  const Pair pair = connected();
  EXPECT_FALSE(pair.client->has_input_or_end());
  pair.server->close();
  std::array<char, 1> buffer{};
  EXPECT_EQ(pair.client->read(buffer, {}), 0U);
  EXPECT_TRUE(pair.client->has_input_or_end());
}

TEST_F(Sockets, WritingToAPeerThatLeftIsAnErrorAndNotASignal) {
  Pair pair = connected();
  pair.server.reset();
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) pair.client->write(std::string(100000, 'x'), {}), NetError);
}

TEST_F(Sockets, AListenerStopsAndAPortCanBeTakenOnce) {
  EXPECT_THROW((void)listener.accept(Stop().with_deadline(clock, clock.after(10ms))), Stopped);
  EXPECT_THROW(Listener(clock, "127.0.0.1", listener.port()), NetError);
  EXPECT_THROW(Listener(clock, "localhost", 0), InputError);
}

TEST(SocketsOnAManualClock, ADeadlineIsNoticedWhenTheTestMovesTheTime) {
  ManualClock clock;
  Resolver resolver(clock);
  Listener listener(clock, "127.0.0.1", 0);
  const auto client = connect_tcp(clock, resolver, "127.0.0.1", listener.port(), {});
  const Stop stop = Stop().with_deadline(clock, clock.after(1h));
  bool deadline_passed = false;
  Thread reader(clock, "reader", [&] {
    std::array<char, 10> buffer{};
    try {
      (void)client->read(buffer, stop);
    } catch (const Stopped& stopped) {
      deadline_passed = stopped.deadline_passed();
    }
  });
  clock.advance(1h);
  reader.join();
  EXPECT_TRUE(deadline_passed);
}

}  // namespace
}  // namespace flyball::net
