#include "flyball/apiserver/server.hpp"

#include <algorithm>
#include <utility>

#include <sys/resource.h>

#include "flyball/apiserver/http_front.hpp"
#include "flyball/apiserver/sqlite_journal.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/net/certificate.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::uint16_t kUsualPort = 6443;
constexpr std::size_t kMostConnections = 20'000;
// For all the rest of the process: a reserve.
constexpr std::size_t kOtherFiles = 200;

std::size_t connections_of(const ServerOptions& options) {
  if (options.connections != 0) return options.connections;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return kMostConnections;
  const auto open = static_cast<std::size_t>(files.rlim_cur);
  if (open <= 2 * kOtherFiles) return kOtherFiles / 2;
  // Each is one file, and a second one while its client is slow to take what is written. Not all are slow at once.
  return std::min((open - kOtherFiles) / 4 * 3, kMostConnections);
}

std::unique_ptr<SqliteJournal> journal_in(const std::string& folder) {
  return folder.empty() ? nullptr : std::make_unique<SqliteJournal>(folder);
}

// The server is called by its Service, too: pods look for it at the first address of the range.
std::vector<std::string> names_of(const ServerOptions& options) {
  const std::string& range = options.engine.service_range;
  std::vector<std::string> names{"localhost",
                                 options.address,
                                 "127.0.0.1",
                                 "kubernetes",
                                 "kubernetes.default",
                                 "kubernetes.default.svc",
                                 "kubernetes.default.svc.cluster.local",
                                 range.substr(0, range.find_last_of('.')) + ".1"};
  names.insert(names.end(), options.names.begin(), options.names.end());
  return names;
}

EngineOptions engine_options(const ServerOptions& options, const std::string& authority) {
  EngineOptions engine = options.engine;
  engine.rbac = true;  // anybody may knock
  if (engine.root_ca.empty()) engine.root_ca = authority;
  if (engine.address.empty()) {
    engine.address = options.address + ":" + std::to_string(options.port == 0 ? kUsualPort : options.port);
  }
  return engine;
}

}  // namespace

struct Server::Parts {
  Parts(Clock& the_clock, const ServerOptions& options)
      : clock(the_clock),
        authority(net::CertificateAuthority::make({.common_name = "flyball dev", .from = clock.wall_now()})),
        admin(authority.issue(
            {.common_name = "admin", .organizations = {"system:masters"}, .from = clock.wall_now(), .server = false})),
        random(options.seed == 0 ? Random::os_seed() : options.seed),
        // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the unique_ptr owns it
        journal(journal_in(options.data_dir)),
        store(clock, journal.get()) {
    if (journal != nullptr) journal->replay(store);
    engine = std::make_unique<Engine>(clock, random, store, engine_options(options, authority.certificate()));
    net::HttpServerOptions http{.address = options.address,
                                .port = options.port,
                                .connections = connections_of(options),
                                .log = options.engine.log};
    http.tls = tls_options(options);
    front = std::make_unique<HttpFront>(clock, *engine, std::move(http));
  }

  net::TlsServerOptions tls_options(const ServerOptions& options) const {
    net::TlsServerOptions tls{.client_ca = authority.certificate() + options.client_ca, .log = options.engine.log};
    if (!options.certificate_file.empty()) {
      tls.certificate_file = options.certificate_file;
      tls.key_file = options.key_file;
      return tls;
    }
    const net::KeyPair own =
        authority.issue({.common_name = "flyball", .names = names_of(options), .from = clock.wall_now()});
    tls.certificate = own.certificate;
    tls.key = own.key;
    return tls;
  }

  Clock& clock;
  const net::CertificateAuthority authority;
  const net::KeyPair admin;
  Random random;
  const std::unique_ptr<SqliteJournal> journal;
  Store store;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<HttpFront> front;
};

Server::Server(Clock& clock, const ServerOptions& options) : parts_(std::make_unique<Parts>(clock, options)) {}
Server::~Server() = default;

void Server::also_listen(int socket) {
  parts_->front->also_listen(std::make_unique<net::Listener>(parts_->clock, socket));
}

std::string Server::url() const { return parts_->front->url(); }
std::uint16_t Server::port() const noexcept { return parts_->front->port(); }
Engine& Server::engine() noexcept { return *parts_->engine; }
Store& Server::store() noexcept { return parts_->store; }
void Server::stop(TimePoint deadline) { parts_->front->stop(deadline); }

client::Config Server::config() const {
  client::Config config{.server = net::Url::parse(url())};
  config.tls.ca = parts_->authority.certificate();
  config.tls.certificate = parts_->admin.certificate;
  config.tls.key = parts_->admin.key;
  config.source = "the embedded API server at " + url();
  return config;
}

std::string Server::kubeconfig() const {
  const auto encoded = [](std::string_view text) { return kube::to_base64(text); };
  return "apiVersion: v1\n"
         "kind: Config\n"
         "clusters:\n"
         "- name: flyball\n"
         "  cluster:\n"
         "    server: " +
         url() +
         "\n"
         "    certificate-authority-data: " +
         encoded(parts_->authority.certificate()) +
         "\n"
         "users:\n"
         "- name: admin\n"
         "  user:\n"
         "    client-certificate-data: " +
         encoded(parts_->admin.certificate) +
         "\n"
         "    client-key-data: " +
         encoded(parts_->admin.key.reveal()) +
         "\n"
         "contexts:\n"
         "- name: flyball\n"
         "  context: {cluster: flyball, user: admin, namespace: default}\n"
         "current-context: flyball\n";
}

}  // namespace flyball::apiserver
