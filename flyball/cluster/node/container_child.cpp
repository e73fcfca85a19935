#include "flyball/cluster/node/container_child.hpp"

#include <charconv>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "flyball/apiserver/auth/service_account.hpp"
#include "flyball/cluster/node/container_root.hpp"
#include "flyball/cluster/node/namespaces.hpp"
#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {
namespace {

constexpr unsigned kNobody = 65534;

struct Identity {
  unsigned user = 0;
  unsigned group = 0;
  std::string home = "/";
};

// A number, or a name of this machine; a name that it does not have is nobody.
Identity identity_of(const ContainerRequest& request) {
  Identity who;
  const std::string& user = request.user;
  unsigned id = 0;
  const auto [end, error] = std::from_chars(user.data(), user.data() + user.size(), id);
  const bool numeric = !user.empty() && error == std::errc() && end == user.data() + user.size();
  const passwd* known = nullptr;
  if (!user.empty() && !numeric) known = ::getpwnam(user.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
  if (numeric) {
    known = ::getpwuid(id);  // NOLINT(concurrency-mt-unsafe): one thread
    who.user = id;
    who.group = known != nullptr ? known->pw_gid : id;
  } else if (!user.empty()) {
    who.user = known != nullptr ? known->pw_uid : kNobody;
    who.group = known != nullptr ? known->pw_gid : kNobody;
  }
  if (user.empty()) who.home = "/root";
  if (request.group) who.group = static_cast<unsigned>(*request.group);
  return who;
}

// False where root is not allowed to: one of a container that has no other users.
bool become_really(const Identity& who) {
  if (::setgroups(0, nullptr) != 0 && errno != EPERM) return false;
  return ::setgid(who.group) == 0 && ::setuid(who.user) == 0;
}

void become(const SandboxSetup& setup, const Identity& who) {
  if (who.user == 0 && who.group == 0) return;
  if (setup.root && become_really(who)) return;
  // We are one user, whatever we do. In a user namespace it has the number that is asked for.
  if (setup.isolated) become_inside(who.user, who.group);
}

void redirect(const ChildStreams& streams) {
  ::setsid();
  const int null = check(::open("/dev/null", O_RDWR | O_CLOEXEC), "open /dev/null");
  if (streams.tty) check(::ioctl(streams.in, TIOCSCTTY, 0), "get a terminal");
  check(::dup2(streams.in >= 0 ? streams.in : null, STDIN_FILENO), "set its input");
  check(::dup2(streams.out >= 0 ? streams.out : null, STDOUT_FILENO), "set its output");
  check(::dup2(streams.error >= 0 ? streams.error : null, STDERR_FILENO), "set its output");
}

// So that it can be opened once more, by its name.
void own_terminal(const ChildStreams& streams, const Identity& who) {
  if (!streams.tty) return;
  [[maybe_unused]] const int given = ::fchown(STDIN_FILENO, who.user, static_cast<gid_t>(-1));
}

[[noreturn]] void run(const ContainerRequest& request, const Identity& who, bool tty) {
  if (::chdir(request.working_dir.c_str()) != 0) {
    std::error_code none;
    std::filesystem::create_directories(request.working_dir, none);
    check(::chdir(request.working_dir.c_str()), "enter the working directory " + request.working_dir);
  }
  // When the sandbox is killed, this is too; also where there is no process namespace to see to it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // NOLINT(concurrency-mt-unsafe): there is one thread
  std::vector<std::string> env;
  for (const auto& [name, value] : request.env) env.emplace_back(name).append("=").append(value);
  if (tty && !request.env.contains("TERM")) env.emplace_back("TERM=xterm");
  if (!request.env.contains("HOME")) env.push_back("HOME=" + who.home);
  std::vector<char*> envp;
  envp.reserve(env.size() + 1);
  for (std::string& each : env) envp.push_back(each.data());
  envp.push_back(nullptr);
  std::vector<std::string> words = request.command;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& each : words) argv.push_back(each.data());
  argv.push_back(nullptr);
  // A name without a slash is looked for in the container's PATH.
  const auto path = request.env.find("PATH");
  ::setenv("PATH", path == request.env.end() ? "/usr/bin:/bin" : path->second.c_str(), 1);  // NOLINT(concurrency-*)
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execvpe(argv[0], argv.data(), envp.data());
  if (errno == ENOENT) {
    throw Error("exec: \"" + request.command.front() + "\": executable file not found in $PATH");
  }
  throw Error("exec: \"" + request.command.front() + "\": " + std::generic_category().message(errno));
}

ContainerRequest in_machine(ContainerRequest request) {
  std::string& program = request.command.front();
  if (program.starts_with('/')) program.insert(0, request.root);
  request.working_dir = request.root + request.working_dir;
  return request;
}

}  // namespace

// Every pod has the one with its token; who has no use for it need not go without the rest.
void refuse_volumes(const std::vector<Mount>& mounts) {
  for (const Mount& mount : mounts) {
    if (mount.target == apiserver::kTokenFolder) continue;
    throw Error("volumes need namespaces, which this machine does not allow: " + mount.target);
  }
}

void become_container(const SandboxSetup& setup, const ContainerRequest& request, const ChildStreams& streams) {
  redirect(streams);
  if (setup.isolated && !request.root.empty()) {
    enter_image_root(request.root, setup.scratch, request.mounts);
  } else if (setup.isolated) {
    enter_container_root(setup.scratch, request.mounts);
  } else {
    refuse_volumes(request.mounts);
  }
  const Identity who = identity_of(request);
  own_terminal(streams, who);
  become(setup, who);
  // Without namespaces the image's program runs among the machine's files: enough for one that is linked statically.
  const bool among = !setup.isolated && !request.root.empty();
  run(among ? in_machine(request) : request, who, streams.tty);
}

void join_container(const SandboxSetup& setup, int process, const ContainerRequest& request,
                    const ChildStreams& streams) {
  const Identity who = identity_of(request);
  redirect(streams);
  own_terminal(streams, who);
  if (setup.isolated) {
    const int fd = static_cast<int>(check(::syscall(SYS_pidfd_open, process, 0), "find the container's process"));
    // A container that is a user of a namespace of its own has to be joined there, too; others have none.
    if (setup.root || ::setns(fd, CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      check(::setns(fd, CLONE_NEWNS), "join the container");
    }
  }
  if (setup.root) become(setup, who);
  run(request, who, streams.tty);
}

}  // namespace flyball::cluster::node
