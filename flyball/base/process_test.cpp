#include "flyball/base/process.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

class ProcessTest : public testing::Test {
 protected:
  // Against hangs only: no test waits for it.
  Stop soon() { return Stop().with_deadline(clock_, clock_.after(60s)); }

  RunResult sh(const std::string& script, const RunOptions& options = {}) {
    return run(clock_, {"sh", "-c", script}, options, soon());
  }

  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::string folder() {
    if (folder_.empty()) {
      std::string name = testing::TempDir() + "flyball-process-XXXXXX";
      folder_ = ::mkdtemp(name.data());
    }
    return folder_;
  }
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = folder() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  RealClock clock_;

 private:
  std::string folder_;
};

TEST_F(ProcessTest, RunGivesOutputErrorsAndStatus) {
  // [snippet: run]
  RealClock clock;
  const Stop stop = Stop().with_deadline(clock, clock.after(1min));
  const RunResult result = run(clock, {"sh", "-c", "cat; echo $GREETING >&2; exit 3"},
                               {.input = "in and out", .environment = {{"GREETING", "hello"}}}, stop);
  EXPECT_EQ(result.out, "in and out");
  EXPECT_EQ(result.error, "hello\n");
  EXPECT_FALSE(result.status.ok());
  EXPECT_EQ(result.status.text(), "ended with status 3");
  // [end]
}

TEST_F(ProcessTest, RunMovesMoreThanAPipeHoldsBothWays) {
  const std::string much(3U << 20U, 'x');
  const RunResult result = run(clock_, {"cat"}, {.input = much}, soon());
  EXPECT_TRUE(result.out == much);
  EXPECT_TRUE(result.status.ok());
}

TEST_F(ProcessTest, AProgramMayLeaveItsInputUnread) {
  const RunResult result = sh("echo done", {.input = std::string(1U << 20U, 'x')});
  EXPECT_EQ(result.out, "done\n");
  EXPECT_TRUE(result.status.ok());
}

TEST_F(ProcessTest, MoreOutputThanTheLimitIsAnErrorThatNamesTheProgram) {
  const auto endless = [&] { (void)run(clock_, {"yes"}, {.output_limit = 1000}, soon()); };
  EXPECT_EQ(error_of(endless), "the program yes has written more than 1000 bytes of output; it was killed");
}

TEST_F(ProcessTest, RunDoesNotWaitForADescendantThatKeepsThePipe) {
  const RunResult result = sh("sleep 1000 & echo $!; exit 0");
  EXPECT_NE(result.out, "");
  const pid_t descendant = std::stoi(result.out);
  // Killed with the group; whoever inherits it may still have to reap it.
  std::ifstream stat("/proc/" + std::to_string(descendant) + "/stat");
  std::string line;
  while (std::getline(stat, line) && line.find(") Z") == std::string::npos) {
    stat.close();
    stat.open("/proc/" + std::to_string(descendant) + "/stat");
  }
}

TEST_F(ProcessTest, RunEndsAtTheDeadlineAndKillsTheProgram) {
  const std::string path = folder() + "/alive";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const auto slow = [&] {
    (void)run(clock_, {"sh", "-c", "exec 3> alive; echo up >&3; sleep 1000"}, {.directory = folder()},
              Stop().with_deadline(clock_, clock_.after(300ms)));
  };
  EXPECT_THROW(slow(), Stopped);
  ::fcntl(fd, F_SETFL, 0);
  char letter = 0;
  while (::read(fd, &letter, 1) == 1) {  // to the end: the writer is gone
  }
  ::close(fd);
}

TEST_F(ProcessTest, AStopEndsAWaitWithoutAClock) {
  ManualClock manual;
  StopSource source;
  Process process(manual, {"sleep", "1000"});
  std::thread stopper([&] { source.request_stop("enough"); });
  EXPECT_THROW(process.wait(source.stop()), Stopped);
  stopper.join();
  EXPECT_FALSE(process.status());
}

TEST_F(ProcessTest, ADeadlineOfAManualClockEndsAWait) {
  ManualClock manual;
  Process process(manual, {"sleep", "1000"});
  bool late = false;
  Thread waiter(manual, "waiter", [&] {
    try {
      process.wait(Stop().with_deadline(manual, manual.after(10s)));
    } catch (const Stopped& stopped) {
      late = stopped.deadline_passed();
    }
  });
  manual.advance(10s);
  waiter.join();
  EXPECT_TRUE(late);
}

