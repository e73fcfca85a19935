// flyball run: build the operator and run it here, on a cluster that is there or on one that is started for it.
#include <array>
#include <csignal>
#include <optional>
#include <ostream>

#include "cli/access.hpp"
#include "cli/commands.hpp"
#include "cli/definitions.hpp"
#include "cli/flags.hpp"
#include "cli/patience.hpp"
#include "cli/process.hpp"
#include "cli/project_build.hpp"
#include "cli/source_watch.hpp"
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "flyball/client/load_config.hpp"

namespace flyball::cli {
namespace {

// Signals as a file that can be waited for together with others.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &old_);
    // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): the set comes first
    file_ = ::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK);
    if (file_ < 0) throw Error("cannot wait for signals");
  }
  ~Signals() {
    ::close(file_);
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int file() const { return file_; }
  // Takes what came; true when somebody wants an end.
  bool wants_end() const {
    bool end = false;
    signalfd_siginfo info{};
    while (::read(file_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo != SIGCHLD) end = true;
    }
    return end;
  }

 private:
  sigset_t set_{};
  sigset_t old_{};
  int file_ = -1;
};

client::Client client_of(const std::string& kubeconfig, Clock& clock, Random& random) {
  return client::Client::connect(client::load_config(clock, {.kubeconfig = kubeconfig}), clock, random,
                                 {.timeout = std::chrono::seconds(10)});
}

bool answers(const std::string& kubeconfig, Clock& clock) {
  try {
    Random random = Random::from_os();
    const auto stop = Stop().with_deadline(clock, clock.after(std::chrono::seconds(2)));
    client_of(kubeconfig, clock, random).with(stop).raw({.method = "GET", .target = "/readyz"});
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The operator with all it needs around it, for as long as somebody wants it.
class Runner {
 public:
  Runner(const Given& given, Io& io, Project project) : given_(given), io_(io), project_(std::move(project)) {}

  int run() {
    build_project(project_, io_);
    find_cluster();
    install();
    std::optional<SourceWatch> watch;
    if (given_.on("watch")) watch.emplace(project_.folder);
    start();
    while (true) {
      std::array<pollfd, 2> files{pollfd{.fd = signals_.file(), .events = POLLIN, .revents = 0},
                                  pollfd{.fd = watch ? watch->file() : -1, .events = POLLIN, .revents = 0}};
      ::poll(files.data(), files.size(), -1);
      if (signals_.wants_end()) return end();
      if (cluster_ && cluster_->ended()) throw Error("the cluster that was started for it has ended");
      if (operator_ && operator_->ended()) {
        const int code = *operator_->ended();
        operator_.reset();
        if (!watch) return ended(code);
        io_.err << "flyball run: " << project_.name << " ended with " << code
                << "; it starts again with the next change" << std::endl;
      }
      if (watch && files[1].revents != 0) again(watch->drain());
    }
  }

 private:
  void find_cluster() {
    kubeconfig_ =
        given_.text("kubeconfig").empty() ? io_.variable("KUBECONFIG") : io_.path(given_.text("kubeconfig")).string();
    if (!kubeconfig_.empty()) return;
    const std::string of_dev = dev_kubeconfig(io_).string();
    if (!of_dev.empty() && answers(of_dev, clock_)) {
      kubeconfig_ = of_dev;
      return;
    }
    start_cluster();
  }

  void start_cluster() {
    kubeconfig_ = (project_.folder / ".flyball/kubeconfig").string();
    std::error_code none;
    std::filesystem::remove(kubeconfig_, none);
    Words words{this_program().string(), "dev", "--quiet", "--port", given_.text("port"), "--kubeconfig", kubeconfig_};
    if (given_.has("node")) words.insert(words.end(), {"--node", given_.text("node")});
    cluster_.emplace(words, ProcessOptions{.folder = project_.folder, .quiet_output = true, .own_group = true});
    const bool up = wait_until(clock_, std::chrono::seconds(30), [&] {
      if (cluster_->ended()) throw Error("the cluster did not start; its words stand above");
      return std::filesystem::exists(kubeconfig_) && answers(kubeconfig_, clock_);
    });
    if (!up) throw Error("the cluster did not answer within 30 s");
    io_.err << "flyball run: a cluster was started for it; in another terminal:\n\n    export KUBECONFIG="
            << kubeconfig_ << "\n"
            << std::endl;
  }

  void install() {
    if (given_.on("no-install")) return;
    Random random = Random::from_os();
    const auto client = client_of(kubeconfig_, clock_, random);
    install_definitions(client, clock_, documents_of(project_, {"crd"}), io_.err);
  }

  void start() {
    Words words{project_.binary().string(), "run"};
    if (!given_.text("context").empty()) words.insert(words.end(), {"--context", given_.text("context")});
    words.insert(words.end(), given_.arguments().begin(), given_.arguments().end());
    operator_.emplace(words, ProcessOptions{.variables = {{"KUBECONFIG", kubeconfig_}}, .own_group = true});
  }

  // The old one runs on while the new one is built: code that does not compile stops nothing.
  void again(const std::string& changed) {
    if (changed.empty()) return;
    io_.err << "flyball run: " << changed << " changed" << std::endl;
    try {
      build_project(project_, io_);
      if (operator_) operator_->stop();
      operator_.reset();
      install();
    } catch (const Error& error) {
      io_.err << "flyball run: " << error.what() << std::endl;
      if (operator_) return;
    }
    start();
  }

  int end() {
    if (operator_) operator_->stop();
    if (cluster_) cluster_->stop();
    return kOk;
  }

  int ended(int code) {
    if (code == 0) return kOk;
    throw Error(project_.name + " ended with exit code " + std::to_string(code) + "; its words stand above");
  }

  const Given& given_;
  Io& io_;
  const Project project_;
  Signals signals_;
  RealClock clock_;
  std::string kubeconfig_;
  std::optional<Child> cluster_;
  std::optional<Child> operator_;
};

int run_project(const Given& given, Io& io) { return Runner(given, io, Project::find(io)).run(); }

}  // namespace

Command run_project_command() {
  return {.name = "run",
          .topic = Topic::project,
          .summary = "build the operator and run it here, on a cluster that is there or started for it",
          .about =
              "The cluster is that of --kubeconfig or $KUBECONFIG; else the `flyball dev` that runs here; else one is\n"
              "started for as long as the operator runs. ~/.kube/config is not looked at: what is tried out here\n"
              "does not end up in production. The definitions of the kinds are installed first. Ctrl-C ends it all.",
          .arguments = "[-- FLAGS OF THE OPERATOR]",
          .most_arguments = 100,
          .flags = {{.name = "watch", .letter = 'w', .help = "build and start it again when a source file changes"},
                    {.name = "kubeconfig", .value = "FILE", .help = "which cluster"},
                    {.name = "context", .value = "NAME", .help = "which context of the kubeconfig"},
                    {.name = "port", .value = "N", .help = "of the cluster that is started", .fallback = "0"},
                    {.name = "node",
                     .value = "KIND",
                     .help = "how pods run in the cluster that is started",
                     .choices = {"best", "processes", "loopback", "status", "none"}},
                    {.name = "no-install", .help = "leave the definitions as they are"}},
          .examples = {{"flyball run --watch", "edit, save, look"},
                       {"KUBECONFIG=~/.kube/config flyball run", "on your own cluster"},
                       {"flyball run -- --log-level=debug", "flags behind -- are the operator's"}},
          .run = run_project};
}

}  // namespace flyball::cli
