#include "flyball/cluster/node/sandbox.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flyball/base/text.hpp"
#include "flyball/cluster/node/container_child.hpp"
#include "flyball/cluster/node/log_lines.hpp"
#include "flyball/cluster/node/namespaces.hpp"
#include "flyball/cluster/node/probe_child.hpp"
#include "flyball/cluster/node/sandbox_protocol.hpp"
#include "flyball/cluster/node/system_call.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kPiece = 65536;
constexpr int kCannotRun = 126;
constexpr std::size_t kMostOutput = 10240;  // of a command: what the kubelet keeps of a probe's

std::string reason_of(int number) { return std::generic_category().message(number); }

// The first process of the pod: starts what it is told to, and sees to all that ends.
class Init {
 public:
  Init(SandboxSetup setup, Lines lines) : setup_(std::move(setup)), lines_(std::move(lines)) {}

  int run() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &children, nullptr);  // NOLINT(concurrency-mt-unsafe): there is one thread
    ::signal(SIGPIPE, SIG_IGN);
    signals_ = check(::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK), "wait for children");
    say(json::object({{"ready", true}}));
    while (wait_and_act()) {
    }
    for (const auto& [pid, child] : children_) ::kill(-pid, SIGKILL);
    for (const auto& [pid, child] : children_) ::kill(pid, SIGKILL);
    return 0;
  }

 private:
  struct Child {
    std::int64_t id = 0;
    int output = -1;                    // what it prints comes from there
    std::string text = {};              // and is kept, of a command
    std::optional<LogWriter> log = {};  // or goes to the log, of a container
    int file = -1;                      // of the log
  };

  bool wait_and_act() {
    while (const auto line = lines_.next()) act(*line);
    std::vector<pollfd> fds{{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                            {.fd = signals_, .events = POLLIN, .revents = 0}};
    for (const auto& [pid, child] : children_) {
      if (child.output >= 0) fds.push_back({.fd = child.output, .events = POLLIN, .revents = 0});
    }
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return false;
    for (std::size_t i = 2; i < fds.size(); ++i) {
      if (fds[i].revents != 0) take_output(fds[i].fd);
    }
    if (fds[1].revents != 0) reap();
    if (fds[0].revents != 0) return read_more(lines_);
    return true;
  }

  void take_output(int fd) {
    for (auto& [pid, child] : children_) {
      if (child.output == fd) drain(child);
    }
  }

  static void drain(Child& child) {
    std::array<char, kPiece> piece{};
    while (child.output >= 0) {
      const ssize_t got = ::read(child.output, piece.data(), piece.size());
      if (got > 0 && child.log) {
        child.log->add({piece.data(), static_cast<std::size_t>(got)}, std::chrono::system_clock::now());
        // A program that prints without end must not keep the others waiting.
        if (static_cast<std::size_t>(got) < piece.size()) continue;
        return;
      }
      if (got > 0) {
        const std::size_t room = kMostOutput - child.text.size();
        child.text.append(piece.data(), std::min(room, static_cast<std::size_t>(got)));
        continue;
      }
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
      ::close(child.output);
      child.output = -1;
    }
  }

  static void close_all(Child& child) {
    if (child.log) child.log->finish(std::chrono::system_clock::now());
    if (child.output >= 0) ::close(child.output);
    if (child.file >= 0) ::close(child.file);
  }

  void reap() {
    std::array<char, sizeof(signalfd_siginfo)> ignored{};
    while (::read(signals_, ignored.data(), ignored.size()) > 0) {
    }
    while (true) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid <= 0) return;
      const auto found = children_.find(pid);
      // What containers left behind has no name here.
      if (found == children_.end()) continue;
      Child child = std::move(found->second);
      children_.erase(found);
      drain(child);
      close_all(child);
      say(json::object({{"ended", child.id},
                        {"code", WIFEXITED(status) ? WEXITSTATUS(status) : 0},
                        {"signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0},
                        {"output", valid_utf8(child.text)}}));
    }
  }

  void act(const std::string& line) {
    const json::Value message = json::parse(line);
    if (const json::View start = message["start"]) return start_container(start);
    if (const json::View run = message["run"]) return run_command(run);
    if (const json::View probe = message["probe"]) return run_probe(probe);
    if (const json::View signal = message["signal"]) return send_signal(signal);
  }

  void start_container(json::View start) {
    const std::int64_t id = start["id"].as_int();
    const ContainerRequest request = container_from(start);
    Child child{.id = id};
    if (!request.log.empty()) {
      child.file = ::open(request.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      if (child.file < 0) return refuse(id, "cannot open the log " + request.log + ": " + reason_of(errno));
      child.log.emplace(child.file);
    }
    with_output(std::move(child), true, [&](int out) { become_container(setup_, request, {.out = out}); });
  }

  void run_command(json::View run) {
    const std::int64_t id = run["id"].as_int();
    const std::int64_t inside = run["inside"].as_int();
    pid_t process = 0;
    for (const auto& [pid, child] : children_) {
      if (child.id == inside) process = pid;
    }
    if (process == 0) return refuse(id, "the container does not run");
    const ContainerRequest request = container_from(run);
    with_output({.id = id}, false, [&](int out) { join_container(setup_, process, request, {.out = out}); });
  }

  void run_probe(json::View probe) {
    const ProbeRequest request = probe_from(probe);
    with_output({.id = probe["id"].as_int()}, false, [&](int out) {
      const ProbeAnswer answer = ask_over_network(request);
      [[maybe_unused]] const ssize_t written = ::write(out, answer.text.data(), answer.text.size());
      ::_exit(answer.success ? 0 : 1);
    });
  }

  // A container is waited for until its program runs; what went wrong before that comes over a pipe, which closes when
  // the program runs. A command says what went wrong where its output goes.
  void with_output(Child child, bool container, const std::function<void(int)>& body) {
    std::array<int, 2> ends{};
    std::array<int, 2> trouble{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0 || ::pipe2(trouble.data(), O_CLOEXEC) != 0) {
      return refuse(child.id, "no pipe: " + reason_of(errno));
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const pid_t pid = ::fork();
    if (pid == 0) run_child(ends[1], container ? trouble[1] : ends[1], body);
    ::close(ends[1]);
    ::close(trouble[1]);
    child.output = ends[0];
    const std::string why = pid < 0 ? "fork: " + reason_of(errno) : container ? read_all(trouble[0]) : "";
    ::close(trouble[0]);
    if (!why.empty()) {
      if (pid > 0) ::waitpid(pid, nullptr, 0);
      close_all(child);
      return refuse(child.id, why);
    }
    if (container) say(json::object({{"started", child.id}, {"pid", pid}}));
    children_[pid] = std::move(child);
  }

  [[noreturn]] static void run_child(int out, int trouble, const std::function<void(int)>& body) {
    try {
      body(out);
    } catch (const std::exception& error) {
      const std::string_view why = error.what();
      [[maybe_unused]] const ssize_t written = ::write(trouble, why.data(), why.size());
    }
    ::_exit(kCannotRun);
  }

  static std::string read_all(int fd) {
    std::string text;
    std::array<char, kPiece> piece{};
    while (true) {
      const ssize_t got = ::read(fd, piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return text;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
  }

  static void refuse(std::int64_t id, const std::string& why) {
    say(json::object({{"refused", id}, {"why", valid_utf8(why)}}));
  }

  void send_signal(json::View signal) {
    for (const auto& [pid, child] : children_) {
      if (child.id != signal["id"].as_int()) continue;
      const int number = static_cast<int>(signal["number"].as_int());
      // By force, with all it started; else it decides itself.
      ::kill(number == SIGKILL ? -pid : pid, number);
      if (number == SIGKILL) ::kill(pid, number);
    }
  }

  const SandboxSetup setup_;
  Lines lines_;
  int signals_ = -1;
  std::map<pid_t, Child> children_;
};

void forget_streams() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::close(null);
}

// The process that made the namespaces is outside of the one for processes; only its child is inside.
int run_inside(const SandboxSetup& setup, Lines lines) {
  if (!setup.isolated) {
    // The end of the input tells of our end, too, and leaves time to end what containers have started.
    ::prctl(PR_SET_PDEATHSIG, 0);
    return Init(setup, std::move(lines)).run();
  }
  const pid_t pid = check(::fork(), "start the pod's first process");
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    mount_proc();
    return Init(setup, std::move(lines)).run();
  }
  forget_streams();
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int run_sandbox() {
  try {
    Lines lines;
    const auto first = wait_for_line(lines);
    if (!first) return 0;
    const json::Value message = json::parse(*first);
    const SandboxSetup setup = setup_from(message["setup"]);
    if (setup.isolated) enter_pod_namespaces(setup.network, setup.hostname);
    return run_inside(setup, std::move(lines));
  } catch (const std::exception& error) {
    say(json::object({{"broken", error.what()}}));
    return 1;
  }
}

}  // namespace flyball::cluster::node
