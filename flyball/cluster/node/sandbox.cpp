#include "flyball/cluster/node/sandbox.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flyball/base/text.hpp"
#include "flyball/cluster/node/child_output.hpp"
#include "flyball/cluster/node/container_child.hpp"
#include "flyball/cluster/node/descriptor_channel.hpp"
#include "flyball/cluster/node/namespaces.hpp"
#include "flyball/cluster/node/probe_child.hpp"
#include "flyball/cluster/node/sandbox_protocol.hpp"
#include "flyball/cluster/node/system_call.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kPiece = 65536;
constexpr int kCannotRun = 126;

std::string reason_of(int number) { return std::generic_category().message(number); }

// The first process of the pod: starts what it is told to, and sees to all that ends.
class Init {
 public:
  Init(SandboxSetup setup, Lines lines, DescriptorChannel channel)
      : setup_(std::move(setup)), lines_(std::move(lines)), channel_(std::move(channel)) {}

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
    bool tell = false;               // when its program runs
    net::OwnedDescriptor file = {};  // of the log
    ChildOutput out = {};
    ChildOutput error = {};
  };
  // The child's ends of its streams; ours to close once it has them.
  struct Ends {
    net::OwnedDescriptor in = {};
    net::OwnedDescriptor out = {};
    net::OwnedDescriptor error = {};
    bool tty = false;

    ChildStreams of_child() const {
      if (tty) return {.in = in.get(), .out = in.get(), .error = in.get(), .tty = true};
      return {.in = in.get(), .out = out.get(), .error = error.get()};
    }
  };

  bool wait_and_act() {
    while (const auto line = lines_.next()) act(*line);
    std::vector<pollfd> fds{{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                            {.fd = signals_, .events = POLLIN, .revents = 0}};
    for (const auto& [pid, child] : children_) {
      child.out.add_to(fds);
      child.error.add_to(fds);
    }
    for (const Attached& each : leaving_) fds.push_back({.fd = each.to.get(), .events = POLLOUT, .revents = 0});
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return false;
    for (auto& [pid, child] : children_) {
      child.out.act();
      child.error.act();
    }
    std::erase_if(leaving_, [](Attached& each) { return !each.flush() || each.waiting.empty(); });
    if (fds[1].revents != 0) reap();
    if (fds[0].revents != 0) return read_more(lines_);
    return true;
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
      for (ChildOutput* output : {&child.out, &child.error}) {
        for (Attached& each : output->finish()) leaving_.push_back(std::move(each));
      }
      say(json::object({{"ended", child.id},
                        {"code", WIFEXITED(status) ? WEXITSTATUS(status) : 0},
                        {"signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0},
                        {"output", valid_utf8(child.out.text())}}));
    }
  }

  void act(const std::string& line) {
    const json::Value message = json::parse(line);
    if (const json::View start = message["start"]) return start_container(start);
    if (const json::View run = message["run"]) return run_command(run);
    if (const json::View exec = message["exec"]) return exec_command(exec);
    if (const json::View attach = message["attach"]) return attach_to(attach);
    if (const json::View socket = message["socket"]) return make_socket(socket);
    if (const json::View probe = message["probe"]) return run_probe(probe);
    if (const json::View signal = message["signal"]) return send_signal(signal);
  }

  void start_container(json::View start) {
    const std::int64_t id = start["id"].as_int();
    const ContainerRequest request = container_from(start);
    const StreamSet streams = streams_from(start);
    Child child{.id = id, .tell = true};
    Ends ends{.tty = streams.tty};
    std::vector<net::OwnedDescriptor> given;
    if (streams.in || streams.tty) given = channel_.receive();
    if (!given.empty()) ends.in = std::move(given[0]);
    if (!request.log.empty()) {
      child.file = net::OwnedDescriptor(::open(request.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
      if (!child.file) return refuse(id, "cannot open the log " + request.log + ": " + reason_of(errno));
    }
    if (streams.tty && given.size() > 1) {
      child.out = ChildOutput(std::move(given[1]));
    } else if (!pipe_for(ends.out, child.out) || !pipe_for(ends.error, child.error)) {
      return refuse(id, "no pipe: " + reason_of(errno));
    }
    if (child.file) child.out.log_to(child.file.get(), "stdout");
    if (child.file && !streams.tty) child.error.log_to(child.file.get(), "stderr");
    launch(std::move(child), ends.of_child(), [&](const ChildStreams& own) { become_container(setup_, request, own); });
  }

  static bool pipe_for(net::OwnedDescriptor& end, ChildOutput& output) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    output = ChildOutput(net::OwnedDescriptor(ends[0]));
    end = net::OwnedDescriptor(ends[1]);
    return true;
  }

  // Its output is kept, and told with its end.
  void run_command(json::View run) {
    Child child{.id = run["id"].as_int()};
    const pid_t process = process_of(run["inside"].as_int());
    if (process == 0) return refuse(child.id, "the container does not run");
    const ContainerRequest request = container_from(run);
    net::OwnedDescriptor out;
    if (!pipe_for(out, child.out)) return refuse(child.id, "no pipe: " + reason_of(errno));
    launch(std::move(child), {.out = out.get(), .error = out.get()},
           [&](const ChildStreams& own) { join_container(setup_, process, request, own); });
  }

  void exec_command(json::View exec) {
    Child child{.id = exec["id"].as_int(), .tell = true};
    const Ends ends = given_ends(streams_from(exec));
    const pid_t process = process_of(exec["inside"].as_int());
    if (process == 0) return refuse(child.id, "the container does not run");
    const ContainerRequest request = container_from(exec);
    launch(std::move(child), ends.of_child(),
           [&](const ChildStreams& own) { join_container(setup_, process, request, own); });
  }

  Ends given_ends(const StreamSet& streams) {
    std::vector<net::OwnedDescriptor> given = channel_.receive();
    Ends ends{.tty = streams.tty};
    std::size_t next = 0;
    const auto take = [&](bool wanted) {
      return wanted && next < given.size() ? std::move(given[next++]) : net::OwnedDescriptor();
    };
    ends.in = take(streams.in || streams.tty);
    if (streams.tty) return ends;
    ends.out = take(streams.out);
    ends.error = take(streams.error);
    return ends;
  }

  void attach_to(json::View attach) {
    const std::int64_t id = attach["id"].as_int();
    Ends ends = given_ends(streams_from(attach));
    for (auto& [pid, child] : children_) {
      if (child.id != attach["inside"].as_int()) continue;
      if (ends.out) child.out.attach(std::move(ends.out));
      if (ends.error) child.error.attach(std::move(ends.error));
      return say(json::object({{"started", id}}));
    }
    refuse(id, "the container does not run");
  }

  void make_socket(json::View wanted) {
    const std::int64_t id = wanted["id"].as_int();
    const int family = wanted["ipv6"].is_bool() && wanted["ipv6"].as_bool() ? AF_INET6 : AF_INET;
    const net::OwnedDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return refuse(id, "no socket: " + reason_of(errno));
    channel_.send({socket.get()});
    say(json::object({{"made", id}}));
  }

  void run_probe(json::View probe) {
    const ProbeRequest request = probe_from(probe);
    Child child{.id = probe["id"].as_int()};
    net::OwnedDescriptor out;
    if (!pipe_for(out, child.out)) return refuse(child.id, "no pipe: " + reason_of(errno));
    launch(std::move(child), {.out = out.get(), .error = out.get()}, [&](const ChildStreams& own) {
      const ProbeAnswer answer = ask_over_network(request);
      [[maybe_unused]] const ssize_t written = ::write(own.out, answer.text.data(), answer.text.size());
      ::_exit(answer.success ? 0 : 1);
    });
  }

  pid_t process_of(std::int64_t id) const {
    for (const auto& [pid, child] : children_) {
      if (child.id == id) return pid;
    }
    return 0;
  }

  // One that shall tell when its program runs is waited for until then; what went wrong before comes over a pipe, which
  // closes when the program runs. The others say what went wrong where their output goes.
  void launch(Child child, const ChildStreams& streams, const std::function<void(const ChildStreams&)>& body) {
    std::array<int, 2> trouble{};
    if (::pipe2(trouble.data(), O_CLOEXEC) != 0) return refuse(child.id, "no pipe: " + reason_of(errno));
    const pid_t pid = ::fork();
    if (pid == 0) run_child(streams, child.tell ? trouble[1] : streams.out, body);
    ::close(trouble[1]);
    const std::string why = pid < 0 ? "fork: " + reason_of(errno) : child.tell ? read_all(trouble[0]) : "";
    ::close(trouble[0]);
    if (!why.empty()) {
      if (pid > 0) ::waitpid(pid, nullptr, 0);
      return refuse(child.id, why);
    }
    if (child.tell) say(json::object({{"started", child.id}, {"pid", pid}}));
    children_[pid] = std::move(child);
  }

  [[noreturn]] static void run_child(const ChildStreams& streams, int trouble,
                                     const std::function<void(const ChildStreams&)>& body) {
    try {
      body(streams);
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
  const DescriptorChannel channel_;
  int signals_ = -1;
  std::map<pid_t, Child> children_;
  std::vector<Attached> leaving_;  // of children that have ended: they have not read all yet
};

void forget_streams() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::close(null);
}

// The process that made the namespaces is outside of the one for processes; only its child is inside.
int run_inside(const SandboxSetup& setup, Lines lines, DescriptorChannel channel) {
  if (!setup.isolated) {
    // The end of the input tells of our end, too, and leaves time to end what containers have started.
    ::prctl(PR_SET_PDEATHSIG, 0);
    return Init(setup, std::move(lines), std::move(channel)).run();
  }
  const pid_t pid = check(::fork(), "start the pod's first process");
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    mount_proc();
    return Init(setup, std::move(lines), std::move(channel)).run();
  }
  forget_streams();
  channel.close();
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
    DescriptorChannel channel = connect_channel(setup.streams, setup.socket);
    if (setup.isolated) enter_pod_namespaces(setup.network, setup.hostname);
    return run_inside(setup, std::move(lines), std::move(channel));
  } catch (const std::exception& error) {
    say(json::object({{"broken", error.what()}}));
    return 1;
  }
}

}  // namespace flyball::cluster::node
