// Real processes in real namespaces. Where the machine forbids namespaces, the same tests run without them: that is
// what `flyball dev` does there.
#include "flyball/cluster/node/process_runtime.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/condition.hpp"
#include "flyball/cluster/node/images.hpp"
#include "flyball/cluster/node/log_lines.hpp"
#include "flyball/cluster/node/sandbox.hpp"

namespace flyball::cluster::node {
namespace {

using namespace std::chrono_literals;

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

// This program is its own sandbox, as `flyball` is.
class BeTheSandbox : public ::testing::Environment {
 public:
  void SetUp() override {
    const std::vector<std::string> words = own_arguments();
    if (words.size() < 2 || words[1] != "sandbox") return;
    ::_exit(words.size() > 2 ? run_network_holder() : run_sandbox());
  }
};
const bool kIsSandbox = [] {
  const std::vector<std::string> words = own_arguments();
  ::testing::AddGlobalTestEnvironment(new BeTheSandbox());
  if (words.size() < 2 || words[1] != "sandbox") return false;
  // Its output is for the node alone.
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  return true;
}();

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct ProcessRuntimeTest : ::testing::Test {
  RealClock clock;
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("flyball-node-" + std::to_string(::getpid()));
  std::unique_ptr<ClusterNetwork> network;
  std::string why_not;
  std::unique_ptr<ProcessRuntime> runtime;
  Mutex mutex;
  Condition ended{clock};
  int ends = 0;

  ProcessRuntimeTest() {
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::all);
    try {
      network = std::make_unique<ClusterNetwork>(clock, NetworkOptions{});
    } catch (const Error& error) {
      why_not = error.what();
      std::cout << "without namespaces: " << why_not << "\n";
    }
    runtime = std::make_unique<ProcessRuntime>(
        clock, ProcessRuntimeOptions{.folder = folder.string(), .network = network.get()});
    runtime->listen([this](const std::string&) {
      {
        MutexLock lock(mutex);
        ++ends;
      }
      ended.notify_all();
    });
  }
  ~ProcessRuntimeTest() override {
    runtime.reset();
    std::error_code none;
    std::filesystem::remove_all(folder, none);
  }

  bool isolated() const { return network != nullptr; }
  Sandbox make(const std::string& uid = "one") { return runtime->make_sandbox({.uid = uid, .hostname = "web-0"}); }
  ContainerRequest shell(const std::string& script, const std::string& name = "a") {
    return {.name = name,
            .command = {"sh", "-c", script},
            .env = {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}, {"GREETING", "hello"}},
            .log = (folder / (name + ".log")).string()};
  }
  ContainerRun wait(const std::string& uid = "one", const std::string& name = "a") {
    MutexLock lock(mutex);
    std::optional<ContainerRun> run;
    const auto over = [&]() FLYBALL_REQUIRES(mutex) {
      for (const ContainerReport& report : runtime->look(uid)) {
        if (report.name == name && report.run.end) run = report.run;
      }
      return run.has_value();
    };
    EXPECT_TRUE(ended.wait_until(mutex, clock.after(30s), {}, over)) << "it did not end";
    return run.value_or(ContainerRun{.end = ContainerEnd{}});
  }
  void wait_for_log() {
    const TimePoint deadline = clock.after(30s);
    while (log().empty() && clock.now() < deadline) std::this_thread::yield();
    ASSERT_FALSE(log().empty()) << "it said nothing";
  }
  // Without the times.
  std::string log(const std::string& name = "a") {
    const std::string text = content((folder / (name + ".log")).string());
    std::string said;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const auto line = parse_log_line(std::string_view(text).substr(begin, end - begin));
      said += line ? std::string(line->text) + (line->whole ? "\n" : "") : "?";
    }
    return said;
  }
};