TEST_F(ProcessTest, PipesCarryAConversation) {
  // [snippet: process]
  RealClock clock;
  const Stop stop = Stop().with_deadline(clock, clock.after(1min));
  Process upper(clock, {"sh", "-c", "read name; echo hello $name"},
                {.in = Redirect::to_pipe(), .out = Redirect::to_pipe()});
  upper.write("governor\n", stop);
  EXPECT_EQ(upper.read(stop), "hello governor\n");
  EXPECT_TRUE(upper.wait(stop).ok());
  // [end]
  EXPECT_EQ(upper.read(stop), "");
}

TEST_F(ProcessTest, WritingToAProgramThatEndedSaysHowItEnded) {
  Process process(clock_, {"sh", "-c", "exit 7"}, {.in = Redirect::to_pipe()});
  process.wait(soon());
  EXPECT_EQ(error_of([&] { process.write("hello", soon()); }), "cannot write to sh: it ended with status 7");
}

TEST_F(ProcessTest, APipeThatWasNotAskedForIsAnError) {
  Process process(clock_, {"true"});
  EXPECT_THAT(error_of([&] { (void)process.read(soon()); }), StartsWith("the process true has no pipe for its output"));
}

TEST_F(ProcessTest, FilesAreReadAndAppendedTo) {
  const std::string in = file("in", "from a file\n");
  const std::string out = file("out", "before\n");
  Process process(clock_, {"sh", "-c", "cat; echo and errors >&2"},
                  {.in = Redirect::to_file(in), .out = Redirect::to_file(out), .error = Redirect::to_file(out)});
  EXPECT_TRUE(process.wait(soon()).ok());
  std::stringstream text;
  text << std::ifstream(out).rdbuf();
  EXPECT_EQ(text.str(), "before\nfrom a file\nand errors\n");
}

TEST_F(ProcessTest, TheWorkingDirectoryIsSet) {
  EXPECT_EQ(sh("pwd -P", {.directory = "/usr"}).out, "/usr\n");
  EXPECT_EQ(error_of([&] { (void)sh("pwd", {.directory = "/no/such"}); }),
            "cannot start sh: its working directory /no/such: No such file or directory");
}

