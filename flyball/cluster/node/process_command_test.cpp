// Commands in pods that are real processes, their terminals and their ports. Where the machine forbids namespaces, the
// same without them. (This program is its own sandbox: process_runtime_test.cpp.)
//
// Commands are forks of the sandbox, where the ThreadSanitizer's own thread is in the way: a process with threads
// cannot join another's files.
#ifndef __SANITIZE_THREAD__

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "flyball/cluster/node/process_runtime.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::cluster::node {
namespace {

using namespace std::chrono_literals;
using apiserver::PodProcess;
using ::testing::HasSubstr;

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

std::size_t threads() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

// With namespaces where the machine allows them, or without.
struct ProcessCommandTest : ::testing::TestWithParam<bool> {
  RealClock clock;
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("flyball-commands-" + std::to_string(::getpid()));
  std::unique_ptr<ClusterNetwork> network;
  std::unique_ptr<ProcessRuntime> runtime;
  Stop patience = Stop().with_deadline(clock, clock.after(60s));

  void SetUp() override {
    std::filesystem::create_directories(folder);
    if (GetParam()) {
      try {
        network = std::make_unique<ClusterNetwork>(clock, NetworkOptions{});
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");  // this machine allows none: the commands must work without
      }
    }
    runtime = std::make_unique<ProcessRuntime>(
        clock, ProcessRuntimeOptions{.folder = folder.string(), .network = network.get()});
    runtime->make_sandbox({.uid = "one", .hostname = "web-0"});
  }
  void TearDown() override {
    runtime.reset();
    std::error_code none;
    std::filesystem::remove_all(folder, none);
  }

  ContainerRequest shell(const std::string& script) const {
    return {.name = "a",
            .command = {"sh", "-c", script},
            .env = {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}, {"GREETING", "hello"}},
            .working_dir = "/usr",
            .log = (folder / "a.log").string()};
  }
  void start(const ContainerRequest& request) {
    const ContainerRun run = runtime->start("one", request);
    ASSERT_FALSE(run.end) << run.end->message;
  }
  std::unique_ptr<PodProcess> exec(std::vector<std::string> command, bool in = false, bool tty = false) {
    return runtime->run(
        "one", {.container = "a", .command = std::move(command), .in = in, .out = true, .error = !tty, .tty = tty},
        patience);
  }
  // Until the end, or until it has said this.
  std::string read(int fd, std::string_view until = {}) {
    std::string all;
    net::DescriptorWait wait(clock);
    while (until.empty() || all.find(until) == std::string::npos) {
      std::vector<pollfd> fds{{.fd = fd, .events = POLLIN, .revents = 0}};
      wait.until_ready(fds, patience);
      const auto piece = net::read_some(fd);
      if (!piece) continue;
      if (piece->empty()) break;
      all += *piece;
    }
    return all;
  }
  void type(PodProcess& process, std::string_view text) {
    EXPECT_TRUE(net::write_all(clock, process.input(), text, patience));
  }
};

TEST_P(ProcessCommandTest, ACommandHasWhatTheContainerHas) {
  start(shell("sleep 1000"));
  const auto process = exec({"sh", "-c", "echo $GREETING in $(pwd); echo wrong >&2; exit 3"});
  EXPECT_EQ(read(process->output()), "hello in /usr\n");
  EXPECT_EQ(read(process->error()), "wrong\n");
  EXPECT_EQ(process->wait(patience), 3);
}

