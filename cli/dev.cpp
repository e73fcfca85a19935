#include "dev.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>

#include <sys/resource.h>
#include <sys/stat.h>

#include "flyball/apiserver/server.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"

namespace flyball::cli {
namespace {

constexpr std::string_view kHelp = R"(flyball dev: a Kubernetes API server on this machine

Usage: flyball dev [flags]

  --port N             where it listens on 127.0.0.1 (default: 6443; 0: any free port)
  --data-dir DIR       keep everything there, for the next time (default: in memory)
  --kubeconfig FILE    where the kubeconfig for kubectl goes (default: .flyball/kubeconfig)
  --bare               namespaces begin empty, as in envtest: no default ServiceAccount, no root CA
  --quiet              print nothing but the kubeconfig's path
  --help               this text

It speaks the API of Kubernetes v1.36, custom resources included, and stores what you apply. It is made for
development and tests, not for production: whoever can read the kubeconfig may do everything.
)";

struct Flags {
  std::uint16_t port = 6443;
  std::string data_dir = {};
  std::string kubeconfig = ".flyball/kubeconfig";
  bool bare = false;
  bool quiet = false;
  bool help = false;
};

std::uint16_t port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error("--port: expected a number from 0 to 65535, found \"" + std::string(text) + "\"");
  }
  return port;
}

Flags parse(const std::vector<std::string_view>& arguments) {
  Flags flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view name = arguments[i];
    std::string_view value;
    const std::size_t equals = name.find('=');
    const bool joined = equals != std::string_view::npos;
    if (joined) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    }
    if (name == "--quiet") {
      flags.quiet = true;
      continue;
    }
    if (name == "--bare") {
      flags.bare = true;
      continue;
    }
    if (name == "--help" || name == "-h") {
      flags.help = true;
      continue;
    }
    if (!name.starts_with('-')) {
      throw Error("it takes flags only, found \"" + std::string(arguments[i]) + "\"; `flyball dev --help` lists them");
    }
    if (name != "--port" && name != "--data-dir" && name != "--kubeconfig") {
      throw Error("there is no flag \"" + std::string(name) + "\"; `flyball dev --help` lists them");
    }
    if (!joined) {
      if (++i == arguments.size()) throw Error(std::string(name) + " needs a value");
      value = arguments[i];
    }
    if (name == "--port") flags.port = port_of(value);
    if (name == "--data-dir") flags.data_dir = value;
    if (name == "--kubeconfig") flags.kubeconfig = value;
  }
  return flags;
}

// Each client takes a file or two, and shells give few by default.
void allow_many_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, const std::string& why) {
  throw Error("cannot write the kubeconfig to " + (path.empty() ? "\"\"" : path.string()) + ": " + why +
              "; name another file with --kubeconfig");
}

// Nobody else may read it, also when it was there before: it holds a key.
void write_private(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) cannot_write(path, path.parent_path().string() + ": " + error.message());
  const mode_t old = ::umask(0077);
  std::ofstream file(path, std::ios::trunc);
  const std::error_code opened(errno, std::generic_category());
  ::umask(old);
  if (!file) cannot_write(path, opened.message());
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
  file << text;
  file.close();
  if (!file || error) cannot_write(path, error ? error.message() : "the disk may be full");
}

void greet(const apiserver::Server& server, const Flags& flags) {
  const std::string path = std::filesystem::absolute(flags.kubeconfig).string();
  if (flags.quiet) {
    std::cout << path << std::endl;
    return;
  }
  std::cout << "\n  A Kubernetes API server (v1.36) is running.\n\n"
            << "    address      " << server.url() << "\n"
            << "    kubeconfig   " << path << "\n"
            << "    data         " << (flags.data_dir.empty() ? "in memory; gone when it stops" : flags.data_dir)
            << "\n\n"
            << "  Try it:\n\n"
            << "    export KUBECONFIG=" << path << "\n"
            << "    kubectl create configmap hello --from-literal=from=flyball\n"
            << "    kubectl get configmaps\n\n"
            << "  For development and tests. Ctrl-C stops it.\n"
            << std::endl;
}

}  // namespace

int dev(const std::vector<std::string_view>& arguments) {
  const Flags flags = parse(arguments);
  if (flags.help) {
    std::cout << kHelp;
    return 0;
  }
  // Before any thread exists, so that none of them is interrupted.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  allow_many_files();
  RealClock clock;
  apiserver::ServerOptions options{.port = flags.port, .data_dir = flags.data_dir};
  options.engine.namespace_defaults = !flags.bare;
  apiserver::Server server(clock, options);
  write_private(flags.kubeconfig, server.kubeconfig());
  greet(server, flags);
  int signal = 0;
  sigwait(&signals, &signal);
  if (!flags.quiet) std::cout << "  Stopping." << std::endl;
  server.stop(clock.after(std::chrono::seconds(2)));
  return 0;
}

}  // namespace flyball::cli
