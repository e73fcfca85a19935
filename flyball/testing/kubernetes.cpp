#include "flyball/testing/kubernetes.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <utility>

#include "flyball/base/condition.hpp"
#include "flyball/base/process.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/testing/detail/scratch.hpp"

namespace flyball::testing {
namespace {

using namespace std::chrono_literals;

// As in tools/kube/go.mod: a test compares them.
constexpr const char* kBuiltVersions = "v1.36.3-etcd-3.6.8";
constexpr const char* kApiserver = "kube-apiserver";
constexpr const char* kEtcd = "etcd";
constexpr const char* kControllers = "kube-controller-manager";
constexpr const char* kScheduler = "kube-scheduler";
constexpr Duration kLookAgain = 50ms;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

}  // namespace

std::string kubernetes_programs() {
  std::string given = environment("KUBEBUILDER_ASSETS");
  if (!given.empty()) return given;
  const std::string cache = environment("XDG_CACHE_HOME");
  return (cache.empty() ? environment("HOME") + "/.cache" : cache) + "/flyball/kube/" + kBuiltVersions + "/bin";
}

class KubernetesServer::Cluster {
 public:
  Cluster(Clock& clock, KubernetesOptions options, const Stop& stop)
      : clock_(clock),
        options_(std::move(options)),
        scratch_(options_.keep),
        authority_(net::CertificateAuthority::make({.common_name = "flyball-test-ca", .from = clock.wall_now()})) {
    const Stop soon = stop.with_deadline(clock_, clock_.after(options_.ready_within));
    start(kEtcd, etcd_flags());
    write_identities();
    wait_for(kEtcd, etcd_url(), "/health", soon);
    start_apiserver(soon);
    if (options_.controllers) start(kControllers, controllers_flags());
    if (options_.scheduler) start(kScheduler, scheduler_flags());
    if (options_.controllers) wait_for(kControllers, url(), "/api/v1/namespaces/default/serviceaccounts/default", soon);
  }

  // Hard, and the servers first: nothing is worth the second that etcd takes to say goodbye.
  ~Cluster() {
    running_.erase(kScheduler);
    running_.erase(kControllers);
    running_.erase(kApiserver);
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  void kill_apiserver() { running_.erase(kApiserver); }
  void start_apiserver(const Stop& stop) {
    if (running_.contains(kApiserver)) return;
    const Stop soon = stop.with_deadline(clock_, clock_.after(options_.ready_within));
    start(kApiserver, apiserver_flags());
    wait_for(kApiserver, url(), "/readyz", soon);
    wait_for(kApiserver, url(), "/api/v1/namespaces/default", soon);
  }

  void compact(const Stop& stop) {
    net::HttpClient http(clock_);
    const std::string now = post_to_etcd(http, "/v3/kv/range", R"({"key":"AA=="})", stop);
    const std::string mark = "\"revision\":\"";
    const std::size_t begin = now.find(mark) + mark.size();
    const std::string revision = now.substr(begin, now.find('"', begin) - begin);
    post_to_etcd(http, "/v3/kv/compaction", R"({"physical":true,"revision":")" + revision + "\"}", stop);
  }

  const net::KeyPair& admin() const noexcept { return admin_; }

  client::Config config(const net::KeyPair* user) const {
    client::Config config{.server = url(), .tls = {.ca = authority_.certificate()}};
    config.source = "the test server in " + scratch_.path();
    if (user == nullptr) return config;
    config.tls.certificate = user->certificate;
    config.tls.key = user->key;
    return config;
  }

  net::KeyPair certificate(const std::string& user, const std::vector<std::string>& groups) const {
    return authority_.issue(
        {.common_name = user, .organizations = groups, .from = clock_.wall_now(), .server = false, .client = true});
  }

  std::string kubeconfig(const std::string& user, const std::vector<std::string>& groups) const {
    const net::KeyPair pair = certificate(user, groups);
    std::string name = user;
    std::replace(name.begin(), name.end(), '/', '_');
    const std::string certificate_file = scratch_.write(name + ".crt", pair.certificate);
    const std::string key_file = scratch_.write(name + ".key", pair.key.reveal());
    std::string text = "apiVersion: v1\nkind: Config\ncurrent-context: test\n";
    text += "contexts:\n- {name: test, context: {cluster: test, user: \"" + user + "\"}}\n";
    text += "clusters:\n- name: test\n  cluster:\n    server: " + url().origin() + "\n";
    text += "    certificate-authority: \"" + scratch_.file("ca.crt") + "\"\n";
    text += "users:\n- name: \"" + user + "\"\n  user:\n    client-certificate: \"" + certificate_file + "\"\n";
    text += "    client-key: \"" + key_file + "\"\n";
    return scratch_.write(name + ".kubeconfig", text);
  }

