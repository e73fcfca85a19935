// Everything over the wire, with our own client and with SPDY as client-go speaks it; only the pod is made up.
#include "flyball/apiserver/pod_requests.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flyball/apiserver/server.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/exec.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/client/port_forward.hpp"
#include "flyball/client/whole_body.hpp"
#include "flyball/net/spdy.hpp"
#include "flyball/net/websocket.hpp"
#include "flyball/net/websocket_handshake.hpp"

namespace flyball::apiserver {
namespace {

using namespace std::chrono_literals;
using net::SpdyConnection;
using net::SpdyKind;
using ::testing::HasSubstr;
namespace core = kube::core::v1;

// A node where every command is a `cat` that ends with 7, and every port answers what it is told, in full, once it has
// heard all of it.
class CatDoor final : public PodDoor {
 public:
  explicit CatDoor(Clock& clock) : clock_(clock), changed_(clock) {}

  std::unique_ptr<client::BodyStream> logs(const PodLogRequest& /*request*/) override { throw Error("no logs here"); }

  void check(const PodCommand& command) override {
    if (command.container == "asleep") throw Error("container not found (\"asleep\")");
  }

  std::unique_ptr<PodProcess> run(const PodCommand& command, const Stop& /*stop*/) override {
    if (command.command == std::vector<std::string>{"nope"}) throw Error("there is no nope");
    {
      MutexLock lock(mutex_);
      last_ = command;
      ++running_;
    }
    return std::make_unique<Cat>(*this, command);
  }

  net::OwnedDescriptor connect(const core::Pod& /*pod*/, std::uint16_t port, const Stop& /*stop*/) override {
    if (port == 9) throw Error("nobody is at port 9");
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    net::set_non_blocking(ends[0]);
    auto theirs = std::make_shared<net::OwnedDescriptor>(ends[1]);
    MutexLock lock(mutex_);
    servers_.push_back(std::make_unique<Thread>(clock_, "server", [this, theirs] { answer_all(theirs->get()); }));
    return net::OwnedDescriptor(ends[0]);
  }

  PodCommand last() {
    MutexLock lock(mutex_);
    return last_;
  }
  std::string size() {
    MutexLock lock(mutex_);
    changed_.wait_until(mutex_, clock_.after(30s), {}, [&]() FLYBALL_REQUIRES(mutex_) { return !size_.empty(); });
    return size_;
  }
  bool wait_until_nothing_runs() {
    MutexLock lock(mutex_);
    return changed_.wait_until(mutex_, clock_.after(30s), {}, [&]() FLYBALL_REQUIRES(mutex_) { return running_ == 0; });
  }

 private:
  class Cat final : public PodProcess {
   public:
    Cat(CatDoor& door, const PodCommand& command) : door_(door), pipe_(net::make_pipe()) {
      net::set_non_blocking(pipe_.read.get());
      net::set_non_blocking(pipe_.write.get());
      if (!command.in) pipe_.write.reset();
    }
    ~Cat() override {
      {
        MutexLock lock(door_.mutex_);
        --door_.running_;
      }
      door_.changed_.notify_all();
    }
    int input() const noexcept override { return pipe_.write.get(); }
    int output() const noexcept override { return pipe_.read.get(); }
    int error() const noexcept override { return -1; }
    void end_input() override { pipe_.write.reset(); }
    void resize(std::uint16_t width, std::uint16_t height) override {
      {
        MutexLock lock(door_.mutex_);
        door_.size_ = std::to_string(width) + "x" + std::to_string(height);
      }
      door_.changed_.notify_all();
    }
    int wait(const Stop& /*stop*/) override { return 7; }

   private:
    CatDoor& door_;
    net::DescriptorPair pipe_;
  };

  void answer_all(int fd) {
    std::string all;
    for (std::string piece; !(piece = *net::read_some(fd)).empty();) all += piece;
    net::write_all(clock_, fd, all, {});
  }

  Clock& clock_;
  Mutex mutex_;
  Condition changed_;
  PodCommand last_ FLYBALL_GUARDED_BY(mutex_);
  int running_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::string size_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Thread>> servers_ FLYBALL_GUARDED_BY(mutex_);
};

struct PodRequestsTest : ::testing::Test {
  PodRequestsTest() {
    server.engine().set_pod_door(&door);
    client.create(core::Pod{.metadata = {.name = "web", .namespace_ = "default"},
                            .spec = {.containers = {{.name = "main", .image = "x"}}, .nodeName = "here"}});
    client.create(core::Pod{.metadata = {.name = "new", .namespace_ = "default"},
                            .spec = {.containers = {{.name = "main", .image = "x"}}}});
    client.create(core::Pod{.metadata = {.name = "tired", .namespace_ = "default"},
                            .spec = {.containers = {{.name = "asleep", .image = "x"}}, .nodeName = "here"}});
  }

