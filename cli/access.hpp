// Access: which cluster a command talks to, found where people expect it, and a client for it.
//
//   .flags = with_access({{.name = "wait", …}})        // --kubeconfig, --context and --namespace beside one's own
//   Access access(given, io);
//   access.client().list<core::Pod>({.namespace_ = access.namespace_of_choice()});
//
// The first of these that is there is used: --kubeconfig; the files of $KUBECONFIG; .flyball/kubeconfig here or in a
// folder above, which `flyball dev` and `flyball run` leave; the pod's service account; ~/.kube/config.
//
// Errors: InputError as of load_config. Nothing is sent before the client is used.
//
// Thread-safety: the client's. Lifetime: outlives what the client gives out.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/config.hpp"

namespace flyball::cli {

// The flags of every command that talks to a cluster, behind the command's own.
std::vector<Flag> with_access(std::vector<Flag> own);

// The kubeconfig of `flyball dev`, here or above; empty when there is none.
std::filesystem::path dev_kubeconfig(const Io& io);

class Access {
 public:
  Access(const Given& given, const Io& io);

  client::Client& client() { return *client_; }
  Clock& clock() { return clock_; }
  const client::Config& config() const { return config_; }
  // Of --namespace, of the kubeconfig, or "default".
  const std::string& namespace_of_choice() const { return namespace_; }
  // Where the cluster was found, for messages: "https://127.0.0.1:6443 (.flyball/kubeconfig)".
  const std::string& where() const { return where_; }

 private:
  RealClock clock_;
  Random random_ = Random::from_os();
  client::Config config_;
  std::string namespace_;
  std::string where_;
  std::optional<client::Client> client_;
};

}  // namespace flyball::cli
