#include "flyball/base/detail/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flyball::detail {
namespace {

enum Stage { kDirectory = 1, kDescriptors, kExec };

std::string reason(int number) { return std::generic_category().message(number); }

[[noreturn]] void cannot_start(const std::string& name, const std::string& why) {
  throw Error("cannot start " + name + ": " + why);
}

// Above the three that dup2 will overwrite, also when our own were closed.
OwnedFd above_standard(const std::string& name, OwnedFd fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  OwnedFd higher(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (higher.get() < 0) cannot_start(name, "no descriptor: " + reason(errno));
  return higher;
}

std::pair<OwnedFd, OwnedFd> make_pipe(const std::string& name) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    cannot_start(name, "no pipe: " + reason(errno) + "; is the limit of open files (ulimit -n) reached?");
  }
  OwnedFd out(ends[0]);
  OwnedFd in(ends[1]);
  return {above_standard(name, std::move(out)), above_standard(name, std::move(in))};
}

bool is_program(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string absolute(const std::string& path) {
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::absolute(path, none);
  return none ? path : whole.string();
}

std::string checked_path(const std::string& name) {
  const std::string path = absolute(name);
  if (is_program(path)) return path;
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) cannot_start(name, reason(errno));
    throw Error("no such program: " + name + (path == name ? "" : " (that is " + path + ")"));
  }
  cannot_start(name, S_ISREG(about.st_mode) ? "the file is not executable; try: chmod +x " + path
                                            : "it is not a file but a directory or device");
}

std::string find_program(const std::vector<std::string>& command, const ProcessOptions& options) {
  if (command.empty() || command.front().empty()) throw Error("cannot start a process: the command is empty");
  const std::string& name = command.front();
  if (name.find('/') != std::string::npos) return checked_path(name);

  const auto given = options.environment.find("PATH");
  const char* ours = options.our_environment ? std::getenv("PATH") : nullptr;  // NOLINT(concurrency-mt-unsafe)
  std::string folders = "/usr/local/bin:/usr/bin:/bin";
  if (given != options.environment.end()) {
    folders = given->second;
  } else if (ours != nullptr) {
    folders = ours;
  }
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    const std::string path = absolute((folder.empty() ? "." : folder) + "/" + name);
    if (is_program(path)) return path;
    begin = end + 1;
  }
  throw Error("no such program: " + name + " (looked in $PATH: " + folders +
              "); install it or name it with its folder");
}

std::vector<std::string> environment_of(const ProcessOptions& options) {
  std::vector<std::string> all;
  for (char** each = environ; options.our_environment && each != nullptr && *each != nullptr; ++each) {
    const std::string line = *each;
    if (!options.environment.contains(line.substr(0, line.find('=')))) all.push_back(line);
  }
  for (const auto& [name, value] : options.environment) all.emplace_back(name).append("=").append(value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

void OwnedFd::reset() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

SpawnPlan::SpawnPlan(const std::vector<std::string>& command, const ProcessOptions& options)
    : name_(command.empty() ? "" : command.front()),
      path_(find_program(command, options)),
      directory_(options.directory),
      own_group_(options.own_group),
      arguments_(command),
      environment_(environment_of(options)),
      argv_(pointers(arguments_)),
      envp_(pointers(environment_)) {
  redirect(STDIN_FILENO, options.in);
  redirect(STDOUT_FILENO, options.out);
  redirect(STDERR_FILENO, options.error);
}

void SpawnPlan::redirect(int stream, const Redirect& where) {
  const auto index = static_cast<std::size_t>(stream);
  const bool input = stream == STDIN_FILENO;
  if (where.kind == Redirect::Kind::inherit) return;
  if (where.kind == Redirect::Kind::pipe) {
    auto [out, in] = make_pipe(name_);
    theirs_[index] = std::move(input ? out : in);
    ours_[index] = std::move(input ? in : out);
    ::fcntl(ours_[index].get(), F_SETFL, O_NONBLOCK);
    return;
  }
  const std::string path = where.kind == Redirect::Kind::null ? "/dev/null" : where.path;
  const int flags = O_CLOEXEC | (input ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND);
  OwnedFd file(::open(path.c_str(), flags, 0600));
  if (file.get() < 0) {
    cannot_start(name_, "cannot open " + path + (input ? " for its input: " : " for its output: ") + reason(errno));
  }
  theirs_[index] = above_standard(name_, std::move(file));
}

pid_t SpawnPlan::spawn() {
  auto [report, report_end] = make_pipe(name_);
  const pid_t parent = ::getpid();
  // A handler of ours that ran in the child before exec would write to our memory.
  sigset_t every{};
  sigset_t before{};
  ::sigfillset(&every);
  ::pthread_sigmask(SIG_SETMASK, &every, &before);
  // vfork: an operator with gigabytes of cache must not copy its page tables to ask for a token.
  const pid_t pid = ::vfork();                       // NOLINT(bugprone-*,clang-analyzer-*)
  if (pid == 0) in_child(parent, report_end.get());  // NOLINT(clang-analyzer-*): it only makes system calls
  const int number = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) cannot_start(name_, reason(number) + "; is the limit of processes (ulimit -u) reached?");

  report_end.reset();
  Failure failure;
  ssize_t got = 0;
  do {
    got = ::read(report.get(), &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got != 0) {
    ::waitpid(pid, nullptr, 0);
    fail(failure);
  }
  for (OwnedFd& fd : theirs_) fd.reset();
  return pid;
}

void SpawnPlan::in_child(pid_t parent, int report) const noexcept {
  const auto give_up = [report](int stage) {
    const Failure failure{.stage = stage, .number = errno};
    [[maybe_unused]] const auto written = ::write(report, &failure, sizeof failure);
    ::_exit(127);
  };
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  if (own_group_) ::setpgid(0, 0);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  if (!directory_.empty() && ::chdir(directory_.c_str()) != 0) give_up(kDirectory);
  for (int stream = 0; stream < 3; ++stream) {
    const int fd = theirs_[static_cast<std::size_t>(stream)].get();
    if (fd >= 0 && ::dup2(fd, stream) < 0) give_up(kDescriptors);
  }
  // Whatever others in this program forgot to mark. An old kernel does not know the call; then it stays open.
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::execve(path_.c_str(), argv_.data(), envp_.data());
  give_up(kExec);
  ::_exit(127);
}

void SpawnPlan::fail(const Failure& failure) const {
  if (failure.stage == kDirectory) {
    cannot_start(name_, "its working directory " + directory_ + ": " + reason(failure.number));
  }
  if (failure.stage == kExec && failure.number == ENOENT) {
    cannot_start(name_, path_ + " is there, but its interpreter is not; look at its first line (#!)");
  }
  if (failure.stage == kExec && failure.number == ENOEXEC) {
    cannot_start(name_, path_ + " is no program of this machine; a script needs a first line such as #!/bin/sh");
  }
  cannot_start(name_, path_ + ": " + reason(failure.number));
}

}  // namespace flyball::detail
