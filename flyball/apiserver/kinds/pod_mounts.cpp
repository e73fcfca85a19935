#include <algorithm>
#include <set>
#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

// Where a container sees the pod's volumes.
namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

bool is_privileged(const core::Container& container) {
  return container.securityContext && container.securityContext->privileged.value_or(false);
}

void check_propagation(const core::VolumeMount& mount, const core::Container& container, const FieldPath& at,
                       Problems& problems) {
  check_one_of(*mount.mountPropagation, {"Bidirectional", "HostToContainer", "None"}, at, problems);
  if (*mount.mountPropagation == "Bidirectional" && !is_privileged(container)) {
    problems.forbidden(at, "Bidirectional mount propagation is available only to privileged containers");
  }
}

void check_recursive_read_only(const core::VolumeMount& mount, const FieldPath& at, Problems& problems) {
  const std::string& how = *mount.recursiveReadOnly;
  if (how == "Disabled") return;
  if (how != "Enabled" && how != "IfPossible") {
    problems.not_supported(at, how, {"Disabled", "Enabled", "IfPossible"});
    return;
  }
  if (!mount.readOnly) problems.forbidden(at, "may only be specified when readOnly is true");
  if (mount.mountPropagation.value_or("None") != "None") {
    problems.forbidden(at, "may only be specified when mountPropagation is None or not specified");
  }
}

bool is_claim(const core::Volume& volume) { return volume.persistentVolumeClaim || volume.ephemeral; }

bool has_backsteps(const std::string& path) {
  Problems found;
  check_no_backsteps(path, FieldPath(), found);
  return !found.empty();
}

}  // namespace

void check_no_backsteps(const std::string& path, const FieldPath& at, Problems& problems) {
  std::string_view rest = path;
  while (true) {
    const std::size_t slash = rest.find('/');
    if (rest.substr(0, slash) == "..") {
      problems.invalid(at, path, "must not contain '..'");
      return;
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void check_descending_path(const std::string& path, const FieldPath& at, Problems& problems) {
  if (path.starts_with('/')) problems.invalid(at, path, "must be a relative path");
  check_no_backsteps(path, at, problems);
}

void check_mounts(const core::Container& container, const VolumesByName& volumes, const FieldPath& at,
                  Problems& problems) {
  std::set<std::string> paths;
  const auto is_device = [&](auto matches) { return std::ranges::any_of(container.volumeDevices, matches); };
  for (std::size_t i = 0; i < container.volumeMounts.size(); ++i) {
    const core::VolumeMount& mount = container.volumeMounts[i];
    const FieldPath here = at.index(i);
    require(mount.name, here.child("name"), problems);
    if (!volumes.contains(mount.name)) problems.not_found(here.child("name"), mount.name);
    require(mount.mountPath, here.child("mountPath"), problems);
    if (!paths.insert(mount.mountPath).second) {
      problems.invalid(here.child("mountPath"), mount.mountPath, "must be unique");
    }
    if (is_device([&](const core::VolumeDevice& device) { return device.name == mount.name; })) {
      problems.invalid(here.child("name"), mount.name, "must not already exist in volumeDevices");
    }
    if (is_device([&](const core::VolumeDevice& device) { return device.devicePath == mount.mountPath; })) {
      problems.invalid(here.child("mountPath"), mount.mountPath, "must not already exist as a path in volumeDevices");
    }
    if (!mount.subPath.empty()) check_descending_path(mount.subPath, at.child("subPath"), problems);
    if (!mount.subPathExpr.empty()) {
      if (!mount.subPath.empty()) {
        problems.invalid(here.child("subPathExpr"), mount.subPathExpr,
                         "subPathExpr and subPath are mutually exclusive");
      }
      check_descending_path(mount.subPathExpr, at.child("subPathExpr"), problems);
    }
    if (mount.mountPropagation) check_propagation(mount, container, at.child("mountPropagation"), problems);
    if (mount.recursiveReadOnly) check_recursive_read_only(mount, at.child("recursiveReadOnly"), problems);
  }
}

void check_devices(const core::Container& container, const VolumesByName& volumes, const FieldPath& at,
                   Problems& problems) {
  std::set<std::string> paths;
  std::set<std::string> seen;
  const auto is_mount = [&](auto matches) { return std::ranges::any_of(container.volumeMounts, matches); };
  for (std::size_t i = 0; i < container.volumeDevices.size(); ++i) {
    const core::VolumeDevice& device = container.volumeDevices[i];
    const FieldPath name = at.index(i).child("name");
    const FieldPath path = at.index(i).child("devicePath");
    const auto volume = volumes.find(device.name);
    require(device.name, name, problems);
    if (seen.contains(device.name)) problems.invalid(name, device.name, "must be unique");
    if (volume == volumes.end()) {
      problems.not_found(name, device.name);
    } else if (!is_claim(*volume->second)) {
      problems.invalid(name, device.name,
                       "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    require(device.devicePath, path, problems);
    if (paths.contains(device.devicePath)) problems.invalid(path, device.devicePath, "must be unique");
    if (has_backsteps(device.devicePath)) {
      problems.invalid(path, device.devicePath, "can not contain backsteps ('..')");
    } else {
      paths.insert(device.devicePath);
    }
    if (is_mount([&](const core::VolumeMount& mount) { return mount.name == device.name; })) {
      problems.invalid(name, device.name, "must not already exist in volumeMounts");
    }
    if (is_mount([&](const core::VolumeMount& mount) { return mount.mountPath == device.devicePath; })) {
      problems.invalid(path, device.devicePath, "must not already exist as a path in volumeMounts");
    }
    if (!device.name.empty()) seen.insert(device.name);
  }
}

}  // namespace flyball::apiserver
