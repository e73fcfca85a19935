#include "flyball/client/load_config.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "flyball/client/detail/environment.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/client/kubeconfig.hpp"
#include "flyball/net/digest.hpp"

namespace flyball::client {
namespace {

Config from_files(Clock& clock, const std::vector<std::string>& files, const LoadOptions& options) {
  return Kubeconfig::load(files).config(clock, {.context = options.context,
                                                .cluster = options.cluster,
                                                .user = options.user,
                                                .namespace_ = options.namespace_,
                                                .variable = options.variable,
                                                .log = options.log});
}

bool exists(const std::string& file) {
  std::error_code none;
  return std::filesystem::exists(file, none);
}

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) files.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

Config from_list(Clock& clock, const std::string& list, const LoadOptions& options) {
  const std::vector<std::string> files = split_list(list);
  bool any = false;
  for (const std::string& file : files) {
    if (exists(file)) {
      any = true;
    } else {
      options.log.warn("a file that $KUBECONFIG names is not there; going on without it", "file", file);
    }
  }
  if (!any) {
    throw InputError({}, "KUBECONFIG",
                     "none of the files it names is there: " + list + "; correct the variable, or unset it");
  }
  return from_files(clock, files, options);
}

}  // namespace

bool is_pods_own(const LoadOptions& options) {
  const auto variable = detail::variable_or_environment(options.variable);
  for (const std::string& asked : {options.kubeconfig, options.context, options.cluster, options.user}) {
    if (!asked.empty()) return false;
  }
  return variable("KUBECONFIG").empty() && !variable("KUBERNETES_SERVICE_HOST").empty() &&
         !variable("KUBERNETES_SERVICE_PORT").empty();
}

Config load_config(Clock& clock, const LoadOptions& options) {
  if (!options.kubeconfig.empty()) {
    if (!exists(options.kubeconfig)) throw InputError({}, options.kubeconfig, "there is no such kubeconfig");
    return from_files(clock, {options.kubeconfig}, options);
  }
  const auto variable = detail::variable_or_environment(options.variable);
  std::string tried = "$KUBECONFIG is not set";
  if (const std::string list = variable("KUBECONFIG"); !list.empty()) return from_list(clock, list, options);

  if (options.context.empty() && options.cluster.empty() && options.user.empty()) {
    auto config = in_cluster_config({.folder = options.service_account, .variable = variable, .log = options.log});
    if (config) {
      if (!options.namespace_.empty()) config->namespace_ = options.namespace_;
      return *config;
    }
    tried += "; this is no pod ($KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT are not set)";
  }

  const std::string home = variable("HOME");
  const std::string file = home + "/.kube/config";
  if (!home.empty() && exists(file)) return from_files(clock, {file}, options);
  tried += home.empty() ? "; $HOME is not set" : "; there is no " + file;
  throw InputError(
      {}, "",
      "no cluster to talk to: " + tried + ". Name a kubeconfig, in $KUBECONFIG or as an option of this program");
}

std::string cluster_identity(const Config& config) {
  const std::string trusted = config.tls.ca_file.empty() ? config.tls.ca : detail::read_file(config.tls.ca_file);
  std::string text = config.server.text();
  if (trusted.empty()) return text;
  text += " trusted by ";
  for (const char byte : net::sha256(trusted).substr(0, 16)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[(static_cast<unsigned char>(byte) >> 4U) & 0xfU];
    text += kDigits[static_cast<unsigned char>(byte) & 0xfU];
  }
  return text;
}

}  // namespace flyball::client
