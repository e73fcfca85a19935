// The files of volumes that are made of objects: config maps, secrets, tokens, the downward API.
//
//   const VolumeFiles files = files_of(pod, volume, sources);     // nothing for a volume of another kind
//   write_files(folder, *files);
//
// Errors: ConfigError when an object or a key is not there and not optional; Error when a file cannot be written.
//
// Thread-safety: files_of is a pure function; write_files by one thread for a folder.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "flyball/cluster/node/pod_sources.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

struct VolumeFile {
  std::string content = {};
  std::int32_t mode = 0644;
  friend bool operator==(const VolumeFile&, const VolumeFile&) = default;
};
using VolumeFiles = std::map<std::string, VolumeFile>;

std::optional<VolumeFiles> files_of(const kube::core::v1::Pod& pod, const kube::core::v1::Volume& volume,
                                    const PodSources& sources);
// Changes nothing when they are so already.
void write_files(const std::string& folder, const VolumeFiles& files);

}  // namespace flyball::cluster::node
