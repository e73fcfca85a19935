// How a pod finds the API server of the cluster it runs in, and who it is there: its service account.
//
//   if (const auto config = in_cluster_config()) use(*config);
//
// The address comes from KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, the rest from the files the kubelet
// mounts. Token and CA are read again when they change, for as long as the program runs.
//
// Thread-safety: a pure function of the environment and the files.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "flyball/base/log.hpp"
#include "flyball/client/config.hpp"

namespace flyball::client {

struct InClusterOptions {
  std::string folder = "/var/run/secrets/kubernetes.io/serviceaccount";  // token, ca.crt, namespace
  std::function<std::string(const char*)> variable = {};                 // default: the environment
  Logger log = {};
};

// Nothing when this is no pod: the variables are not set. Throws InputError when they are and the rest is wrong, as in
// a pod with automountServiceAccountToken: false.
std::optional<Config> in_cluster_config(const InClusterOptions& options = {});

}  // namespace flyball::client
