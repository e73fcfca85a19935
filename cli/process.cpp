#include "cli/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flyball/base/error.hpp"

namespace flyball::cli {
namespace {

constexpr int kNotFound = 127;
enum class Streams : unsigned char { ours, both_captured, output_captured };

[[noreturn]] void fail(const std::string& what) {
  throw Error(what + ": " + std::error_code(errno, std::generic_category()).message());
}

std::vector<char*> pointers(Words& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

Words environment(const std::map<std::string, std::string>& extra) {
  Words all;
  for (char** variable = ::environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (!extra.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : extra) all.emplace_back(name).append("=").append(value);
  return all;
}

struct Prepared {
  Words words;
  Words variables;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::string folder;
  int output = -1;
  Streams streams = Streams::ours;
  bool quiet_output = false;
  bool own_group = false;
  int parent = 0;
};

// In the child: only what is allowed between fork and exec.
[[noreturn]] void become(const Prepared& what) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != what.parent) ::_exit(kNotFound);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // NOLINT(concurrency-mt-unsafe): the child has one thread
  if (what.own_group) ::setpgid(0, 0);
  const int sink = what.output >= 0 ? what.output : what.quiet_output ? ::open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  if (sink >= 0) ::dup2(sink, STDOUT_FILENO);
  if (sink >= 0 && what.streams == Streams::both_captured) ::dup2(sink, STDERR_FILENO);
  if (!what.folder.empty() && ::chdir(what.folder.c_str()) != 0) ::_exit(kNotFound);
  ::execvpe(what.arguments[0], what.arguments.data(), what.environment.data());
  ::_exit(kNotFound);
}

int spawn(const Words& words, const ProcessOptions& options, int output, Streams streams) {
  Prepared what{.words = words,
                .variables = environment(options.variables),
                .arguments = {},
                .environment = {},
                .folder = options.folder.string(),
                .output = output,
                .streams = streams,
                .quiet_output = options.quiet_output,
                .own_group = options.own_group,
                .parent = ::getpid()};
  what.arguments = pointers(what.words);
  what.environment = pointers(what.variables);
  const int pid = ::fork();
  if (pid < 0) fail("cannot start " + words.front());
  if (pid == 0) become(what);
  return pid;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for a process");
  }
  return code_of(status);
}

Ran captured(const Words& words, const ProcessOptions& options, Streams streams) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  const int pid = spawn(words, options, pipe[1], streams);
  ::close(pipe[1]);
  Ran ran;
  std::array<char, 4096> bytes{};
  while (true) {
    const ssize_t count = ::read(pipe[0], bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    ran.output.append(bytes.data(), static_cast<std::size_t>(count));
  }
  ::close(pipe[0]);
  ran.code = wait_for(pid);
  ran.found = ran.code != kNotFound || !find_program(words.front()).empty();
  return ran;
}

}  // namespace

Ran run_program(const Words& words, const ProcessOptions& options) {
  return captured(words, options, Streams::both_captured);
}

Ran run_for_output(const Words& words, const ProcessOptions& options) {
  return captured(words, options, Streams::output_captured);
}

int run_in_front(const Words& words, const ProcessOptions& options) {
  return wait_for(spawn(words, options, -1, Streams::ours));
}

Child::Child(const Words& words, const ProcessOptions& options) : pid_(spawn(words, options, -1, Streams::ours)) {}

Child::~Child() {
  if (!code_) stop(std::chrono::seconds(5));
}

std::optional<int> Child::ended() {
  int status = 0;
  if (!code_ && ::waitpid(pid_, &status, WNOHANG) == pid_) code_ = code_of(status);
  return code_;
}

int Child::wait() {
  if (!code_) code_ = wait_for(pid_);
  return *code_;
}

int Child::stop(std::chrono::seconds patience) {
  if (ended()) return *code_;
  ::kill(pid_, SIGTERM);
  const int file = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  pollfd gone{.fd = file, .events = POLLIN, .revents = 0};
  const int ready = file < 0 ? 0 : ::poll(&gone, 1, static_cast<int>(patience.count()) * 1000);
  if (file >= 0) ::close(file);
  if (ready <= 0) ::kill(pid_, SIGKILL);
  return wait();
}

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  std::istringstream folders(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / name;
    if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file;
  }
  return {};
}

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path source_tree() {
  const auto root = this_program().parent_path().parent_path().parent_path();  // of build/bin/flyball
  return std::filesystem::exists(root / "flyball/flyball.hpp") ? root : std::filesystem::path();
}

}  // namespace flyball::cli
