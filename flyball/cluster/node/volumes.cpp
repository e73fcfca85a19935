#include "flyball/cluster/node/volumes.hpp"

#include <algorithm>
#include <filesystem>

#include "flyball/cluster/node/volume_files.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;
namespace fs = std::filesystem;

namespace {

// Programs write there whoever they run as.
void make_for_all(const fs::path& path) {
  if (fs::create_directories(path)) fs::permissions(path, fs::perms::all);
}

void make_host_path(const core::HostPathVolumeSource& source) {
  const std::string type = source.type.value_or("");
  if (type == "DirectoryOrCreate") fs::create_directories(source.path);
  if (!fs::exists(source.path)) {
    throw ConfigError("hostPath type check failed: " + source.path + " does not exist on this machine");
  }
}

}  // namespace

std::string Volumes::path_of(const core::Pod& pod, const core::Volume& volume, const PodSources& sources) const {
  if (volume.hostPath) return volume.hostPath->path;
  std::string claim;
  if (volume.persistentVolumeClaim) claim = volume.persistentVolumeClaim->claimName;
  if (volume.ephemeral) claim = pod.metadata.name + "-" + volume.name;
  if (claim.empty()) return folder_ + "/volumes/" + volume.name;
  const auto bound = sources.volume ? sources.volume(claim) : std::nullopt;
  return bound.value_or(claims_ + "/" + pod.metadata.namespace_ + "/" + claim);
}

void Volumes::make(const core::Pod& pod, const PodSources& sources) {
  for (const core::Volume& volume : pod.spec.volumes) {
    const std::string path = path_of(pod, volume, sources);
    if (volume.hostPath) {
      make_host_path(*volume.hostPath);
    } else if (const auto files = files_of(pod, volume, sources)) {
      write_files(path, *files);
    } else if (volume.emptyDir || volume.persistentVolumeClaim || volume.ephemeral) {
      make_for_all(path);
    } else {
      throw ConfigError("volume \"" + volume.name +
                        "\": this node has emptyDir, hostPath, configMap, secret, projected, downwardAPI and "
                        "persistentVolumeClaim only");
    }
  }
}

std::vector<Mount> Volumes::mounts(const core::Pod& pod, const core::Container& container, const Variables& env,
                                   const PodSources& sources) const {
  std::vector<Mount> all;
  for (const core::VolumeMount& mount : container.volumeMounts) {
    const auto volume = std::ranges::find(pod.spec.volumes, mount.name, &core::Volume::name);
    if (volume == pod.spec.volumes.end()) throw ConfigError("volume \"" + mount.name + "\" not found");
    std::string source = path_of(pod, *volume, sources);
    const std::string below = mount.subPathExpr.empty() ? mount.subPath : expand(mount.subPathExpr, env);
    if (!below.empty()) {
      source += "/" + below;
      if (!fs::exists(source)) make_for_all(source);
    }
    const bool fixed = volume->configMap || volume->secret || volume->projected || volume->downwardAPI;
    all.push_back({.source = source, .target = mount.mountPath, .read_only = mount.readOnly || fixed});
  }
  // Outer ones first, so that one does not hide what is mounted below it.
  std::ranges::stable_sort(all, {}, [](const Mount& mount) { return mount.target.size(); });
  return all;
}

}  // namespace flyball::cluster::node