TEST_F(ProcessRuntimeTest, AContainerRunsAndTellsHowItEnded) {
  const Sandbox sandbox = make();
  EXPECT_THAT(sandbox.ip, isolated() ? StartsWith("10.244.") : StartsWith("127."));
  EXPECT_EQ(make().ip, sandbox.ip) << "the same pod, the same sandbox";
  runtime->start("one", shell("echo $GREETING from $(hostname); exit 3"));
  EXPECT_EQ(wait().end->exit_code, 3);
  EXPECT_THAT(log(), HasSubstr("hello from"));
  if (isolated()) {
    EXPECT_EQ(log(), "hello from web-0\n");
  }
}

TEST_F(ProcessRuntimeTest, WhatIsNoProgramSaysSo) {
  make();
  const ContainerRun run = runtime->start("one", {.name = "a", .command = {"no-such-program"}});
  ASSERT_TRUE(run.end);
  EXPECT_EQ(run.end->reason, "StartError");
  EXPECT_EQ(run.end->exit_code, 128);
  EXPECT_THAT(run.end->message, HasSubstr("exec: \"no-such-program\": executable file not found in $PATH"));
}

TEST_F(ProcessRuntimeTest, SignalsReachTheProgram) {
  make();
  runtime->start("one", shell("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done"));
  wait_for_log();
  runtime->signal("one", "a", SIGTERM);
  EXPECT_EQ(wait().end->exit_code, 7);
  EXPECT_EQ(log(), "up\nbye\n");
  runtime->start("one", shell("sleep 1000", "b"));
  runtime->signal("one", "b", SIGKILL);
  EXPECT_EQ(wait("one", "b").end->exit_code, 137);
}

TEST_F(ProcessRuntimeTest, RunsAsTheUserThatIsAskedFor) {
  make();
  ContainerRequest request = shell("id -u; id -g");
  request.user = "4711";
  request.group = 42;
  runtime->start("one", request);
  EXPECT_EQ(wait().end->exit_code, 0);
  const std::string itself = std::to_string(::geteuid()) + "\n" + std::to_string(::getegid()) + "\n";
  if (isolated()) {
    EXPECT_EQ(log(), "4711\n42\n");
  } else if (::geteuid() == 0) {
    EXPECT_THAT(log(), AnyOf("4711\n42\n", itself));  // a root of a namespace may have no other users
  } else {
    EXPECT_EQ(log(), itself);
  }
}

TEST_F(ProcessRuntimeTest, AVolumeMayLieBehindALinkOfTheMachine) {
  make();
  // /var/run is a link to /run on most machines, and every pod has its token there.
  std::filesystem::create_directories(folder / "token");
  std::ofstream(folder / "token" / "token") << "secret\n";
  ContainerRequest request = shell("cat /var/run/secrets/kubernetes.io/serviceaccount/token || echo none");
  request.mounts = {{.source = (folder / "token").string(), .target = "/var/run/secrets/kubernetes.io/serviceaccount"}};
  runtime->start("one", request);
  EXPECT_EQ(wait().end->exit_code, 0) << log();
  EXPECT_THAT(log(), HasSubstr(isolated() ? "secret\n" : "none\n"));
}

TEST_F(ProcessRuntimeTest, VolumesAreWhereTheyAreWantedAndTheMachineStaysAsItIs) {
  make();
  std::filesystem::create_directories(folder / "volume");
  std::filesystem::permissions(folder / "volume", std::filesystem::perms::all);
  std::ofstream(folder / "volume" / "file") << "from outside\n";
  ContainerRequest request =
      shell("cat /flyball-test/data/file && echo in > /flyball-test/data/new && touch /flyball-x");
  request.mounts = {{.source = (folder / "volume").string(), .target = "/flyball-test/data"}};
  const ContainerRun run = runtime->start("one", request);
  if (!isolated()) {
    ASSERT_TRUE(run.end);
    EXPECT_THAT(run.end->message, HasSubstr("volumes need namespaces"));
    return;
  }
  ASSERT_FALSE(run.end) << run.end->message;
  EXPECT_EQ(wait().end->exit_code, 0) << log();
  EXPECT_EQ(log(), "from outside\n");
  EXPECT_EQ(content((folder / "volume" / "new").string()), "in\n");
  EXPECT_FALSE(std::filesystem::exists("/flyball-test"));
  EXPECT_FALSE(std::filesystem::exists("/flyball-x"));
}

