// The controllers that every cluster has: what kube-controller-manager and kube-scheduler do, each in a file of its own
// in controllers/, each written as any operator is.
//
//   Operator op("flyball-cluster");
//   cluster::declare_controllers(op, {.volumes = {.directory = data + "/volumes"}});
//
// Thread-safety: as Operator. Lifetime: as the operator's.
#pragma once

#include <string>

#include "flyball/cluster/controllers/volume_binder.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

struct ControllersOptions {
  VolumeOptions volumes = {};
  std::string root_ca = {};  // PEM, for the ConfigMap kube-root-ca.crt of every namespace; empty: none is written
  bool scheduler = true;     // false: somebody else says which node a pod is for
};

void declare_controllers(runtime::Operator& op, ControllersOptions options = {});

}  // namespace flyball::cluster
