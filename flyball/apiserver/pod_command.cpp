#include "flyball/apiserver/pod_command.hpp"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include <poll.h>

#include "flyball/apiserver/refusal.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::chrono::seconds kGoodbye{5};

json::Value success() { return json::object({{"metadata", json::object()}, {"status", "Success"}}); }

json::Value failure(const PodCommand& command, int code) {
  std::string words;
  for (const std::string& word : command.command) words += (words.empty() ? "" : " ") + word;
  const std::string number = std::to_string(code);
  return json::object(
      {{"metadata", json::object()},
       {"status", "Failure"},
       {"message",
        "command terminated with non-zero exit code: error executing command [" + words + "], exit code " + number},
       {"reason", "NonZeroExitCode"},
       {"details",
        json::object({{"causes", json::array({json::object({{"reason", "ExitCode"}, {"message", number}})})}})}});
}

json::Value trouble(const PodCommand& command, const std::exception& error) {
  const std::string what =
      command.command.empty() ? "error attaching to container: " : "error executing command in container: ";
  return refuse::internal(what + error.what()).status();
}

class Session {
 public:
  Session(Clock& clock, CommandPeer& peer, PodProcess& process, const PodCommand& command, const Stop& stop)
      : clock_(clock), peer_(peer), process_(process), command_(command), whole_(stop), changed_(clock) {}

  void run() {
    Thread output(clock_, "exec", [this] { carry_output(); });
    carry_input();
    {
      MutexLock lock(mutex_);
      gone_ = true;
    }
    changed_.notify_all();
    // Nobody is there to see more of it.
    whole_.request_stop("the client has gone");
  }

 private:
  void carry_input() {
    using Kind = CommandPeer::Said::Kind;
    const Stop stop = whole_.stop();
    try {
      for (bool open = true; true;) {
        CommandPeer::Said said = peer_.next(stop);
        if (said.kind == Kind::gone) return;
        if (said.kind == Kind::resize) process_.resize(said.width, said.height);
        // A command that reads no more is none that fails: what it does not want is dropped.
        if (said.kind == Kind::input && open && process_.input() >= 0) {
          open = net::write_all(clock_, process_.input(), said.data, stop);
        }
        if (said.kind == Kind::end_of_input) process_.end_input();
      }
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): gone, one way or the other
    }
  }

  void carry_output() {
    const Stop stop = whole_.stop();
    try {
      print(stop);
      const int code = process_.wait(stop);
      peer_.finish(code == 0 ? success() : failure(command_, code), stop);
      // A connection that is closed with bytes unread takes what was sent last with it: the client closes first.
      MutexLock lock(mutex_);
      changed_.wait_until(mutex_, clock_.after(kGoodbye), stop, [&]() FLYBALL_REQUIRES(mutex_) { return gone_; });
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): there is nobody to tell
    }
    whole_.request_stop("the command has ended");
  }

  // All that comes out, to the end.
  void print(const Stop& stop) {
    net::DescriptorWait wait(clock_);
    bool out = process_.output() >= 0;
    bool error = process_.error() >= 0;
    while (out || error) {
      std::vector<pollfd> fds;
      if (out) fds.push_back({.fd = process_.output(), .events = POLLIN, .revents = 0});
      if (error) fds.push_back({.fd = process_.error(), .events = POLLIN, .revents = 0});
      wait.until_ready(fds, stop);
      if (out) out = pass(process_.output(), false, stop);
      if (error) error = pass(process_.error(), true, stop);
    }
  }

  bool pass(int fd, bool error, const Stop& stop) {
    const auto piece = net::read_some(fd);
    if (!piece) return true;
    if (piece->empty()) return false;
    peer_.write(error, *piece, stop);
    return true;
  }

  Clock& clock_;
  CommandPeer& peer_;
  PodProcess& process_;
  const PodCommand& command_;
  StopSource whole_;

  Mutex mutex_;
  Condition changed_;
  bool gone_ FLYBALL_GUARDED_BY(mutex_) = false;  // the client
};

// Nothing runs: the client is told why, and hangs up.
void say_goodbye(Clock& clock, CommandPeer& peer, const json::Value& status, const Stop& stop) {
  const Stop patience = stop.with_deadline(clock, clock.after(kGoodbye));
  try {
    peer.finish(status, patience);
    while (peer.next(patience).kind != CommandPeer::Said::Kind::gone) {
    }
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it was told, or is gone
  }
}

}  // namespace

void serve_command(Clock& clock, CommandPeer& peer, const StartCommand& start, const PodCommand& command,
                   const Stop& stop) {
  std::unique_ptr<PodProcess> process;
  try {
    process = start(stop);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    return say_goodbye(clock, peer, trouble(command, error), stop);
  }
  Session(clock, peer, *process, command, stop).run();
}

CommandPeer::Said resize_from(std::string_view text) {
  // Several at once: the last counts.
  while (text.ends_with('\n')) text.remove_suffix(1);
  if (const std::size_t line = text.rfind('\n'); line != std::string_view::npos) text.remove_prefix(line + 1);
  try {
    const json::Value size = json::parse(text);
    const auto side = [&](const char* name) {
      return size[name].is_int() ? static_cast<std::uint16_t>(size[name].as_int()) : std::uint16_t{0};
    };
    return {.kind = CommandPeer::Said::Kind::resize, .width = side("Width"), .height = side("Height")};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace flyball::apiserver
