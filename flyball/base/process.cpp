#include "flyball/base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <future>
#include <span>
#include <system_error>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flyball/base/detail/spawn.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/quiet_write.hpp"
#include "flyball/base/thread.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;
using detail::OwnedFd;

// A clock that is not the machine's own can pass a deadline while poll() sleeps, and has no way to wake it.
constexpr Duration kLookAgain = 5ms;
constexpr std::size_t kPiece = 65536;

int poll_timeout(const Clock& clock, TimePoint end) {
  Duration wait = 24h;
  if (end != kNever) wait = std::clamp<Duration>(end - clock.now(), 0ns, wait);
  if (dynamic_cast<const RealClock*>(&clock) == nullptr) wait = std::min(wait, kLookAgain);
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

OwnedFd make_event() {
  OwnedFd event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (event.get() < 0) {
    throw Error("cannot make an event descriptor: " + std::generic_category().message(errno) +
                "; is the limit of open files (ulimit -n) reached?");
  }
  return event;
}

void raise_event(const OwnedFd& event) noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event.get(), &one, sizeof one);
}

// Until one of `fds` is ready. The last of them belongs to the stop.
void wait_ready(Clock& clock, std::span<pollfd> fds, const Stop& stop) {
  const OwnedFd waker = make_event();
  const StopCallback wake_on_stop(stop, [&waker] { raise_event(waker); });
  fds.back() = {.fd = waker.get(), .events = POLLIN, .revents = 0};
  while (true) {
    stop.throw_if_stopped();
    const OutsideScope outside(clock);
    const int ready = ::poll(fds.data(), fds.size(), poll_timeout(clock, stop.deadline()));
    if (ready > 0 && std::any_of(fds.begin(), fds.end() - 1, [](const pollfd& fd) { return fd.revents != 0; })) return;
    if (ready < 0 && errno != EINTR) throw Error("poll failed: " + std::generic_category().message(errno));
  }
}

bool again(int number) { return number == EAGAIN || number == EINTR; }

// Appends what is there; false at the end.
bool read_some(int fd, std::string& to) {
  const std::size_t had = to.size();
  to.resize(had + kPiece);
  const ssize_t got = ::read(fd, to.data() + had, kPiece);
  const int number = errno;
  to.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 || (got < 0 && again(number));
}

}  // namespace

// A thread of its own starts the child and waits for its end: the kernel kills the child when the thread that started
// it is gone, and the caller's may go at any time.
class Process::Child {
 public:
  Child(Clock& clock, std::vector<std::string> command, const ProcessOptions& options)
      : clock_(clock),
        name_(command.empty() ? "" : command.front()),
        own_group_(options.own_group),
        exited_(make_event()) {
    detail::SpawnPlan plan(command, options);
    pipes_ = plan.take_pipes();
    const auto started = std::make_shared<std::promise<pid_t>>();
    thread_.emplace(clock, "process " + name_, [this, &plan, started] { live(plan, *started); });
    pid_ = started->get_future().get();
  }

  // The child stays a zombie until here, so that its number cannot become somebody else's.
  ~Child() {
    signal(SIGKILL);
    thread_->join();
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  Clock& clock() const noexcept { return clock_; }
  pid_t pid() const noexcept { return pid_; }
  const std::string& name() const noexcept { return name_; }
  int exited() const noexcept { return exited_.get(); }

  OwnedFd& pipe(int stream) {
    OwnedFd& fd = pipes_[static_cast<std::size_t>(stream)];
    if (fd.get() >= 0) return fd;
    constexpr std::array<const char*, 3> kNames{"input", "output", "errors"};
    throw Error("the process " + name_ + " has no pipe for its " + kNames[static_cast<std::size_t>(stream)] +
                ": it was started without one (Redirect::to_pipe), or the pipe was closed");
  }
  void close_input() { pipes_[STDIN_FILENO].reset(); }

  std::optional<ExitStatus> status() const {
    MutexLock lock(mutex_);
    return status_;
  }

  void signal(int number) const noexcept { ::kill(own_group_ ? -pid_ : pid_, number); }

 private:
  void live(detail::SpawnPlan& plan, std::promise<pid_t>& started) {
    pid_t pid = 0;
    try {
      pid = plan.spawn();
    } catch (...) {
      started.set_exception(std::current_exception());
      return;
    }
    started.set_value(pid);  // the plan is gone from here on
    const ExitStatus ended = await_end(pid);
    {
      MutexLock lock(mutex_);
      status_ = ended;
    }
    raise_event(exited_);
  }

  ExitStatus await_end(pid_t pid) const {
    const OutsideScope outside(clock_);
    siginfo_t how{};
    int result = 0;
    do {
      result = ::waitid(P_PID, static_cast<id_t>(pid), &how, WEXITED | WNOWAIT);
    } while (result != 0 && errno == EINTR);
    if (result != 0) return {.code = -1};  // a program that ignores SIGCHLD never learns how its children end
    if (how.si_code == CLD_EXITED) return {.code = how.si_status};
    return {.signal = how.si_status};
  }

  // Constant after construction.
  Clock& clock_;
  const std::string name_;
  const bool own_group_;
  pid_t pid_ = 0;
  const OwnedFd exited_;  // readable once it has ended

  std::array<OwnedFd, 3> pipes_;

  mutable Mutex mutex_;
  std::optional<ExitStatus> status_ FLYBALL_GUARDED_BY(mutex_);

  std::optional<Thread> thread_;
};

std::string ExitStatus::text() const {
  if (signal == 0) return "ended with status " + std::to_string(code);
  const char* meaning = ::sigdescr_np(signal);
  return "was killed by signal " + std::to_string(signal) +
         (meaning == nullptr ? "" : std::string(" (") + meaning + ")");
}

Process::Process(Clock& clock, std::vector<std::string> command, const ProcessOptions& options)
    : child_(std::make_unique<Child>(clock, std::move(command), options)) {}
Process::~Process() = default;

int Process::id() const noexcept { return child_->pid(); }
const std::string& Process::name() const noexcept { return child_->name(); }

void Process::write(std::string_view text, const Stop& stop) {
  const OwnedFd& fd = child_->pipe(STDIN_FILENO);
  while (!text.empty()) {
    std::array<pollfd, 2> fds{{{.fd = fd.get(), .events = POLLOUT, .revents = 0}, {}}};
    wait_ready(child_->clock(), fds, stop);
    const ssize_t wrote = write_quietly(fd.get(), text);
    if (wrote < 0 && !again(errno)) {
      const auto ended = status();
      throw Error("cannot write to " + name() + ": " + (ended ? "it " + ended->text() : "it has closed its input"));
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(wrote, 0)));
  }
}