TEST_P(ProcessCommandTest, ACommandReadsToTheEndOfItsInput) {
  start(shell("sleep 1000"));
  const auto process = exec({"wc", "-c"}, true);
  type(*process, std::string(100'000, 'x'));
  process->end_input();
  EXPECT_THAT(read(process->output()), HasSubstr("100000"));
  EXPECT_EQ(process->wait(patience), 0);
}

TEST_P(ProcessCommandTest, WhatCannotBeRunSaysWhy) {
  start(shell("sleep 1000"));
  try {
    exec({"no-such-program"});
    FAIL() << "it ran";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("exec: \"no-such-program\": executable file not found in $PATH"));
  }
  EXPECT_THROW(runtime->run("one", {.container = "b", .command = {"ls"}, .out = true}, patience), Error);
  EXPECT_THROW(runtime->run("two", {.container = "a", .command = {"ls"}, .out = true}, patience), Error);
}

TEST_P(ProcessCommandTest, ATerminalIsOne) {
  start(shell("sleep 1000"));
  const auto process = exec({"sh"}, true, true);
  process->resize(111, 33);
  type(*process, "stty size; test -t 0 -a -t 1 -a -t 2 && echo term''inal; exit 5\n");
  const std::string said = read(process->output());
  EXPECT_THAT(said, HasSubstr("33 111\r\n"));
  EXPECT_THAT(said, HasSubstr("terminal\r\n"));
  EXPECT_EQ(process->wait(patience), 5);
}

TEST_P(ProcessCommandTest, ACommandNobodyHoldsAnyMoreIsKilledWithAllItStarted) {
  start(shell("sleep 1000"));
  const std::string unusual = "sleep " + std::to_string(100'000 + ::getpid());
  auto process = exec({"sh", "-c", unusual + " & echo up; " + unusual});
  EXPECT_EQ(read(process->output(), "up\n"), "up\n");
  const auto counted = [&] {
    const auto count = exec({"sh", "-c", "ps ax | grep -c '[s]" + unusual.substr(1) + "'"});
    return std::stoi(read(count->output()));
  };
  EXPECT_GE(counted(), 2);
  process.reset();
  const TimePoint deadline = clock.after(30s);
  while (counted() != 0 && clock.now() < deadline) std::this_thread::yield();
  EXPECT_EQ(counted(), 0);
}

TEST_P(ProcessCommandTest, AHundredCommandsLeaveNothingBehind) {
  start(shell("sleep 1000"));
  exec({"true"})->wait(patience);
  const std::size_t threads_before = threads();
  // A thread gets an event descriptor when it first has to wait, which may be yet to come.
  const std::size_t most_descriptors = open_descriptors() + threads_before;
  for (int i = 0; i < 100; ++i) {
    const auto process = exec({"cat"}, true, i % 10 == 0);
    if (i % 10 == 0) continue;
    type(*process, "x");
    process->end_input();
    EXPECT_EQ(read(process->output()), "x");
    EXPECT_EQ(process->wait(patience), 0);
  }
  // Those that were left alone may still be going.
  const TimePoint deadline = clock.after(30s);
  while ((open_descriptors() > most_descriptors || threads() > threads_before) && clock.now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_LE(open_descriptors(), most_descriptors);
  EXPECT_LE(threads(), threads_before);
  if (network == nullptr) return;
  // The sandbox, the container's shell and its sleep, and these four; those that were killed may still be going.
  const auto count = [&] { return std::stoi(read(exec({"sh", "-c", "ls /proc | grep -c '^[0-9]'"})->output())); };
  int left = count();
  for (int tries = 0; left >= 10 && tries < 200; ++tries) left = count();
  EXPECT_LT(left, 10);
}

TEST_P(ProcessCommandTest, WhoIsAttachedSeesWhatComesFromNowOn) {
  ContainerRequest request = shell("echo before; while read -r line; do echo got $line; echo bad $line >&2; done");
  request.in = true;
  start(request);
  const auto first = runtime->run("one", {.container = "a", .in = true, .out = true, .error = true}, patience);
  const auto second = runtime->run("one", {.container = "a", .out = true}, patience);
  type(*first, "one\n");
  EXPECT_THAT(read(first->output(), "got one\n"), HasSubstr("got one\n"));
  EXPECT_EQ(read(first->error(), "bad one\n"), "bad one\n");
  EXPECT_THAT(read(second->output(), "got one\n"), HasSubstr("got one\n"));
  // The end of what one of them says is not the end of the container's input.
  first->end_input();
  const auto third = runtime->run("one", {.container = "a", .in = true, .out = true}, patience);
  type(*third, "two\n");
  EXPECT_EQ(read(second->output(), "got two\n"), "got two\n");
}

TEST_P(ProcessCommandTest, AnInputForOneEndsWithThem) {
  ContainerRequest request = shell("cat; echo over; exit 4");
  request.in = true;
  request.in_once = true;
  start(request);
  const auto process = runtime->run("one", {.container = "a", .in = true, .out = true}, patience);
  type(*process, "said\n");
  process->end_input();
  EXPECT_EQ(read(process->output()), "said\nover\n");
  EXPECT_EQ(process->wait(patience), 0) << "how the container ended is for its status to say";
}

TEST_P(ProcessCommandTest, AContainerMayHaveATerminal) {
  ContainerRequest request = shell("read line; stty size; echo bye $line");
  request.in = true;
  request.tty = true;
  start(request);
  const auto process = runtime->run("one", {.container = "a", .in = true, .out = true, .tty = true}, patience);
  process->resize(90, 20);
  type(*process, "now\n");
  EXPECT_THAT(read(process->output()), HasSubstr("20 90\r\nbye now\r\n"));
}

TEST_P(ProcessCommandTest, CommandsEndWithTheirPod) {
  start(shell("sleep 1000"));
  const auto process = exec({"sleep", "1000"});
  runtime->remove("one");
  EXPECT_EQ(read(process->output()), "");
  EXPECT_EQ(process->wait(patience), 137);
}

TEST_P(ProcessCommandTest, APortIsReachedFromInside) {
  start(shell("sleep 1000"));
  try {
    runtime->connect("one", 9, patience);
    FAIL() << "somebody is at port 9";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("failed to connect to localhost:9 inside namespace \"one\""));
    EXPECT_THAT(error.what(), HasSubstr("connect: connection refused"));
  }
}

INSTANTIATE_TEST_SUITE_P(Namespaces, ProcessCommandTest, ::testing::Values(true, false),
                         [](const auto& made) { return std::string(made.param ? "With" : "Without"); });

}  // namespace
}  // namespace flyball::cluster::node

#endif