TEST_F(ProcessRuntimeTest, ReadOnlyVolumesCannotBeWritten) {
  make();
  std::filesystem::create_directories(folder / "volume");
  ContainerRequest request = shell("touch /flyball-test/file 2>/dev/null && echo wrote || echo refused");
  request.mounts = {{.source = (folder / "volume").string(), .target = "/flyball-test", .read_only = true}};
  const ContainerRun run = runtime->start("one", request);
  if (!isolated()) {
    ASSERT_TRUE(run.end);
    EXPECT_THAT(run.end->message, HasSubstr("volumes need namespaces"));
    return;
  }
  wait();
  EXPECT_EQ(log(), "refused\n");
}

// Probes are forks of the sandbox, where the ThreadSanitizer's own thread is in the way: a process with threads cannot
// join files, and it ends those that start a thread after a fork.
#ifndef __SANITIZE_THREAD__

TEST_F(ProcessRuntimeTest, ProbesAskInsideThePod) {
  make();
  runtime->start("one", shell("sleep 1000"));
  const ProbeAnswer yes =
      runtime->probe("one", {.container = "a", .command = {"sh", "-c", "echo fine"}, .timeout = 10s}, {});
  EXPECT_TRUE(yes.success) << yes.text;
  EXPECT_EQ(yes.text, "fine\n");
  const ProbeAnswer no =
      runtime->probe("one", {.container = "a", .command = {"sh", "-c", "echo bad; exit 1"}, .timeout = 10s}, {});
  EXPECT_FALSE(no.success);
  EXPECT_EQ(no.text, "bad\n");
  const ProbeAnswer nobody =
      runtime->probe("one", {.kind = ProbeRequest::Kind::tcp, .container = "a", .port = 9, .timeout = 5s}, {});
  EXPECT_FALSE(nobody.success);
  EXPECT_THAT(nobody.text, HasSubstr("connection refused"));
  const ProbeAnswer late = runtime->probe("one", {.container = "a", .command = {"sleep", "1000"}, .timeout = 20ms}, {});
  EXPECT_FALSE(late.success);
  EXPECT_EQ(late.text, "command timed out");
}

#endif

TEST_F(ProcessRuntimeTest, APodThatIsRemovedLeavesNoProcess) {
  make();
  runtime->start("one", shell("echo $$; exec sleep 1000"));
  wait_for_log();
  runtime->remove("one");
  EXPECT_TRUE(runtime->look("one").empty());
}

#ifndef __SANITIZE_THREAD__

// Without namespaces each has to be told its own address.
TEST_F(ProcessRuntimeTest, TwoMemcachedsHaveTheSamePort) {
  ASSERT_NE(find_program("memcached"), "") << "it is not installed: tools/setup test";
  for (const char* uid : {"one", "two"}) {
    const std::string ip = make(uid).ip;
    const ContainerRun run =
        runtime->start(uid, {.name = "a",
                             .command = isolated() ? std::vector{find_program("memcached")}
                                                   : std::vector{find_program("memcached"), std::string("-l"), ip,
                                                                 std::string("-u"), std::string("root")},
                             .env = {{"PATH", "/usr/bin:/bin"}},
                             .user = "memcache",
                             .log = (folder / "a.log").string()});
    ASSERT_FALSE(run.end) << run.end->message;
  }
  for (const char* uid : {"one", "two"}) {
    ProbeAnswer answer;
    for (int tries = 0; tries < 200 && !answer.success; ++tries) {
      answer =
          runtime->probe(uid, {.kind = ProbeRequest::Kind::tcp, .container = "a", .port = 11211, .timeout = 5s}, {});
      ASSERT_FALSE(runtime->look(uid).front().run.end) << log();
    }
    EXPECT_TRUE(answer.success) << answer.text;
  }
}

#endif

}  // namespace
}  // namespace flyball::cluster::node
