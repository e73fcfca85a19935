#include "flyball/apiserver/kinds/volume_validation.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/internal_form.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/text_diff.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::string_view kNotPositive = "must be greater than zero";
constexpr const char* kOldClass = "volume.beta.kubernetes.io/storage-class";

void check_access_modes(const std::vector<std::string>& modes, const FieldPath& at, Problems& problems) {
  static const std::vector<std::string_view> known_modes = {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce",
                                                            "ReadWriteOncePod"};
  bool one_pod = false;
  bool other = false;
  for (const std::string& mode : modes) {
    check_one_of(mode, known_modes, at, problems);
    if (mode == "ReadWriteOncePod") {
      one_pod = true;
    } else if (std::ranges::find(known_modes, mode) != known_modes.end()) {
      other = true;
    }
  }
  if (one_pod && other) problems.forbidden(at, "may not use ReadWriteOncePod with other access modes");
}

template <class Reference>
void check_data_source(const Reference& source, const FieldPath& at, Problems& problems) {
  require(source.name, at.child("name"), problems);
  require(source.kind, at.child("kind"), problems);
  const std::string group = source.apiGroup.value_or("");
  if (group.empty() && source.kind != "PersistentVolumeClaim") {
    problems.invalid(at, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (!group.empty()) check_name(group, names::dns1123_subdomain, at.child("apiGroup"), problems);
}

void check_data_sources(const core::PersistentVolumeClaimSpec& spec, const FieldPath& at, Problems& problems) {
  if (spec.dataSource) check_data_source(*spec.dataSource, at.child("dataSource"), problems);
  if (spec.dataSourceRef) check_data_source(*spec.dataSourceRef, at.child("dataSourceRef"), problems);
  if (!spec.dataSource || !spec.dataSourceRef) return;
  const bool same = spec.dataSource->apiGroup == spec.dataSourceRef->apiGroup &&
                    spec.dataSource->kind == spec.dataSourceRef->kind &&
                    spec.dataSource->name == spec.dataSourceRef->name;
  if (!same) problems.invalid(at, json::object(), "must match dataSourceRef");
}

kube::Quantity storage_of(const ResourceList& list) {
  const auto found = list.find("storage");
  return found == list.end() ? kube::Quantity() : found->second;
}

// A claim's class was an annotation once; it may move from there into its field.
bool moves_class(const core::PersistentVolumeClaim& claim, const core::PersistentVolumeClaim& old) {
  const auto before = old.metadata.annotations.find(kOldClass);
  if (before == old.metadata.annotations.end() || old.spec.storageClassName) return false;
  if (claim.spec.storageClassName != before->second) return false;
  const auto now = claim.metadata.annotations.find(kOldClass);
  return now == claim.metadata.annotations.end() || now->second == before->second;
}

core::PersistentVolumeClaimSpec without_changes_allowed(const core::PersistentVolumeClaim& claim,
                                                        const core::PersistentVolumeClaim& old) {
  core::PersistentVolumeClaimSpec spec = claim.spec;
  if (moves_class(claim, old)) {
    spec.storageClassName.reset();
  } else if (!old.spec.storageClassName && !old.metadata.annotations.contains(kOldClass)) {
    spec.storageClassName = old.spec.storageClassName;
  }
  if (claim.status.phase != "Bound") return spec;
  if (!spec.resources.requests.empty()) spec.resources.requests["storage"] = storage_of(old.spec.resources.requests);
  spec.volumeAttributesClassName = old.spec.volumeAttributesClassName;
  return spec;
}

void check_local(const core::LocalVolumeSource& volume, const FieldPath& at, Problems& problems) {
  if (volume.path.empty()) {
    problems.required(at.child("path"));
    return;
  }
  check_no_backsteps(volume.path, at.child("path"), problems);
}

void check_secret(const Box<core::SecretReference>& secret, const FieldPath& at, Problems& problems) {
  if (!secret) return;
  require(secret->name, at.child("name"), problems);
  require(secret->namespace_, at.child("namespace"), problems);
}

void check_csi(const core::CSIPersistentVolumeSource& volume, const FieldPath& at, Problems& problems) {
  check_driver_name(volume.driver, at.child("driver"), problems);
  require(volume.volumeHandle, at.child("volumeHandle"), problems);
  check_secret(volume.controllerPublishSecretRef, at.child("controllerPublishSecretRef"), problems);
  check_secret(volume.nodeStageSecretRef, at.child("nodeStageSecretRef"), problems);
  check_secret(volume.nodePublishSecretRef, at.child("nodePublishSecretRef"), problems);
  check_secret(volume.controllerExpandSecretRef, at.child("controllerExpandSecretRef"), problems);
  check_secret(volume.nodeExpandSecretRef, at.child("nodeExpandSecretRef"), problems);
}

// What is left when everything but the source is taken away.
core::PersistentVolumeSpec source_of(const core::PersistentVolumeSpec& spec) {
  core::PersistentVolumeSpec source = spec;
  source.capacity.clear();
  source.accessModes.clear();
  source.persistentVolumeReclaimPolicy.clear();
  source.storageClassName.clear();
  source.volumeMode.reset();
  source.mountOptions.clear();
  source.claimRef.reset();
  source.nodeAffinity.reset();
  source.volumeAttributesClassName.reset();
  return source;
}

class Source {
 public:
  Source(const FieldPath& at, Problems& problems) : at_(at), problems_(problems) {}

  template <class T, class Check>
  void one(const Box<T>& source, std::string_view name, Check&& check) {
    if (!source) return;
    if (found_) {
      problems_.forbidden(at_.child(name), "may not specify more than 1 volume type");
      return;
    }
    found_ = true;
    check(*source, at_.child(name));
  }
  template <class T>
  void one(const Box<T>& source, std::string_view name) {
    one(source, name, [](const T&, const FieldPath&) {});
  }
  bool found() const { return found_; }

 private:
  const FieldPath& at_;
  Problems& problems_;
  bool found_ = false;
};

void check_host_path(const core::HostPathVolumeSource& volume, const FieldPath& at, Problems& problems) {
  require(volume.path, at.child("path"), problems);
  check_no_backsteps(volume.path, at.child("path"), problems);
}

void check_nfs(const core::NFSVolumeSource& volume, const FieldPath& at, Problems& problems) {
  require(volume.server, at.child("server"), problems);
  require(volume.path, at.child("path"), problems);
  if (!volume.path.starts_with('/')) problems.invalid(at.child("path"), volume.path, "must be an absolute path");
}

void check_source(const core::PersistentVolumeSpec& spec, const FieldPath& at, Problems& problems) {
  Source source(at, problems);
  source.one(spec.hostPath, "hostPath",
             [&](const auto& volume, const FieldPath& here) { check_host_path(volume, here, problems); });
  source.one(spec.gcePersistentDisk, "gcePersistentDisk");
  source.one(spec.awsElasticBlockStore, "awsElasticBlockStore");
  source.one(spec.glusterfs, "glusterfs");
  source.one(spec.flocker, "flocker");
  source.one(spec.nfs, "nfs", [&](const auto& volume, const FieldPath& here) { check_nfs(volume, here, problems); });
  source.one(spec.rbd, "rbd");
  source.one(spec.quobyte, "quobyte");
  source.one(spec.cephfs, "cephFS");
  source.one(spec.iscsi, "iscsi");
  source.one(spec.cinder, "cinder");
  source.one(spec.fc, "fc");
  source.one(spec.flexVolume, "flexVolume");
  source.one(spec.azureFile, "azureFile");
  source.one(spec.vsphereVolume, "vsphereVolume");
  source.one(spec.photonPersistentDisk, "photonPersistentDisk");
  source.one(spec.portworxVolume, "portworxVolume");
  source.one(spec.azureDisk, "azureDisk");
  source.one(spec.scaleIO, "scaleIO");
  source.one(spec.local, "local", [&](const auto& volume, const FieldPath& here) {
    check_local(volume, here, problems);
    if (!spec.nodeAffinity) problems.required(at.child("nodeAffinity"), "Local volume requires node affinity");
  });
  source.one(spec.storageos, "storageos");
  source.one(spec.csi, "csi", [&](const auto& volume, const FieldPath& here) { check_csi(volume, here, problems); });
  if (!source.found()) problems.required(at, "must specify a volume type");
}

void check_capacity(const ResourceList& capacity, const FieldPath& at, Problems& problems) {
  if (capacity.empty()) problems.required(at);
  if (!capacity.contains("storage") || capacity.size() > 1) {
    problems.not_supported(at, capacity.empty() ? json::Value() : shown(capacity), {"storage"});
  }
  for (const auto& [name, amount] : capacity) {
    if (amount.sign() < 0) problems.invalid(at.key(name), amount.value(), "must be a valid resource quantity");
    if (amount.sign() <= 0) problems.invalid(at.key(name), amount.to_string(), kNotPositive);
  }
}

}  // namespace

void check_driver_name(const std::string& name, const FieldPath& at, Problems& problems) {
  constexpr std::size_t kLongest = 63;
  if (name.empty()) {
    problems.required(at);
    return;
  }
  if (name.size() > kLongest) problems.too_long(at, kLongest);
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  problems.invalid(at, name, names::dns1123_subdomain(lower));
}

void validate_claim_spec(const core::PersistentVolumeClaimSpec& spec, const FieldPath& at, Problems& problems) {
  if (spec.accessModes.empty()) {
    problems.required(at.child("accessModes"), "at least 1 access mode is required");
  }
  if (spec.selector) check_label_selector(*spec.selector, at.child("selector"), problems);
  check_access_modes(spec.accessModes, at.child("accessModes"), problems);
  const FieldPath storage = at.child("resources").key("storage");
  const auto requested = spec.resources.requests.find("storage");
  if (requested == spec.resources.requests.end()) {
    problems.required(storage);
  } else if (requested->second.sign() <= 0) {
    problems.invalid(storage, requested->second.to_string(), kNotPositive);
  }
  if (!spec.storageClassName.value_or("").empty()) {
    check_name(*spec.storageClassName, names::dns1123_subdomain, at.child("storageClassName"), problems);
  }
  if (spec.volumeMode) check_one_of(*spec.volumeMode, {"Block", "Filesystem"}, at.child("volumeMode"), problems);
  check_data_sources(spec, at, problems);
  if (!spec.volumeAttributesClassName.value_or("").empty()) {
    check_name(*spec.volumeAttributesClassName, names::dns1123_subdomain, at.child("volumeAttributesClassName"),
               problems);
  }
}

void validate_claim_update(const core::PersistentVolumeClaim& claim, const core::PersistentVolumeClaim& old,
                           Problems& problems) {
  const FieldPath at("spec");
  validate_claim_spec(claim.spec, at, problems);
  core::PersistentVolumeClaimSpec before = old.spec;
  if (before.volumeName.empty()) before.volumeName = claim.spec.volumeName;
  const core::PersistentVolumeClaimSpec now = without_changes_allowed(claim, old);
  if (!kube::semantic_equal(now, before)) {
    problems.forbidden(at,
                       "spec is immutable after creation except resources.requests and volumeAttributesClassName for "
                       "bound claims\n" +
                           unified_diff(internal_form("PersistentVolumeClaimSpec", shown(before)),
                                        internal_form("PersistentVolumeClaimSpec", shown(now))));
  }
  const kube::Quantity size = storage_of(claim.spec.resources.requests);
  if (size < storage_of(old.spec.resources.requests) && size <= storage_of(old.status.capacity)) {
    problems.forbidden(at.child("resources").child("requests").child("storage"),
                       "field can not be less than status.capacity");
  }
  check_immutable(claim.spec.volumeMode, old.spec.volumeMode, FieldPath("volumeMode"), problems);
}

void validate_volume(const core::PersistentVolume& volume, Problems& problems) {
  const FieldPath at("spec");
  const core::PersistentVolumeSpec& spec = volume.spec;
  if (spec.accessModes.empty()) problems.required(at.child("accessModes"));
  check_access_modes(spec.accessModes, at.child("accessModes"), problems);
  check_capacity(spec.capacity, at.child("capacity"), problems);
  check_one_of(spec.persistentVolumeReclaimPolicy, {"Delete", "Recycle", "Retain"},
               at.child("persistentVolumeReclaimPolicy"), problems);
  if (spec.nodeAffinity) {
    const FieldPath here = at.child("nodeAffinity");
    if (spec.nodeAffinity->required) {
      check_node_selector(*spec.nodeAffinity->required, here.child("required"), problems);
    } else {
      problems.required(here.child("required"), "must specify required node constraints");
    }
  }
  check_source(spec, at, problems);
  if (spec.hostPath && spec.hostPath->path == "/" && spec.persistentVolumeReclaimPolicy == "Recycle") {
    problems.forbidden(at.child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'");
  }
  if (!spec.storageClassName.empty()) {
    check_name(spec.storageClassName, names::dns1123_subdomain, at.child("storageClassName"), problems);
  }
  if (spec.volumeMode) check_one_of(*spec.volumeMode, {"Block", "Filesystem"}, at.child("volumeMode"), problems);
}

void validate_volume_update(const core::PersistentVolume& volume, const core::PersistentVolume& old,
                            Problems& problems) {
  validate_volume(volume, problems);
  const core::PersistentVolumeSpec source = source_of(volume.spec);
  const core::PersistentVolumeSpec before = source_of(old.spec);
  if (!kube::semantic_equal(source, before)) {
    problems.forbidden(FieldPath("spec").child("persistentvolumesource"),
                       "spec.persistentvolumesource is immutable after creation\n" +
                           unified_diff(internal_form("PersistentVolumeSource", shown(before)),
                                        internal_form("PersistentVolumeSource", shown(source))));
  }
  check_immutable(volume.spec.volumeMode, old.spec.volumeMode, FieldPath("volumeMode"), problems);
}

}  // namespace flyball::apiserver