  std::string log_tail(const std::string& program, std::size_t count) const {
    std::ifstream log(scratch_.file(program + ".log"));
    std::deque<std::string> lines;
    for (std::string line; std::getline(log, line);) {
      lines.push_back(line);
      if (lines.size() > count) lines.pop_front();
    }
    return joined({lines.begin(), lines.end()}, "\n");
  }

  const std::string& directory() const noexcept { return scratch_.path(); }
  const net::CertificateAuthority& authority() const noexcept { return authority_; }
  net::Url url() const { return {.scheme = "https", .host = "127.0.0.1", .port = port_.number()}; }
  net::Url etcd_url() const { return {.scheme = "http", .host = "127.0.0.1", .port = etcd_port_.number()}; }

 private:
  void start(const char* name, std::vector<std::string> flags) {
    const std::string program = options_.programs + "/" + name;
    if (!std::filesystem::exists(program)) {
      throw Error("there is no program " + program +
                  (environment("KUBEBUILDER_ASSETS").empty()
                       ? ". Build the real Kubernetes once with: make kube"
                       : ". KUBEBUILDER_ASSETS names this directory: put the program "
                         "there, or unset it and run: make kube"));
    }
    flags.insert(flags.begin(), program);
    const Redirect log = Redirect::to_file(scratch_.file(std::string(name) + ".log"));
    running_[name] = std::make_unique<Process>(clock_, std::move(flags),
                                               ProcessOptions{.directory = scratch_.path(), .out = log, .error = log});
  }

