// Other programs: run one to its end, or start one and stop it later.
//
//   const Ran ran = run_program({"cmake", "--version"});            // its output, both streams, and how it ended
//   if (!ran.found) …                                               // there is no such program
//
//   Child child({"./build/shop-operator", "run"}, {.folder = project, .variables = {{"KUBECONFIG", path}}});
//   child.stop();                                                   // SIGTERM, and SIGKILL when that is not enough
//
// A Child that is destroyed is stopped first, and one whose parent dies is killed: nothing is left behind.
//
// Errors: Error when a process cannot be made. Thread-safety: one thread at a time.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flyball::cli {

using Words = std::vector<std::string>;

struct ProcessOptions {
  std::filesystem::path folder = {};                  // empty: this one's
  std::map<std::string, std::string> variables = {};  // beside those of this process
  bool quiet_output = false;                          // what it prints on standard output is thrown away
  bool own_group = false;                             // Ctrl-C at the terminal is for us alone; we tell it
};

struct Ran {
  bool found = true;
  int code = 0;  // 128 + the signal, as shells say it
  std::string output = {};
};

// With both streams in one text.
Ran run_program(const Words& words, const ProcessOptions& options = {});
// With standard output alone in the text; standard error goes where ours goes.
Ran run_for_output(const Words& words, const ProcessOptions& options = {});
// With our own streams; gives the exit code, 127 when there is no such program.
int run_in_front(const Words& words, const ProcessOptions& options = {});

class Child {
 public:
  explicit Child(const Words& words, const ProcessOptions& options = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Its exit code when it has ended.
  std::optional<int> ended();
  // Until it has ended; gives its exit code.
  int wait();
  // It is told to end, and killed when it takes longer than that.
  int stop(std::chrono::seconds patience = std::chrono::seconds(30));
  int pid() const { return pid_; }

 private:
  int pid_ = -1;
  std::optional<int> code_;
};

// Where a program is found in $PATH; empty: nowhere.
std::filesystem::path find_program(const std::string& name);
// The program that runs now.
std::filesystem::path this_program();
// Flyball's source tree, when this program was built in it: projects then build against it. Empty: it is installed.
std::filesystem::path source_tree();

}  // namespace flyball::cli
