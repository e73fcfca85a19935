// Credentials that a command prints: the exec plugins of a kubeconfig (aws, gke-gcloud-auth-plugin, kubelogin, ...).
//
//   config.credentials = exec_credentials(clock, {.command = "aws",
//                                                 .args = {"eks", "get-token", "--cluster-name", "prod"},
//                                                 .api_version = "client.authentication.k8s.io/v1beta1"});
//
// The command runs at the first request, when what it printed expires (as it says, or as its certificate says), and
// when the server did not accept it; one at a time, while other requests wait. It is told what to do in
// KUBERNETES_EXEC_INFO and prints an ExecCredential: a token, a client certificate with its key, or both.
//
// It may ask at the terminal when `interactive` lets it and there is one. Its error output goes into our error when it
// fails, or straight to the terminal when it may ask there.
//
// Errors: Error with the command, what it said and the install hint; the credentials themselves are never printed.
//
// Thread-safety: what is returned may be used from any thread. Lifetime: the clock outlives it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/client/config.hpp"
#include "flyball/json/value.hpp"

namespace flyball::client {

enum class Interactive { never, if_available, always };

struct ExecPlugin {
  std::string command = {};  // looked for in $PATH when it has no slash
  std::vector<std::string> args = {};
  std::map<std::string, std::string> environment = {};  // beside ours
  // What it speaks: "client.authentication.k8s.io/v1" or ".../v1beta1".
  std::string api_version = "client.authentication.k8s.io/v1";
  std::string install_hint = {};  // for the error when the command is not there
  Interactive interactive = Interactive::never;
  // What it is told of the cluster, as `spec.cluster` of the ExecCredential. None: nothing.
  std::optional<json::Value> cluster = {};
};

struct ExecOptions {
  Duration timeout = std::chrono::seconds(60);             // of a run that cannot ask
  Duration interactive_timeout = std::chrono::minutes(5);  // of a run that can
  std::optional<bool> terminal = {};                       // whether there is one; empty: look
  Logger log = {};
};

// Throws InputError for an api_version we do not speak.
std::shared_ptr<Credentials> exec_credentials(Clock& clock, ExecPlugin plugin, ExecOptions options = {});

}  // namespace flyball::client
