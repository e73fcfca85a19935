// flyball dev: a small Kubernetes in the foreground: API server, controllers and a node, until Ctrl-C.
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/dev_flags.hpp"
#include "cli/flags.hpp"
#include "cli/foreground.hpp"
#include "cli/image_store.hpp"
#include "cli/package_installer.hpp"
#include <sys/stat.h>
#include <unistd.h>

#include "flyball/apiserver/server.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/log.hpp"
#include "flyball/cluster/cluster.hpp"

namespace flyball::cli {
namespace {

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

// Where the node keeps its files: with the data, or for as long as it runs.
class NodeFolder {
 public:
  explicit NodeFolder(const std::string& data_dir) : temporary_(data_dir.empty()) {
    path_ = temporary_ ? std::filesystem::temp_directory_path() / ("flyball-" + std::to_string(::getpid()))
                       : std::filesystem::absolute(data_dir) / "node";
    std::filesystem::create_directories(path_);
    // Programs of other users find their way to their own files, and see nobody else's names.
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all | std::filesystem::perms::group_exec |
                                            std::filesystem::perms::others_exec);
  }
  ~NodeFolder() {
    std::error_code none;
    if (temporary_) std::filesystem::remove_all(path_, none);
  }
  NodeFolder(const NodeFolder&) = delete;
  NodeFolder& operator=(const NodeFolder&) = delete;

  std::string path() const { return path_.string(); }

 private:
  const bool temporary_;
  std::filesystem::path path_;
};

cluster::node::ImageTable images_of(Clock& clock, const DevFlags& flags) {
  auto images = cluster::node::ImageTable::usual();
  const std::string file = flags.images_file.empty() ? "images.yaml" : flags.images_file;
  if (!flags.images_file.empty() || std::filesystem::exists(file)) {
    std::ifstream in(file);
    if (!in) throw Error("cannot read " + file + "; name another file with --images");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    images.add_yaml(text, std::filesystem::path(file).parent_path().string());
  }
  for (const auto& [name, path] : flags.images) {
    if (path.starts_with("oci:")) {
      images.map(name, {.oci = std::filesystem::absolute(path.substr(4)).string()});
      continue;
    }
    const bool has_folder = path.find('/') != std::string::npos;
    images.map(name, {.entrypoint = {has_folder ? std::filesystem::absolute(path).string() : path}});
  }
  if (flags.install_images) {
    images.set_installer([installer = std::make_shared<PackageInstaller>(clock)](const std::string& package) {
      installer->install(package);
    });
  }
  return images;
}

void greet(std::ostream& out, const apiserver::Server& server, const DevFlags& flags, const std::string& node) {
  const std::string path = std::filesystem::absolute(flags.kubeconfig).string();
  if (flags.quiet) {
    out << path << std::endl;
    return;
  }
  out << (flags.bare ? "\n  A Kubernetes API server (v1.36) is running.\n\n"
                     : "\n  A small Kubernetes (v1.36) is running.\n\n")
      << "    address      " << server.url() << "\n"
      << "    kubeconfig   " << path << "\n"
      << "    data         " << (flags.data_dir.empty() ? "in memory; gone when it stops" : flags.data_dir) << "\n"
      << "    node         " << node << "\n\n"
      << "  Try it:\n\n"
      << "    export KUBECONFIG=" << path << "\n"
      << "    kubectl create configmap hello --from-literal=from=flyball\n"
      << "    kubectl get configmaps\n\n"
      << "  For development and tests. Ctrl-C stops it.\n"
      << std::endl;
}

int dev(const Given& given, Io& io) {
  const DevFlags flags = dev_flags_of(given);
  const EndSignals signals;
  allow_many_files();
  RealClock clock;
  StderrSink sink;
  const char* levels = std::getenv("FLYBALL_LOG");  // NOLINT(concurrency-mt-unsafe): there is one thread
  const Logger log(
      std::make_shared<LogCore>(clock, sink, LogCore::Options{.levels = levels == nullptr ? "error" : levels}),
      "cluster");
  auto images = images_of(clock, flags);
  apiserver::ServerOptions options{.port = flags.port, .data_dir = flags.data_dir};
  options.engine.namespace_defaults = !flags.bare;
  options.engine.service_accounts = !flags.bare;
  options.engine.quota_status = !flags.bare;
  apiserver::Server server(clock, options);
  write_private(flags.kubeconfig, server.kubeconfig());
  std::optional<NodeFolder> folder;
  std::optional<cluster::Cluster> cluster;
  if (!flags.bare) {
    folder.emplace(flags.data_dir);
    images.add_store(std::filesystem::absolute(kImageStore).string(), folder->path() + "/images");
    cluster.emplace(clock, server.engine(),
                    cluster::ClusterOptions{.node = flags.node,
                                            .images = images,
                                            .folder = folder->path(),
                                            .root_ca = server.config().tls.ca,
                                            .api_port = server.port(),
                                            .log = log});
    if (const int socket = cluster->api_socket(); socket >= 0) server.also_listen(socket);
  }
  greet(io.out, server, flags, cluster ? cluster->node_text() : "none: --bare");
  signals.wait();
  if (!flags.quiet) io.out << "  Stopping." << std::endl;
  // First those who ask: a log that is followed needs its pod.
  server.stop(clock.after(std::chrono::seconds(2)));
  cluster.reset();
  return kOk;
}

}  // namespace

Command dev_command() {
  return {.name = "dev",
          .topic = Topic::cluster,
          .summary = "a small Kubernetes on this machine, for kubectl, operators and tests",
          .about =
              "It speaks the API of Kubernetes v1.36, custom resources included. Pods run as processes of this\n"
              "machine, and the image memcached:1.6 is the memcached that is installed. It is made for\n"
              "development and tests, not for production: whoever can read the kubeconfig may do everything.",
          .flags = dev_flags(),
          .examples = {{"flyball dev", "in one terminal; in others: export KUBECONFIG=.flyball/kubeconfig"},
                       {"flyball dev --data-dir .flyball/data", "what was there is there again the next time"},
                       {"flyball dev --image shop/web=./build/web", "pods of that image run that program"}},
          .run = dev};
}

}  // namespace flyball::cli