  // As kubernetes.io tells administrators to make them, but for one key of each.
  void write_identities() {
    scratch_.write("ca.crt", authority_.certificate());
    scratch_.write("ca.key", authority_.pair().key.reveal());
    const net::KeyPair server = authority_.issue(
        {.common_name = kApiserver,
         .names = {"127.0.0.1", "10.0.0.1", "localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
         .from = clock_.wall_now(),
         .client = false});
    scratch_.write("apiserver.crt", server.certificate);
    scratch_.write("apiserver.key", server.key.reveal());
    const net::KeyPair accounts = authority_.issue({.common_name = "service accounts", .from = clock_.wall_now()});
    scratch_.write("sa.crt", accounts.certificate);
    scratch_.write("sa.key", accounts.key.reveal());
    admin_ = certificate("admin", {"system:masters"});
    kubeconfig("admin", {"system:masters"});
    std::string tokens;
    for (const TokenUser& user : options_.tokens) {
      tokens += user.token + "," + user.name + "," + user.name + ",\"" + joined(user.groups, ",") + "\"\n";
    }
    if (!tokens.empty()) scratch_.write("tokens.csv", tokens);
  }

  std::vector<std::string> etcd_flags() const {
    return {"--data-dir=" + scratch_.file("data"),
            "--listen-client-urls=" + etcd_url().origin(),
            "--advertise-client-urls=" + etcd_url().origin(),
            "--listen-peer-urls=http://127.0.0.1:0",
            "--socket-reuse-port=true",
            "--unsafe-no-fsync=true",
            "--log-level=warn"};
  }

  std::vector<std::string> apiserver_flags() const {
    std::vector<std::string> flags = {
        "--etcd-servers=" + etcd_url().origin(),
        "--bind-address=127.0.0.1",
        "--secure-port=" + std::to_string(port_.number()),
        "--permit-port-sharing=true",
        // Any address but loopback, which it refuses here; without one it wants a default route, and a sandbox has
        // none.
        "--advertise-address=192.0.2.1",
        "--cert-dir=" + scratch_.path(),
        "--tls-cert-file=" + scratch_.file("apiserver.crt"),
        "--tls-private-key-file=" + scratch_.file("apiserver.key"),
        "--client-ca-file=" + scratch_.file("ca.crt"),
        "--authorization-mode=RBAC",
        "--allow-privileged=true",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=" + url().origin(),
        "--service-account-key-file=" + scratch_.file("sa.crt"),
        "--service-account-signing-key-file=" + scratch_.file("sa.key"),
    };
    // Nobody makes the ServiceAccounts that this plugin would want to see before it lets a Pod in.
    if (!options_.controllers) flags.emplace_back("--disable-admission-plugins=ServiceAccount");
    if (!options_.tokens.empty()) flags.push_back("--token-auth-file=" + scratch_.file("tokens.csv"));
    add_gates(flags);
    flags.insert(flags.end(), options_.apiserver_flags.begin(), options_.apiserver_flags.end());
    return flags;
  }

  std::vector<std::string> controllers_flags() const {
    const std::string user = std::string("system:") + kControllers;
    std::vector<std::string> flags = {"--kubeconfig=" + kubeconfig(user, {}),
                                      "--secure-port=0",
                                      "--leader-elect=false",
                                      "--use-service-account-credentials=true",
                                      "--service-account-private-key-file=" + scratch_.file("sa.key"),
                                      "--root-ca-file=" + scratch_.file("ca.crt"),
                                      "--cluster-signing-cert-file=" + scratch_.file("ca.crt"),
                                      "--cluster-signing-key-file=" + scratch_.file("ca.key")};
    add_gates(flags);
    flags.insert(flags.end(), options_.controllers_flags.begin(), options_.controllers_flags.end());
    return flags;
  }

  std::vector<std::string> scheduler_flags() const {
    return {"--kubeconfig=" + kubeconfig(std::string("system:") + kScheduler, {}), "--secure-port=0",
            "--leader-elect=false"};
  }

  void add_gates(std::vector<std::string>& flags) const {
    std::vector<std::string> gates;
    gates.reserve(options_.feature_gates.size());
    for (const auto& [name, on] : options_.feature_gates) gates.push_back(name + (on ? "=true" : "=false"));
    if (!gates.empty()) flags.push_back("--feature-gates=" + joined(gates, ","));
  }

  void wait_for(const std::string& program, net::Url url, const std::string& path, const Stop& stop) {
    url.path = path;
    net::HttpClient http(clock_, {.tls = config(&admin_).tls});
    while (!answers(http, url, stop)) {
      for (const auto& [name, process] : running_) {
        if (const auto ended = process->status()) {
          throw Error(name + " " + ended->text() + ". The end of its log:\n" + log_tail(name, 20));
        }
      }
      if (pause_until(clock_, clock_.after(kLookAgain), stop)) continue;
      std::string text = program + " does not answer ";
      text.append(path).append(" (").append(stop.reason()).append("). The end of its log:\n");
      throw Error(text + log_tail(program, 20));
    }
  }

  static bool answers(net::HttpClient& http, const net::Url& url, const Stop& stop) {
    try {
      return http.send(url, {}, stop).status == 200;
    } catch (const Error&) {
      return false;
    }
  }

  std::string post_to_etcd(net::HttpClient& http, const std::string& path, std::string body, const Stop& stop) const {
    net::Url url = etcd_url();
    url.path = path;
    const net::Response answer = http.send(url, {.method = "POST", .body = std::move(body)}, stop);
    if (answer.status == 200) return answer.body;
    throw Error("etcd answered " + path + " with " + std::to_string(answer.status) + ": " + answer.body);
  }

  // Constant after construction.
  Clock& clock_;
  const KubernetesOptions options_;
  const detail::ScratchDirectory scratch_;  // before the processes, so that it goes after them
  const detail::ReservedPort port_;
  const detail::ReservedPort etcd_port_;
  const net::CertificateAuthority authority_;
  net::KeyPair admin_;

  std::map<std::string, std::unique_ptr<Process>> running_;
};

KubernetesServer::KubernetesServer(Clock& clock, KubernetesOptions options, const Stop& stop)
    : cluster_(std::make_unique<Cluster>(clock, std::move(options), stop)) {}
KubernetesServer::~KubernetesServer() = default;

KubernetesServer::Cluster& KubernetesServer::cluster() const {
  if (cluster_ == nullptr) throw Error("the Kubernetes server of this test was stopped");
  return *cluster_;
}

client::Config KubernetesServer::config() const { return cluster().config(&cluster().admin()); }

client::Config KubernetesServer::config_for(const std::string& user, const std::vector<std::string>& groups) const {
  const net::KeyPair pair = cluster().certificate(user, groups);
  return cluster().config(&pair);
}

client::Config KubernetesServer::config_without_user() const { return cluster().config(nullptr); }

std::string KubernetesServer::kubeconfig() const { return directory() + "/admin.kubeconfig"; }

std::string KubernetesServer::kubeconfig_for(const std::string& user, const std::vector<std::string>& groups) const {
  return cluster().kubeconfig(user, groups);
}

const net::CertificateAuthority& KubernetesServer::authority() const { return cluster().authority(); }
const std::string& KubernetesServer::directory() const { return cluster().directory(); }
net::Url KubernetesServer::url() const { return cluster().url(); }
net::Url KubernetesServer::etcd_url() const { return cluster().etcd_url(); }
std::string KubernetesServer::log_tail(const std::string& program, std::size_t lines) const {
  return cluster().log_tail(program, lines);
}

void KubernetesServer::kill_apiserver() { cluster().kill_apiserver(); }
void KubernetesServer::start_apiserver(const Stop& stop) { cluster().start_apiserver(stop); }
void KubernetesServer::restart(const Stop& stop) {
  kill_apiserver();
  start_apiserver(stop);
}
void KubernetesServer::compact(const Stop& stop) { cluster().compact(stop); }
void KubernetesServer::stop() { cluster_.reset(); }

}  // namespace flyball::testing