  std::string refusal(const std::string& pod, const client::PodExecOptions& options) {
    try {
      client::pod_run(client, {"default", pod}, options);
      return "";
    } catch (const ApiError& error) {
      return std::to_string(error.code()) + " " + error.what();
    }
  }
  net::Upgraded upgrade(const std::string& target, const std::string& protocols) {
    net::Request request{.method = "POST", .target = "/api/v1/namespaces/default/pods/web/" + target};
    request.headers = {{"Connection", "Upgrade"}, {"Upgrade", "SPDY/3.1"}, {"X-Stream-Protocol-Version", protocols}};
    return transport.upgrade(request, {});
  }
  // What came on each stream until all of them have ended.
  static std::map<std::uint32_t, std::string> read_to_the_end(SpdyConnection& spdy, std::size_t streams) {
    std::map<std::uint32_t, std::string> all;
    while (streams > 0) {
      const auto event = spdy.next({});
      if (!event) break;
      if (event->kind == SpdyKind::data) all[event->stream] += event->data;
      if (event->last) --streams;
    }
    return all;
  }

  RealClock clock;
  Random random{1};
  CatDoor door{clock};
  Server server{clock, {.engine = {.namespace_defaults = false}}};
  client::HttpTransport transport{clock, server.config()};
  client::Client client = client::Client::connect(server.config(), clock, random);
};

TEST_F(PodRequestsTest, WhatACommandReadsAndPrintsGoesThrough) {
  std::string input(std::size_t{1} << 20U, '\0');
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 31U >> 3U);
  const client::PodRun run = client::pod_run(client, {"default", "web"}, {.command = {"cat", "-"}}, input);
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_TRUE(run.stdout_ == input);
  EXPECT_EQ(door.last().command, (std::vector<std::string>{"cat", "-"}));
  EXPECT_EQ(door.last().container, "main");
  EXPECT_TRUE(door.wait_until_nothing_runs());
}

TEST_F(PodRequestsTest, WhatCannotBeRunSaysWhy) {
  EXPECT_THAT(refusal("web", {.command = {"nope"}}),
              HasSubstr("Internal error occurred: error executing command in container: there is no nope"));
  EXPECT_THAT(refusal("gone", {.command = {"cat"}}), HasSubstr("404 "));
  EXPECT_THAT(refusal("web", {.command = {"cat"}, .container = "other"}),
              HasSubstr("container other is not valid for pod web"));
  EXPECT_THAT(refusal("new", {.command = {"cat"}}), HasSubstr("pod new does not have a host assigned"));
  EXPECT_THAT(refusal("tired", {.command = {"cat"}}), HasSubstr("500 "));
  EXPECT_THAT(refusal("tired", {.command = {"cat"}}), HasSubstr("container not found (\"asleep\")"));
}

TEST_F(PodRequestsTest, ARequestThatStaysHttpIsRefused) {
  const net::Response answer =
      transport.send({.target = "/api/v1/namespaces/default/pods/web/exec?command=ls&stdout=true"}, {});
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("Upgrade request required"));
  server.engine().set_pod_door(nullptr);
  EXPECT_THAT(refusal("web", {.command = {"cat"}}), HasSubstr("400 "));
}

TEST_F(PodRequestsTest, ACommandEndsWithItsClient) {
  {
    const auto session = client::pod_exec(client, {"default", "web"}, {.command = {"cat"}, .stdin_ = true});
    session->write("hello");
    EXPECT_EQ(session->read()->data, "hello");
  }
  EXPECT_TRUE(door.wait_until_nothing_runs());
}

TEST_F(PodRequestsTest, ATerminalHasASizeAndOneOutput) {
  const auto session = client::pod_attach(client, {"default", "web"}, {.stdin_ = true, .tty = true});
  session->resize(120, 40);
  EXPECT_EQ(door.size(), "120x40");
  EXPECT_TRUE(door.last().command.empty());
  EXPECT_TRUE(door.last().tty);
  EXPECT_FALSE(door.last().error);
}

