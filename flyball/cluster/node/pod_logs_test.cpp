#include "flyball/cluster/node/pod_logs.hpp"

#include <chrono>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/cluster/node/log_lines.hpp"
#include "flyball/cluster/node/logs.hpp"
#include "flyball/cluster/node/scripted_runtime_for_test.hpp"

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
using namespace std::chrono_literals;
using ::testing::StrEq;
using ::testing::ThrowsMessage;

struct PodLogsTest : ::testing::Test {
  ManualClock clock;
  const Clock* time = &clock;
  ScriptedRuntime runtime{time};
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("flyball-logs-" + std::to_string(::getpid()))).string();
  PodLogs logs{clock, runtime, folder};
  core::Pod pod{.metadata = {.name = "web", .uid = "one"},
                .status = {.containerStatuses = {{.name = "a", .state = {.running = {{}}}}}}};

  ~PodLogsTest() override { std::filesystem::remove_all(folder); }

  void print(const std::string& text, std::int32_t run = 0) {
    const std::string file = log_file(folder, "one", "a", run);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    LogWriter writer(fd);
    writer.add(text, clock.wall_now());
    writer.finish(clock.wall_now());
    ::close(fd);
  }
  std::string read(apiserver::PodLogRequest request) {
    request.pod = pod;
    request.container = "a";
    const auto stream = logs.open(request);
    std::string all;
    for (std::string piece; !(piece = stream->read({})).empty();) all += piece;
    return all;
  }
};

TEST_F(PodLogsTest, ShowTheLinesAsTheyWerePrinted) {
  print("one\ntwo\n\nthree");
  EXPECT_EQ(read({}), "one\ntwo\n\nthree");
  EXPECT_EQ(read({.tail_lines = 2}), "\nthree");
  EXPECT_EQ(read({.tail_lines = 0}), "");
  EXPECT_EQ(read({.limit_bytes = 5}), "one\nt");
  EXPECT_EQ(read({.timestamps = true, .tail_lines = 1}), "2026-01-01T00:00:00.000000000Z three");
}

TEST_F(PodLogsTest, BeginAtATime) {
  print("old\n");
  clock.jump(10s);
  print("new\n");
  EXPECT_EQ(read({.since = kube::Time(clock.wall_now())}), "new\n");
}

TEST_F(PodLogsTest, LongLinesAreCutAndComeWhole) {
  const std::string line(40'000, 'x');
  print(line + "\n");
  EXPECT_EQ(read({}), line + "\n");
}

TEST_F(PodLogsTest, AreFollowedUntilTheContainerEnds) {
  runtime.make_sandbox({.uid = "one"});
  runtime.start("one", {.name = "a"});
  print("one\n");
  const auto stream = logs.open({.pod = pod, .container = "a", .follow = true});
  EXPECT_EQ(stream->read({}), "one\n");
  StopSource stop;
  stop.request_stop("the client has gone");
  EXPECT_THROW((void)stream->read(stop.stop()), Stopped);
  print("two\n");
  EXPECT_EQ(stream->read({}), "two\n");
  print("three\n");
  runtime.end("a", 0);
  EXPECT_EQ(stream->read({}), "three\n");
  EXPECT_EQ(stream->read({}), "");
}

TEST_F(PodLogsTest, OfTheRunBefore) {
  print("first\n", 0);
  print("second\n", 1);
  core::ContainerStatus& status = pod.status.containerStatuses.front();
  EXPECT_THAT([&] { read({.previous = true}); },
              ThrowsMessage<Error>(StrEq("previous terminated container \"a\" in pod \"web\" not found")));
  status.restartCount = 1;
  status.lastState.terminated = core::ContainerStateTerminated{};
  EXPECT_EQ(read({}), "second\n");
  EXPECT_EQ(read({.previous = true}), "first\n");
  status.state = {.waiting = core::ContainerStateWaiting{.reason = "CrashLoopBackOff"}};
  EXPECT_EQ(read({}), "second\n") << "while it waits, the last that ran";
}

TEST_F(PodLogsTest, OfOneThatHasNotRunSayWhy) {
  pod.status.containerStatuses.front().state = {.waiting = core::ContainerStateWaiting{.reason = "ContainerCreating"}};
  EXPECT_THAT([&] { read({}); },
              ThrowsMessage<Error>(StrEq("container \"a\" in pod \"web\" is waiting to start: ContainerCreating")));
  pod.status.containerStatuses.front().state.waiting->reason = "ImagePullBackOff";
  EXPECT_THAT([&] { read({}); },
              ThrowsMessage<Error>(
                  StrEq("container \"a\" in pod \"web\" is waiting to start: trying and failing to pull image")));
}

}  // namespace
}  // namespace flyball::cluster::node
