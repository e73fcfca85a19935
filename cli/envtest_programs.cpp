// flyball, called as kube-apiserver or etcd.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>

#include "cli/envtest.hpp"
#include "cli/foreground.hpp"

#include "flyball/apiserver/server.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/url.hpp"

namespace flyball::cli {
namespace {

using Flags = std::map<std::string, std::string>;

// Where our etcd says where it keeps its data.
constexpr const char* kDataPath = "/flyball/data-dir";

std::string text_of(const Flags& flags, const std::string& name, const std::string& fallback = {}) {
  const auto found = flags.find(name);
  return found == flags.end() ? fallback : found->second;
}

std::string read_file(const std::string& flag, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("--" + flag + ": cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint16_t port_of(const std::string& flag, const std::string& text) {
  std::size_t end = 0;
  unsigned long port = 0;
  try {
    port = std::stoul(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (end == 0 || end != text.size() || port > 65535) {
    throw UsageError("--" + flag + ": expected a port, found \"" + text + "\"");
  }
  return static_cast<std::uint16_t>(port);
}

// ---- etcd

const std::set<std::string> kEtcdFlags = {"advertise-client-urls", "data-dir", "listen-client-urls", "listen-peer-urls",
                                          "name"};

int etcd(const Flags& flags) {
  const EndSignals signals;
  const net::Url url = net::Url::parse(text_of(flags, "listen-client-urls", "http://localhost:2379"));
  const std::string data = std::filesystem::absolute(text_of(flags, "data-dir", "default.etcd")).string();
  std::filesystem::create_directories(data);
  RealClock clock;
  const std::string address = url.host == "localhost" ? "127.0.0.1" : url.host;
  net::HttpServer server(clock, {.address = address, .port = url.port},
                         [&](const net::Request& request, net::ResponseWriter& writer) {
                           if (request.target == "/health") {
                             writer.send({.body = R"({"health":"true","reason":""})"});
                           } else if (request.target == "/version") {
                             writer.send({.body = R"({"etcdserver":"3.6.0","etcdcluster":"3.6.0","storage":"3.6.0"})"});
                           } else if (request.target == kDataPath) {
                             writer.send({.body = data});
                           } else {
                             writer.send({.status = 404, .body = "this etcd is flyball's: it only holds a place\n"});
                           }
                         });
  signals.wait();
  server.stop(clock.after(std::chrono::seconds(1)));
  return kOk;
}

// ---- kube-apiserver

// Those that change something. Others are taken and named, so that suites with flags of their own run.
const std::set<std::string> kServerFlags = {"authorization-mode",
                                            "bind-address",
                                            "cert-dir",
                                            "client-ca-file",
                                            "disable-admission-plugins",
                                            "etcd-servers",
                                            "secure-port",
                                            "service-cluster-ip-range",
                                            "tls-cert-file",
                                            "tls-private-key-file",
                                            "token-auth-file"};
// Those that envtest itself gives, and that change nothing here: tokens are signed with a key of the server's own.
const std::set<std::string> kQuietFlags = {"allow-privileged",
                                           "advertise-address",
                                           "service-account-issuer",
                                           "service-account-key-file",
                                           "service-account-signing-key-file",
                                           "v"};

std::string data_of_etcd(Clock& clock, const std::string& servers, Io& io) {
  try {
    const std::string first = servers.substr(0, servers.find(','));
    net::HttpClient client(clock);
    const net::Response answer = client.send(net::Url::parse(first + kDataPath), {},
                                             Stop().with_deadline(clock, clock.after(std::chrono::seconds(10))));
    if (answer.status == 200) return answer.body + "/flyball";
    io.err << "kube-apiserver: --etcd-servers: " << first << " is not flyball's etcd; the data stay in memory\n";
  } catch (const Error& error) {
    throw Error("--etcd-servers: " + servers + ": " + error.what());
  }
  return {};
}

apiserver::ServerOptions server_options(Clock& clock, const Flags& flags, Io& io) {
  apiserver::ServerOptions options{.address = text_of(flags, "bind-address", "127.0.0.1"),
                                   .port = port_of("secure-port", text_of(flags, "secure-port", "6443"))};
  if (options.address == "localhost") options.address = "127.0.0.1";
  const std::string mode = text_of(flags, "authorization-mode", "RBAC");
  if (("," + mode + ",").find(",RBAC,") == std::string::npos) {
    throw UsageError("--authorization-mode: only RBAC is known here, found \"" + mode + "\"");
  }
  if (const std::string servers = text_of(flags, "etcd-servers"); !servers.empty()) {
    options.data_dir = data_of_etcd(clock, servers, io);
  }
  options.certificate_file = text_of(flags, "tls-cert-file");
  options.key_file = text_of(flags, "tls-private-key-file");
  const std::string folder = text_of(flags, "cert-dir");
  if (options.certificate_file.empty() && std::filesystem::exists(folder + "/apiserver.crt")) {
    options.certificate_file = folder + "/apiserver.crt";
    options.key_file = folder + "/apiserver.key";
  }
  if (const std::string path = text_of(flags, "client-ca-file"); !path.empty()) {
    options.client_ca = read_file("client-ca-file", path);
  }
  if (const std::string path = text_of(flags, "token-auth-file"); !path.empty()) {
    options.engine.static_tokens = read_tokens(read_file("token-auth-file", path));
  }
  options.engine.service_range = text_of(flags, "service-cluster-ip-range", options.engine.service_range);
  options.engine.namespace_defaults = false;
  options.engine.quota_status = false;
  const std::string without = "," + text_of(flags, "disable-admission-plugins") + ",";
  options.engine.service_accounts = without.find(",ServiceAccount,") == std::string::npos;
  return options;
}

int kube_apiserver(const Flags& flags, Io& io) {
  const EndSignals signals;
  allow_many_files();
  for (const auto& [name, value] : flags) {
    if (kServerFlags.contains(name) || kQuietFlags.contains(name)) continue;
    io.err << "kube-apiserver: --" << name << "=" << value << " changes nothing: this is flyball's\n";
  }
  RealClock clock;
  apiserver::Server server(clock, server_options(clock, flags, io));
  signals.wait();
  server.stop(clock.after(std::chrono::seconds(2)));
  return kOk;
}

int help(const std::string& name, const std::set<std::string>& flags, Io& io) {
  io.out << name << ": flyball in its place, for suites of envtest (flyball envtest path)\n\nFlags:\n";
  for (const std::string& flag : flags) io.out << "  --" << flag << "\n";
  return kOk;
}

}  // namespace

std::map<std::string, std::string> program_flags(const std::vector<std::string>& words,
                                                 const std::set<std::string>& switches) {
  Flags flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("-") || word == "-" || word == "--") {
      throw UsageError("expected a flag, found \"" + word + "\"");
    }
    const std::string flag = word.substr(word.starts_with("--") ? 2 : 1);
    if (const std::size_t equals = flag.find('='); equals != std::string::npos) {
      flags[flag.substr(0, equals)] = flag.substr(equals + 1);
    } else if (switches.contains(flag) || i + 1 == words.size() || words[i + 1].starts_with("-")) {
      flags[flag] = "true";
    } else {
      flags[flag] = words[++i];
    }
  }
  return flags;
}

std::map<std::string, apiserver::User> read_tokens(const std::string& text) {
  std::map<std::string, apiserver::User> users;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    if (fields.size() < 3 || fields[0].empty() || fields[1].empty()) {
      throw Error("line " + std::to_string(number) + ": expected token,user,uid[,\"group,group\"]");
    }
    apiserver::User user{.name = fields[1], .uid = fields[2]};
    if (fields.size() > 3) {
      std::istringstream groups(fields[3]);
      for (std::string group; std::getline(groups, group, ',');) user.groups.push_back(group);
    }
    users.emplace(fields[0], std::move(user));
  }
  return users;
}

bool is_envtest_program(const std::string& name) { return name == "kube-apiserver" || name == "etcd"; }

int run_envtest_program(const std::string& name, const std::vector<std::string>& words, Io& io) {
  try {
    const Flags flags = program_flags(words, {"help", "version", "allow-privileged", "unsafe-no-fsync"});
    if (flags.contains("help")) return help(name, name == "etcd" ? kEtcdFlags : kServerFlags, io);
    if (flags.contains("version")) {
      io.out << (name == "etcd" ? "etcd Version: 3.6.0" : "Kubernetes v1.36.3") << " (flyball)\n";
      return kOk;
    }
    return name == "etcd" ? etcd(flags) : kube_apiserver(flags, io);
  } catch (const UsageError& error) {
    io.err << name << ": " << error.what() << "\n";
    return kUsage;
  } catch (const std::exception& error) {
    io.err << name << ": " << error.what() << "\n";
    return kFailed;
  }
}

}  // namespace flyball::cli