void Process::close_input() { child_->close_input(); }

namespace {
std::string read_piece(Clock& clock, int fd, const Stop& stop) {
  std::string piece;
  do {
    std::array<pollfd, 2> fds{{{.fd = fd, .events = POLLIN, .revents = 0}, {}}};
    wait_ready(clock, fds, stop);
  } while (read_some(fd, piece) && piece.empty());
  return piece;
}
}  // namespace

std::string Process::read(const Stop& stop) {
  return read_piece(child_->clock(), child_->pipe(STDOUT_FILENO).get(), stop);
}
std::string Process::read_error(const Stop& stop) {
  return read_piece(child_->clock(), child_->pipe(STDERR_FILENO).get(), stop);
}

std::optional<ExitStatus> Process::status() const { return child_->status(); }

ExitStatus Process::wait(const Stop& stop) {
  if (const auto ended = status()) return *ended;
  std::array<pollfd, 2> fds{{{.fd = child_->exited(), .events = POLLIN, .revents = 0}, {}}};
  wait_ready(child_->clock(), fds, stop);
  return *status();
}

void Process::signal(int number) noexcept { child_->signal(number); }

ExitStatus Process::terminate(Duration grace, const Stop& stop) {
  signal(SIGTERM);
  try {
    return wait(stop.with_deadline(child_->clock(), child_->clock().after(grace)));
  } catch (const Stopped&) {
    signal(SIGKILL);
  }
  return wait({});
}

namespace detail {

// All three pipes at once: a program that waits for its output to be read does not read its input.
struct RunLoop {
  Process::Child& child;
  std::string_view input;
  const std::size_t limit;
  const Stop& stop;
  RunResult result = {};
  bool out_open = true;
  bool error_open = true;

  static Process::Child& child_of(Process& process) { return *process.child_; }

  void go() {
    while (out_open || error_open || !child.status()) {
      const bool was_over = child.status().has_value();
      if (!was_over) step();
      // Descendants may hold the pipes for ever: what was written before the end is all that counts.
      if (was_over && !drain()) break;
    }
    result.status = *child.status();
  }

 private:
  static pollfd watch(int fd, short events) { return {.fd = fd, .events = events, .revents = 0}; }

  void step() {
    if (input.empty()) child.close_input();
    std::array<pollfd, 5> fds{watch(input.empty() ? -1 : child.pipe(STDIN_FILENO).get(), POLLOUT),
                              watch(out_open ? child.pipe(STDOUT_FILENO).get() : -1, POLLIN),
                              watch(error_open ? child.pipe(STDERR_FILENO).get() : -1, POLLIN),
                              watch(child.exited(), POLLIN),
                              {}};
    wait_ready(child.clock(), fds, stop);
    if (fds[0].revents != 0) feed(fds[0].fd);
    if (fds[1].revents != 0) out_open = take(fds[1].fd, result.out, "output");
    if (fds[2].revents != 0) error_open = take(fds[2].fd, result.error, "errors");
  }

  void feed(int fd) {
    const ssize_t wrote = write_quietly(fd, input);
    if (wrote < 0 && !again(errno)) input = {};  // it does not want the rest
    input.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(wrote, 0)));
  }

  bool take(int fd, std::string& to, const char* what) const {
    const bool more = read_some(fd, to);
    if (to.size() <= limit) return more;
    throw Error("the program " + child.name() + " has written more than " + std::to_string(limit) + " bytes of " +
                what + "; it was killed");
  }

  // True while more came.
  bool drain() {
    const std::size_t had = result.out.size() + result.error.size();
    if (out_open) out_open = take(child.pipe(STDOUT_FILENO).get(), result.out, "output");
    if (error_open) error_open = take(child.pipe(STDERR_FILENO).get(), result.error, "errors");
    return result.out.size() + result.error.size() > had;
  }
};

}  // namespace detail

RunResult run(Clock& clock, std::vector<std::string> command, const RunOptions& options, const Stop& stop) {
  Process process(clock, std::move(command),
                  {.environment = options.environment,
                   .directory = options.directory,
                   .in = Redirect::to_pipe(),
                   .out = Redirect::to_pipe(),
                   .error = Redirect::to_pipe()});
  detail::RunLoop loop{
      .child = detail::RunLoop::child_of(process), .input = options.input, .limit = options.output_limit, .stop = stop};
  loop.go();
  return std::move(loop.result);
}

}  // namespace flyball
