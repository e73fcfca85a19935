#include "flyball/client/in_cluster.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "flyball/client/credentials.hpp"
#include "flyball/client/detail/environment.hpp"
#include "flyball/client/detail/files.hpp"

namespace flyball::client {
namespace {

net::Url read_server(const std::string& host, const std::string& port) {
  net::Url server{.scheme = "https", .host = host};
  const auto read = std::from_chars(port.data(), port.data() + port.size(), server.port);
  if (read.ec != std::errc() || read.ptr != port.data() + port.size() || server.port == 0) {
    throw InputError({}, "KUBERNETES_SERVICE_PORT", "expected a port, found \"" + port + "\"");
  }
  return server;
}

}  // namespace

std::optional<Config> in_cluster_config(const InClusterOptions& options) {
  const auto variable = detail::variable_or_environment(options.variable);
  const std::string host = variable("KUBERNETES_SERVICE_HOST");
  const std::string port = variable("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) return std::nullopt;
  Config config{.server = read_server(host, port)};
  config.source = "the pod's service account in " + options.folder;
  config.proxy = net::ProxyRules::from(variable);

  const std::string token = options.folder + "/token";
  try {
    (void)detail::read_file(token);
  } catch (const InputError& error) {
    throw InputError({}, token,
                     error.problem() + "; does the pod have a service account (automountServiceAccountToken: true)?");
  }
  config.credentials = token_file(token, {.log = options.log});

  std::error_code none;
  if (const std::string ca = options.folder + "/ca.crt"; std::filesystem::exists(ca, none)) {
    config.tls.ca_file = ca;
  } else {
    options.log.warn("the pod has no CA file; trusting the system's certificates", "file", ca);
  }
  if (const std::string file = options.folder + "/namespace"; std::filesystem::exists(file, none)) {
    if (std::string name = detail::trimmed(detail::read_file(file)); !name.empty()) config.namespace_ = std::move(name);
  }
  return config;
}

}  // namespace flyball::client
