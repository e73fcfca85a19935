#include "flyball/client/port_forward.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/thread.hpp"
#include "flyball/client/detail/pod_api_for_test.hpp"
#include "flyball/net/socket.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using net::WebSocket;

const std::vector<std::string> kV4 = {"v4.channel.k8s.io"};

// The first message of each channel: the port, the low byte first.
void name_port(WebSocket& socket, const Stop& stop) {
  socket.write_binary(std::string("\0\x38\x15", 3), stop);
  socket.write_binary("\1\x38\x15", stop);
}

std::string data(std::string_view bytes) { return std::string(1, '\0') + std::string(bytes); }

void echo(WebSocket& socket, const Stop& stop) {
  name_port(socket, stop);
  while (const auto message = socket.read(stop)) {
    if (message->data == data("quit")) break;
    socket.write_binary(message->data, stop);
  }
  socket.close(stop);
  detail::PodApi::read_away(socket, stop);
}

class PodPort : public detail::PodApi {
 public:
  std::unique_ptr<net::Stream> connect(const PortForward& forward) {
    return net::connect_tcp(clock, resolver, "127.0.0.1", forward.port(), {});
  }
  static std::string read(net::Stream& stream, std::size_t size) {
    std::string got(size, '\0');
    std::size_t done = 0;
    while (done < size) {
      const std::size_t n = stream.read({got.data() + done, size - done}, {});
      if (n == 0) break;
      done += n;
    }
    got.resize(done);
    return got;
  }

  net::Resolver resolver{clock};
};

TEST_F(PodPort, OneConnectionCarriesBytesBothWays) {
  const Client client = serve_socket(kV4, echo);
  // [snippet: connection]
  const auto connection = open_pod_port(client, {"shop", "db-0"}, 5432);
  connection->write("hello");
  EXPECT_EQ(connection->read(), "hello");
  connection->write("quit");
  EXPECT_EQ(connection->read(), "");  // the pod has closed
  // [end]
  EXPECT_EQ(target(), "/api/v1/namespaces/shop/pods/db-0/portforward?ports=5432");
}

TEST_F(PodPort, WhatTheNodeSaysOfThePortIsTheError) {
  const Client client = serve_socket(kV4, [](WebSocket& socket, const Stop& stop) {
    name_port(socket, stop);
    socket.write_binary("\1connection refused", stop);
    read_away(socket, stop);
  });
  const auto connection = open_pod_port(client, {"shop", "db-0"}, 5432);
  try {
    (void)connection->read();
    FAIL();
  } catch (const net::NetError& error) {
    EXPECT_STREQ(error.what(), "port 5432 of shop/db-0: connection refused");
  }
}

TEST_F(PodPort, ALocalPortLeadsIntoThePod) {
  const Client client = serve_socket(kV4, echo);
  // [snippet: forward]
  const PortForward forward(client, {"shop", "db-0"}, 5432);
  const auto stream = net::connect_tcp(clock, resolver, "127.0.0.1", forward.port(), {});
  stream->write("hello", {});
  EXPECT_EQ(read(*stream, 5), "hello");
  // [end]
  stream->write("quit", {});
  EXPECT_EQ(read(*stream, 1), "") << "the pod closed, so does the local connection";
}

TEST_F(PodPort, ManyConnectionsWithMoreThanTheBuffersHold) {
  const Client client = serve_socket(kV4, echo);
  const PortForward forward(client, {"shop", "db-0"}, 5432);
  std::vector<std::unique_ptr<Thread>> users;
  users.reserve(4);
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i) {
    users.push_back(std::make_unique<Thread>(clock, "user", [&, i] {
      const auto stream = connect(forward);
      const std::string sent(4U << 20U, static_cast<char>('a' + i));
      Thread writer(clock, "writer", [&] { stream->write(sent, {}); });
      if (read(*stream, sent.size()) == sent) ++good;
    }));
  }
  users.clear();
  EXPECT_EQ(good, 4);
}

TEST_F(PodPort, ALocalEndIsToldToThePod) {
  std::atomic<bool> closed = false;
  const Client client = serve_socket(kV4, [&](WebSocket& socket, const Stop& stop) {
    name_port(socket, stop);
    EXPECT_EQ(socket.read(stop)->data, data("bye"));
    EXPECT_EQ(socket.read(stop), std::nullopt);
    closed = true;
  });
  const PortForward forward(client, {"shop", "db-0"}, 5432);
  const auto stream = connect(forward);
  stream->write("bye", {});
  stream->close();
  EXPECT_EQ(read(*stream, 1), "");
  EXPECT_TRUE(server->stop(clock.after(60s)));
  EXPECT_TRUE(closed);
}

TEST_F(PodPort, APodThatIsNotThereClosesTheLocalConnection) {
  const Client client = serve([](const net::Request&, net::ResponseWriter& writer) { writer.send({.status = 404}); });
  const PortForward forward(client, {"shop", "db-0"}, 5432);
  EXPECT_EQ(read(*connect(forward), 1), "");
  EXPECT_EQ(read(*connect(forward), 1), "") << "and the next is tried again";
}

TEST_F(PodPort, ItsEndBreaksConnectionsOff) {
  const Client client = serve_socket(kV4, echo);
  auto forward = std::make_unique<PortForward>(client, ObjectKey{"shop", "db-0"}, std::uint16_t{5432});
  const auto stream = connect(*forward);
  stream->write("hello", {});
  EXPECT_EQ(read(*stream, 5), "hello");
  forward.reset();
  EXPECT_EQ(read(*stream, 1), "");
}

}  // namespace
}  // namespace flyball::client