TEST_F(ProcessTest, TheEnvironmentIsOursWithAdditionsOrOnlyThose) {
  ::setenv("FLYBALL_PROCESS_TEST", "ours", 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(sh("echo $FLYBALL_PROCESS_TEST").out, "ours\n");
  EXPECT_EQ(sh("echo $FLYBALL_PROCESS_TEST", {.environment = {{"FLYBALL_PROCESS_TEST", "theirs"}}}).out, "theirs\n");
  Process bare(clock_, {"/usr/bin/env"},
               {.environment = {{"ONLY", "this"}}, .our_environment = false, .out = Redirect::to_pipe()});
  EXPECT_EQ(bare.read(soon()), "ONLY=this\n");
}

TEST_F(ProcessTest, AProgramIsLookedForInThePathOfItsEnvironment) {
  const std::string script = file("greet", "#!/bin/sh\necho found\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(run(clock_, {"greet"}, {.environment = {{"PATH", "/nowhere:" + folder()}}}, soon()).out, "found\n");
}

TEST_F(ProcessTest, AProgramThatIsNotThereIsNamedWithWhereWasLooked) {
  const auto start = [&](const std::string& program) {
    return error_of([&] { (void)run(clock_, {program}, {.environment = {{"PATH", "/a:/b"}}}, soon()); });
  };
  EXPECT_EQ(start("aws"), "no such program: aws (looked in $PATH: /a:/b); install it or name it with its folder");
  EXPECT_EQ(start("/opt/no/aws"), "no such program: /opt/no/aws");
  EXPECT_EQ(start(""), "cannot start a process: the command is empty");
}

TEST_F(ProcessTest, AFileThatCannotRunSaysWhy) {
  const auto start = [&](const std::string& program) {
    return error_of([&] { (void)run(clock_, {program}, {}, soon()); });
  };
  const std::string plain = file("plain", "text");
  EXPECT_EQ(start(plain), "cannot start " + plain + ": the file is not executable; try: chmod +x " + plain);
  std::filesystem::permissions(plain, std::filesystem::perms::owner_all);
  EXPECT_THAT(start(plain), HasSubstr("a script needs a first line such as #!/bin/sh"));
  const std::string orphan = file("orphan", "#!/no/such/interpreter\n");
  std::filesystem::permissions(orphan, std::filesystem::perms::owner_all);
  EXPECT_THAT(start(orphan), HasSubstr("its interpreter is not"));
  EXPECT_THAT(start("/usr"), HasSubstr("not a file but a directory"));
}

TEST_F(ProcessTest, TerminateIsPoliteFirst) {
  Process process(clock_, {"sh", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done"},
                  {.out = Redirect::to_pipe()});
  EXPECT_EQ(process.read(soon()), "ready\n");
  EXPECT_EQ(process.terminate(60s), ExitStatus{.code = 5});
}

TEST_F(ProcessTest, TerminateKillsWhatDoesNotListenAfterTheGrace) {
  Process process(clock_, {"sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.01; done"},
                  {.out = Redirect::to_pipe()});
  EXPECT_EQ(process.read(soon()), "ready\n");
  const ExitStatus ended = process.terminate(50ms);
  EXPECT_EQ(ended, ExitStatus{.signal = SIGKILL});
  EXPECT_EQ(ended.text(), "was killed by signal 9 (Killed)");
  EXPECT_EQ(process.terminate(50ms), ended) << "twice is fine";
}

TEST_F(ProcessTest, TheDestructorKillsDescendantsToo) {
  const std::string path = folder() + "/alive";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  {
    Process process(clock_, {"sh", "-c", "(exec 3> alive; echo up >&3; sleep 1000) & wait"}, {.directory = folder()});
    ::fcntl(fd, F_SETFL, 0);
    std::string up(3, ' ');
    while (::read(fd, up.data(), up.size()) == 0) std::this_thread::yield();  // nobody has opened it yet
    EXPECT_EQ(up, "up\n");
  }
  char letter = 0;
  EXPECT_EQ(::read(fd, &letter, 1), 0) << "the descendant still holds the pipe";
  ::close(fd);
}

TEST_F(ProcessTest, LivesOnWhenTheThreadThatStartedItEnds) {
  std::unique_ptr<Process> process;
  std::thread([&] {
    process = std::make_unique<Process>(clock_, std::vector<std::string>{"cat"},
                                        ProcessOptions{.in = Redirect::to_pipe(), .out = Redirect::to_pipe()});
  }).join();
  process->write("still here", soon());
  EXPECT_EQ(process->read(soon()), "still here");
}

TEST_F(ProcessTest, DiesWhenItsParentIsKilled) {
  // The parent is this very test, started once more with the name of a fifo that its child holds open.
  const char* held = std::getenv("FLYBALL_PROCESS_HELD");  // NOLINT(concurrency-mt-unsafe)
  if (held != nullptr) {
    Process(clock_, {"sh", "-c", "exec > $FLYBALL_PROCESS_HELD; echo up; exec sleep 1000"}).wait(Stop());
    return;
  }
  const std::string path = folder() + "/alive";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  Process parent(clock_, {"/proc/self/exe", "--gtest_filter=ProcessTest.DiesWhenItsParentIsKilled"},
                 {.environment = {{"FLYBALL_PROCESS_HELD", path}}, .out = Redirect::to_null()});
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string up(3, ' ');
  EXPECT_EQ(::read(fd, up.data(), up.size()), 3);
  ::kill(parent.id(), SIGKILL);  // not its group, and so not its child, which has one of its own
  char letter = 0;
  EXPECT_EQ(::read(fd, &letter, 1), 0) << "the child outlived its parent";
  ::close(fd);
}

TEST_F(ProcessTest, NoDescriptorLeaksIntoTheChild) {
  const int forgotten = ::open("/dev/null", O_RDONLY);  // NOLINT(android-cloexec-open): that is the point
  const RunResult result = sh("ls -l /proc/self/fd | wc -l");
  ::close(forgotten);
  EXPECT_EQ(result.out, "5\n");  // a headline, 0, 1, 2 and the directory that ls reads
}

TEST_F(ProcessTest, SignalsAreAsAProgramExpectsThem) {
  ::signal(SIGPIPE, SIG_IGN);
  // The 31 signals of programs: the C library keeps those behind them for itself, and posix_spawn leaves them ignored.
  const RunResult result =
      sh("yes | head -n 1; mask() { echo $((0x$(sed -n \"s/^$1:.//p\" /proc/self/status) & 0x7fffffff)); }; "
         "mask SigBlk; mask SigIgn");
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(result.out, "y\n0\n0\n");
  EXPECT_EQ(result.error, "");
}

TEST_F(ProcessTest, ManyThreadsStartManyProcesses) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&, number] {
      for (int round = 0; round < 10; ++round) {
        const std::string word = std::to_string(number) + "." + std::to_string(round);
        EXPECT_EQ(run(clock_, {"cat"}, {.input = word}, soon()).out, word);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace flyball
