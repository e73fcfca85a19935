// Process: a child that ends with its owner, and `run` for the common case.
//
//   const RunResult result = run(clock, {"aws", "eks", "get-token"}, {.environment = {{"AWS_PROFILE", "dev"}}}, stop);
//   if (!result.status.ok()) throw Error("aws " + result.status.text() + ": " + result.error);
//
//   Process etcd(clock, {"etcd", "--data-dir=/tmp/x"}, {.out = Redirect::to_file("etcd.log")});
//   etcd.terminate(5s, stop);                                   // or just let it go out of scope
//
// The child is killed with all its descendants (its process group) when the Process goes. When our own process is
// killed hard, the kernel kills the child; what the child started is then on its own. The child gets no descriptor but
// its three, default signal handlers and an empty signal mask.
//
// Errors: Error names the program and what is wrong with it ("no such program: aws (looked in $PATH: ...)"); Stopped at
// the stop or its deadline.
//
// Thread-safety: status, wait, signal and terminate may be called from any thread; each of the three pipes may be used
// by one thread at a time. A thread that waits here counts as outside to a manual clock. Lifetime: the clock outlives
// the Process; do not destroy it while another thread is inside.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"

namespace flyball {

namespace detail {
struct RunLoop;
}

// Where one of the standard streams leads.
struct Redirect {
  enum class Kind { null, pipe, inherit, file };
  Kind kind = Kind::null;
  std::string path = {};

  // Nothing to read, and what is written is lost.
  static Redirect to_null() { return {}; }
  // To us: Process::write, read, read_error.
  static Redirect to_pipe() { return {.kind = Kind::pipe}; }
  // Ours.
  static Redirect to_ours() { return {.kind = Kind::inherit}; }
  // Read from it, or append to it (it is made when absent, for its owner alone).
  static Redirect to_file(std::string path) { return {.kind = Kind::file, .path = std::move(path)}; }
};

struct ProcessOptions {
  std::map<std::string, std::string> environment = {};  // beside ours, and before it
  bool our_environment = true;                          // false: `environment` is all there is
  std::string directory = {};                           // to work in; empty: ours
  Redirect in = Redirect::to_null();
  Redirect out = Redirect::to_ours();
  Redirect error = Redirect::to_ours();
  // False: it stays in our process group, where it may ask at the terminal and gets Ctrl-C, and only the child itself
  // is signalled and killed.
  bool own_group = true;
};

// How a process ended.
struct ExitStatus {
  int code = 0;    // what it returned
  int signal = 0;  // or the signal that killed it

  bool ok() const noexcept { return code == 0 && signal == 0; }
  // "ended with status 1", "was killed by signal 9 (Killed)".
  std::string text() const;
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

class Process {
 public:
  // `command` is the program and its arguments. A program without a slash is looked for in $PATH.
  Process(Clock& clock, std::vector<std::string> command, const ProcessOptions& options = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int id() const noexcept;
  // The program, as it was given.
  const std::string& name() const noexcept;

  // Writes all of it to the child's input. Throws Error when the child has closed its end.
  void write(std::string_view text, const Stop& stop);
  // The end of the input.
  void close_input();
  // The next piece of output, as soon as there is one; empty once every process that holds the other end has closed it.
  std::string read(const Stop& stop);
  std::string read_error(const Stop& stop);

  // Empty while it runs.
  std::optional<ExitStatus> status() const;
  ExitStatus wait(const Stop& stop);
  // To the child and its descendants. Nothing happens when they are gone.
  void signal(int number) noexcept;
  // SIGTERM, and SIGKILL when it has not ended after `grace`, or at the stop.
  ExitStatus terminate(Duration grace, const Stop& stop = {});

 private:
  friend struct detail::RunLoop;
  class Child;
  std::unique_ptr<Child> child_;
};

struct RunOptions {
  std::string input = {};
  std::map<std::string, std::string> environment = {};  // beside ours, and before it
  std::string directory = {};                           // to work in; empty: ours
  std::size_t output_limit = std::size_t{16} << 20U;    // bytes of output and of errors; more is an Error
};

struct RunResult {
  ExitStatus status;
  std::string out = {};
  std::string error = {};
};

// Runs a program to its end. A limit of time comes with the stop: stop.with_deadline(clock, clock.after(1min)). What
// the program leaves running is killed.
RunResult run(Clock& clock, std::vector<std::string> command, const RunOptions& options, const Stop& stop);

}  // namespace flyball
