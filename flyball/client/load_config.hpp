// load_config: which cluster, as whom, found where people expect it.
//
//   const Config config = load_config(clock);
//   HttpTransport transport(clock, config);
//
// The first of these that is there is used, and only that:
//   1. the kubeconfig that `kubeconfig` names;
//   2. the files of $KUBECONFIG, merged;
//   3. the service account of the pod this runs in (not when a context, cluster or user is asked for: a pod has none);
//   4. ~/.kube/config.
//
// Errors: InputError with the file and field that is wrong, or with all that was tried and why it was not there.
//
// Thread-safety: a function of the environment and the files. Lifetime: the clock outlives what it returns.
#pragma once

#include <functional>
#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/client/config.hpp"
#include "flyball/client/in_cluster.hpp"

namespace flyball::client {

struct LoadOptions {
  std::string kubeconfig = {};  // a file; empty: look for one
  std::string context = {};     // of the kubeconfig; empty: the current one
  std::string cluster = {};     // instead of the context's
  std::string user = {};        // instead of the context's
  std::string namespace_ = {};  // instead of the context's, or of the pod's
  // For tests. Default: the environment, and where the kubelet mounts a service account.
  std::function<std::string(const char*)> variable = {};
  std::string service_account = InClusterOptions().folder;
  Logger log = {};
};

Config load_config(Clock& clock, const LoadOptions& options = {});

// Whether that is, or would be, the pod's service account.
bool is_pods_own(const LoadOptions& options = {});

// What tells its cluster from others: where it is and whom it is trusted by. A cluster that was made anew at the same
// address has another.
std::string cluster_identity(const Config& config);

}  // namespace flyball::client
