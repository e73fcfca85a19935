// Volumes: what a pod's volumes are on this machine: folders below one of the pod's own.
//
//   Volumes volumes("/tmp/flyball/pods/1f0c…", "/tmp/flyball/claims");
//   volumes.make(pod, sources);                       // and again when a ConfigMap has changed
//   std::vector<Mount> mounts = volumes.mounts(pod, container, env, sources);
//
// Files of config maps, secrets, tokens and the downward API are swapped all at once, behind the symbolic link ..data,
// as programs that watch them expect. A claim is a folder that outlives its pods.
//
// Errors: ConfigError when what a volume is made of is not there.
//
// Thread-safety: one thread at a time for a pod.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flyball/cluster/node/pod_runtime.hpp"
#include "flyball/cluster/node/pod_sources.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

class Volumes {
 public:
  // Of one pod, and of all claims that are not bound to a volume.
  Volumes(std::string folder, std::string claims) : folder_(std::move(folder)), claims_(std::move(claims)) {}

  void make(const kube::core::v1::Pod& pod, const PodSources& sources);
  std::vector<Mount> mounts(const kube::core::v1::Pod& pod, const kube::core::v1::Container& container,
                            const Variables& env, const PodSources& sources) const;

 private:
  std::string path_of(const kube::core::v1::Pod& pod, const kube::core::v1::Volume& volume,
                      const PodSources& sources) const;

  const std::string folder_;
  const std::string claims_;
};

}  // namespace flyball::cluster::node