TEST_F(PodRequestsTest, SpdyHasAStreamForEach) {
  const net::Upgraded upgraded =
      upgrade("exec?command=cat&stdin=true&stdout=true", "v4.channel.k8s.io, channel.k8s.io");
  ASSERT_EQ(upgraded.head.status, 101);
  EXPECT_EQ(upgraded.head.headers.get("X-Stream-Protocol-Version"), "v4.channel.k8s.io");
  SpdyConnection spdy(clock, net::spdy_over(*upgraded.stream));
  spdy.open(1, {{"streamtype", "error"}}, {});
  spdy.open(3, {{"streamtype", "stdin"}}, {});
  spdy.open(5, {{"streamtype", "stdout"}}, {});
  spdy.write(3, "hello", {});
  spdy.finish(3, {});
  auto said = read_to_the_end(spdy, 2);
  EXPECT_EQ(said[5], "hello");
  EXPECT_THAT(said[1], HasSubstr(R"("causes":[{"reason":"ExitCode","message":"7"}])"));
  spdy.close({});
  EXPECT_TRUE(door.wait_until_nothing_runs());
}

TEST_F(PodRequestsTest, AnOlderSpdyIsToldInWords) {
  const net::Upgraded upgraded = upgrade("exec?command=cat&stdout=true", "v2.channel.k8s.io");
  ASSERT_EQ(upgraded.head.status, 101);
  SpdyConnection spdy(clock, net::spdy_over(*upgraded.stream));
  spdy.open(1, {{"streamtype", "error"}}, {});
  spdy.open(3, {{"streamtype", "stdout"}}, {});
  EXPECT_EQ(read_to_the_end(spdy, 2)[1],
            "command terminated with non-zero exit code: error executing command [cat], exit code 7");
  const net::Upgraded none = upgrade("exec?command=cat&stdout=true", "v9.channel.k8s.io");
  EXPECT_EQ(none.head.status, 403);
  EXPECT_THAT(none.head.body, HasSubstr("client supports [v9.channel.k8s.io]"));
}

TEST_F(PodRequestsTest, APortIsReachedOverChannels) {
  const auto refused = client::open_pod_port(client, {"default", "web"}, 9);
  try {
    refused->read();
    FAIL() << "it should have been refused";
  } catch (const net::NetError& error) {
    EXPECT_THAT(error.what(), HasSubstr("nobody is at port 9"));
  }
  const auto open = client::open_pod_port(client, {"default", "web"}, 80);
  open->write("hello");
  open->close();
}

TEST_F(PodRequestsTest, ConnectionsOfOnePortForwardAreApartAndEndByHalves) {
  const net::WebSocketHandshake handshake({"SPDY/3.1+portforward.k8s.io"});
  net::Request request{.target = "/api/v1/namespaces/default/pods/web/portforward"};
  handshake.add_to(request.headers);
  net::Upgraded upgraded = transport.upgrade(request, {});
  ASSERT_EQ(upgraded.head.status, 101) << upgraded.head.body;
  net::WebSocket socket(clock, std::move(upgraded.stream), net::WebSocketRole::kClient, handshake.check(upgraded.head));
  SpdyConnection spdy(clock, net::spdy_over(socket));
  const auto open = [&](std::uint32_t first, const std::string& port) {
    for (const std::uint32_t stream : {first, first + 2}) {
      spdy.open(
          stream,
          {{"streamtype", stream == first ? "error" : "data"}, {"port", port}, {"requestid", std::to_string(first)}},
          {});
    }
    spdy.finish(first, {});
  };
  open(1, "80");
  open(5, "80");
  open(9, "9");
  const std::string much(std::size_t{1} << 20U, 'x');
  Thread writer(clock, "writer", [&] {
    spdy.write(3, much, {});
    spdy.write(7, "second", {});
    spdy.finish(7, {});
    spdy.finish(3, {});
  });
  auto said = read_to_the_end(spdy, 6);
  writer.join();
  EXPECT_TRUE(said[3] == much);
  EXPECT_EQ(said[1], "");
  EXPECT_EQ(said[7], "second");
  EXPECT_EQ(said[9], "nobody is at port 9");
  EXPECT_EQ(said[11], "");
}

TEST_F(PodRequestsTest, AStreamThatBelongsToNothingIsRefused) {
  const net::Upgraded upgraded = upgrade("portforward", "portforward.k8s.io");
  ASSERT_EQ(upgraded.head.status, 101);
  SpdyConnection spdy(clock, net::spdy_over(*upgraded.stream));
  spdy.open(1, {{"streamtype", "data"}, {"port", "http"}}, {});
  const auto event = spdy.next({});
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, SpdyKind::reset);
}

}  // namespace
}  // namespace flyball::apiserver
