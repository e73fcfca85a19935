// KubernetesServer: the real kube-apiserver with its etcd, for one test or one test program, on loopback.
//
//   RealClock clock;
//   testing::KubernetesServer server(clock);                       // ready when this returns; a few seconds
//   client::Config admin = server.config();                        // may do everything
//   client::Config reader = server.config_for("jane", {"readers"});  // RBAC decides
//
// Needs the programs of Kubernetes: those in $KUBEBUILDER_ASSETS, else those that `make kube` has built. Each server
// has its own ports, certificates and directory, so tests may run side by side. Everything is gone when the object is,
// also when the test program is killed: the kernel ends the servers with it, and the next one removes the directory.
//
// Errors: Error with what is missing and what to do, or the end of the log of the program that failed.
//
// Thread-safety: const members may be called from any thread; the rest from one at a time. Lifetime: the clock outlives
// the server.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/config.hpp"
#include "flyball/net/certificate.hpp"

namespace flyball::testing {

// Where the programs are looked for: $KUBEBUILDER_ASSETS, else where `make kube` puts them.
std::string kubernetes_programs();

// Somebody who comes with a token instead of a certificate.
struct TokenUser {
  std::string token;
  std::string name;
  std::vector<std::string> groups = {};
};

struct KubernetesOptions {
  bool controllers = false;  // kube-controller-manager: Deployments make Pods, garbage is collected, namespaces empty
  bool scheduler = false;    // kube-scheduler: Pods are bound to the nodes that exist
  std::vector<std::string> apiserver_flags =
      {};  // the last of two equal ones counts: {"--etcd-compaction-interval=5s"}
  std::vector<std::string> controllers_flags = {};    // for kube-controller-manager
  std::map<std::string, bool> feature_gates = {};     // {{"WatchList", false}}
  std::vector<TokenUser> tokens = {};                 // whom the server knows by bearer token
  std::string programs = kubernetes_programs();       // the directory with kube-apiserver and etcd
  bool keep = false;                                  // leave the directory with logs and data behind
  Duration ready_within = std::chrono::seconds(120);  // 3 s on an idle machine
};

class KubernetesServer {
 public:
  // Starts it and waits until it is ready.
  explicit KubernetesServer(Clock& clock, KubernetesOptions options = {}, const Stop& stop = {});
  ~KubernetesServer();
  KubernetesServer(const KubernetesServer&) = delete;
  KubernetesServer& operator=(const KubernetesServer&) = delete;

  // An administrator (group system:masters), by client certificate.
  client::Config config() const;
  // Anybody else, by client certificate. Nobody needs to be made: who is allowed what is up to RBAC.
  client::Config config_for(const std::string& user, const std::vector<std::string>& groups = {}) const;
  // Whoever the token is, or nobody without: only the server's address and authority.
  client::Config config_without_user() const;

  // The administrator's kubeconfig: a file in directory().
  std::string kubeconfig() const;
  // Writes another one there: <user>.kubeconfig.
  std::string kubeconfig_for(const std::string& user, const std::vector<std::string>& groups = {}) const;

  // Signed the server's certificate and signs its clients'.
  const net::CertificateAuthority& authority() const;
  // Logs (<program>.log), certificates, keys, data.
  const std::string& directory() const;
  net::Url url() const;
  net::Url etcd_url() const;  // its HTTP gateway is below /v3
  // The last lines a program wrote: "kube-apiserver", "etcd", "kube-controller-manager", "kube-scheduler".
  std::string log_tail(const std::string& program, std::size_t lines = 20) const;

  // Ends kube-apiserver without warning; the data stays, and so does the port.
  void kill_apiserver();
  // Starts it again and waits until it is ready.
  void start_apiserver(const Stop& stop = {});
  void restart(const Stop& stop = {});

  // Makes etcd forget every old version of every object: a watch or a list from an old resourceVersion gets "410 Gone".
  // (What kube-apiserver still holds in its own memory it goes on to serve; start it again to forget that too.)
  void compact(const Stop& stop = {});

  // Ends everything and removes the directory; the destructor does it too.
  void stop();

 private:
  class Cluster;
  Cluster& cluster() const;

  std::unique_ptr<Cluster> cluster_;
};

}  // namespace flyball::testing
