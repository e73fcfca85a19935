#include "cli/access.hpp"

#include <utility>

#include "cli/flags.hpp"

#include "flyball/client/load_config.hpp"

namespace flyball::cli {
namespace {

client::LoadOptions options_of(const Given& given, const Io& io) {
  client::LoadOptions options{
      .kubeconfig = given.text("kubeconfig"), .context = given.text("context"), .variable = io.variable};
  if (!options.kubeconfig.empty()) {
    options.kubeconfig = io.path(options.kubeconfig).string();
  } else if (io.variable("KUBECONFIG").empty()) {
    options.kubeconfig = dev_kubeconfig(io).string();
  }
  return options;
}

}  // namespace

std::vector<Flag> with_access(std::vector<Flag> own) {
  own.push_back({.name = "kubeconfig",
                 .value = "FILE",
                 .help = "which cluster; without it: $KUBECONFIG, the .flyball/kubeconfig of `flyball dev`, "
                         "~/.kube/config"});
  own.push_back({.name = "context", .value = "NAME", .help = "which context of the kubeconfig"});
  own.push_back({.name = "namespace",
                 .letter = 'n',
                 .value = "NAME",
                 .help = "which namespace; without it: the one of the kubeconfig"});
  return own;
}

std::filesystem::path dev_kubeconfig(const Io& io) {
  std::filesystem::path folder = std::filesystem::absolute(io.folder);
  while (true) {
    if (std::filesystem::exists(folder / ".flyball/kubeconfig")) return folder / ".flyball/kubeconfig";
    if (folder == folder.parent_path()) return {};
    folder = folder.parent_path();
  }
}

Access::Access(const Given& given, const Io& io) : config_(client::load_config(clock_, options_of(given, io))) {
  namespace_ = given.text("namespace").empty() ? config_.namespace_ : given.text("namespace");
  if (namespace_.empty()) namespace_ = "default";
  where_ = config_.server.text() + (config_.source.empty() ? "" : " (" + config_.source + ")");
  client_ = client::Client::connect(config_, clock_, random_, {.namespace_ = namespace_, .field_manager = "flyball"});
}

}  // namespace flyball::cli
