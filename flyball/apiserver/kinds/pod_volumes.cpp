#include <set>
#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace meta = kube::meta::v1;
namespace names = kube::names;

constexpr std::int32_t kMostMode = 0777;
constexpr std::int64_t kShortestToken = 600;
constexpr std::int64_t kLongestToken = std::int64_t{1} << 32;
constexpr std::string_view kOneType = "may not specify more than 1 volume type";

void check_mode(const std::optional<std::int32_t>& mode, const FieldPath& at, Problems& problems) {
  if (!mode || (*mode >= 0 && *mode <= kMostMode)) return;
  problems.invalid(at, *mode, "must be a number between 0 and 0777 (octal), both inclusive");
}

void check_file_path(const std::string& path, const FieldPath& at, Problems& problems) {
  check_descending_path(path, at, problems);
  if (path.starts_with("..") && !path.starts_with("../")) problems.invalid(at, path, "must not start with '..'");
}

void check_item(const core::KeyToPath& item, const FieldPath& at, Problems& problems) {
  require(item.key, at.child("key"), problems);
  require(item.path, at.child("path"), problems);
  check_file_path(item.path, at.child("path"), problems);
  check_mode(item.mode, at.child("mode"), problems);
}

void check_items(const std::vector<core::KeyToPath>& items, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < items.size(); ++i) check_item(items[i], at.index(i), problems);
}

void check_downward_file(const core::DownwardAPIVolumeFile& file, const FieldPath& at, Problems& problems) {
  static const std::vector<std::string_view> shown_fields = {"metadata.annotations", "metadata.labels", "metadata.name",
                                                             "metadata.namespace", "metadata.uid"};
  require(file.path, at.child("path"), problems);
  check_file_path(file.path, at.child("path"), problems);
  if (file.fieldRef) {
    check_field_ref(*file.fieldRef, shown_fields, at.child("fieldRef"), problems);
    if (file.resourceFieldRef) {
      problems.invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  } else if (file.resourceFieldRef) {
    check_resource_ref(*file.resourceFieldRef, true, at.child("resourceFieldRef"), problems);
  } else {
    problems.required(at, "one of fieldRef and resourceFieldRef is required");
  }
  check_mode(file.mode, at.child("mode"), problems);
}

// Files of all sources come to lie in one directory.
class Projection {
 public:
  Projection(const FieldPath& at, Problems& problems) : at_(at), problems_(problems) {}

  void check(const core::VolumeProjection& source, const FieldPath& at) {
    int sources = 0;
    if (source.secret) {
      ++sources;
      check_keys(source.secret->name, source.secret->items, at.child("secret"));
    }
    if (source.configMap) {
      ++sources;
      check_keys(source.configMap->name, source.configMap->items, at.child("configMap"));
    }
    if (source.downwardAPI) {
      ++sources;
      for (const core::DownwardAPIVolumeFile& file : source.downwardAPI->items) {
        check_downward_file(file, at.child("downwardAPI"), problems_);
        take(file.path, file.path);
      }
    }
    if (source.serviceAccountToken) {
      ++sources;
      check_token(*source.serviceAccountToken, at.child("serviceAccountToken"));
    }
    if (sources > 1) problems_.forbidden(at, "may not specify more than 1 volume type per source");
  }

 private:
  void check_keys(const std::string& name, const std::vector<core::KeyToPath>& items, const FieldPath& at) {
    require(name, at.child("name"), problems_);
    for (std::size_t i = 0; i < items.size(); ++i) {
      check_item(items[i], at.child("items").index(i), problems_);
      take(items[i].path, name);
    }
  }
  void check_token(const core::ServiceAccountTokenProjection& token, const FieldPath& at) {
    const std::int64_t seconds = token.expirationSeconds.value_or(0);
    if (seconds < kShortestToken) {
      problems_.invalid(at.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds > kLongestToken) {
      problems_.invalid(at.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
    }
    if (token.path.empty()) {
      problems_.required(at_.child("path"));
    } else {
      check_file_path(token.path, at_.child("path"), problems_);
    }
  }
  void take(const std::string& path, const std::string& shown_as) {
    if (path.empty() || paths_.insert(path).second) return;
    problems_.invalid(at_, shown_as, "conflicting duplicate paths");
  }

  const FieldPath& at_;
  Problems& problems_;
  std::set<std::string> paths_;
};

void check_projected(const core::ProjectedVolumeSource& volume, const FieldPath& at, Problems& problems) {
  check_mode(volume.defaultMode, at.child("defaultMode"), problems);
  Projection projection(at, problems);
  for (std::size_t i = 0; i < volume.sources.size(); ++i) {
    projection.check(volume.sources[i], at.child("sources").index(i));
  }
}

void check_host_path(const core::HostPathVolumeSource& volume, const FieldPath& at, Problems& problems) {
  if (volume.path.empty()) {
    problems.required(at.child("path"));
    return;
  }
  check_no_backsteps(volume.path, at.child("path"), problems);
  if (!volume.type) return;
  check_one_of(*volume.type,
               {"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"},
               at.child("type"), problems);
}

void check_nfs(const core::NFSVolumeSource& volume, const FieldPath& at, Problems& problems) {
  require(volume.server, at.child("server"), problems);
  require(volume.path, at.child("path"), problems);
  if (!volume.path.starts_with('/')) problems.invalid(at.child("path"), volume.path, "must be an absolute path");
}

void check_csi(const core::CSIVolumeSource& volume, const FieldPath& at, Problems& problems) {
  check_driver_name(volume.driver, at.child("driver"), problems);
  if (!volume.nodePublishSecretRef) return;
  const std::string& name = volume.nodePublishSecretRef->name;
  if (name.empty()) {
    problems.required(at.child("nodePublishSecretRef").child("name"));
  } else {
    check_name(name, names::dns1123_subdomain, at.child("name"), problems);
  }
}

// One source at a time, in the order in which the API server looks at them.
class Source {
 public:
  Source(const core::Volume& volume, const FieldPath& at, Problems& problems)
      : volume_(volume), at_(at), problems_(problems) {}

  void check(const meta::ObjectMeta* metadata, bool of_pod) {
    check_empty_dir();
    one(volume_.hostPath, "hostPath", check_host_path);
    one(volume_.gitRepo, "gitRepo", [](const auto& source, const FieldPath& at, Problems& problems) {
      require(source.repository, at.child("repository"), problems);
      check_descending_path(source.directory, at.child("directory"), problems);
    });
    one(volume_.gcePersistentDisk, "gcePersistentDisk", kNoCheck);
    one(volume_.awsElasticBlockStore, "awsElasticBlockStore", kNoCheck);
    one(volume_.secret, "secret", [](const auto& source, const FieldPath& at, Problems& problems) {
      require(source.secretName, at.child("secretName"), problems);
      check_mode(source.defaultMode, at.child("defaultMode"), problems);
      check_items(source.items, at.child("items"), problems);
    });
    one(volume_.nfs, "nfs", check_nfs);
    one(volume_.iscsi, "iscsi", kNoCheck);
    one(volume_.glusterfs, "glusterfs", kNoCheck);
    one(volume_.flocker, "flocker", kNoCheck);
    one(volume_.persistentVolumeClaim, "persistentVolumeClaim",
        [](const auto& source, const FieldPath& at, Problems& problems) {
          require(source.claimName, at.child("claimName"), problems);
        });
    one(volume_.rbd, "rbd", kNoCheck);
    one(volume_.cinder, "cinder", kNoCheck);
    one(volume_.cephfs, "cephFS", kNoCheck);
    one(volume_.quobyte, "quobyte", kNoCheck);
    one(volume_.downwardAPI, "downwardAPI", [](const auto& source, const FieldPath& at, Problems& problems) {
      check_mode(source.defaultMode, at.child("defaultMode"), problems);
      for (const core::DownwardAPIVolumeFile& file : source.items) check_downward_file(file, at, problems);
    });
    one(volume_.fc, "fc", kNoCheck);
    one(volume_.flexVolume, "flexVolume", [](const auto& source, const FieldPath& at, Problems& problems) {
      require(source.driver, at.child("driver"), problems);
    });
    one(volume_.configMap, "configMap", [](const auto& source, const FieldPath& at, Problems& problems) {
      require(source.name, at.child("name"), problems);
      check_mode(source.defaultMode, at.child("defaultMode"), problems);
      check_items(source.items, at.child("items"), problems);
    });
    one(volume_.azureFile, "azureFile", kNoCheck);
    one(volume_.vsphereVolume, "vsphereVolume", kNoCheck);
    one(volume_.photonPersistentDisk, "photonPersistentDisk", kNoCheck);
    one(volume_.portworxVolume, "portworxVolume", kNoCheck);
    one(volume_.azureDisk, "azureDisk", kNoCheck);
    one(volume_.storageos, "storageos", kNoCheck);
    one(volume_.projected, "projected", check_projected);
    one(volume_.scaleIO, "scaleIO", kNoCheck);
    one(volume_.csi, "csi", check_csi);
    one(volume_.ephemeral, "ephemeral", [&](const auto& source, const FieldPath& at, Problems& problems) {
      check_ephemeral(source, metadata, at, problems);
    });
    one(volume_.image, "image", [&](const auto& source, const FieldPath& at, Problems& problems) {
      if (of_pod) require(source.reference, at.child("reference"), problems);
      check_pull_policy(source.pullPolicy, at.child("pullPolicy"), problems);
    });
    if (found_ == 0) problems_.required(at_, "must specify a volume type");
  }

 private:
  // Sources of single vendors, most of which are gone: taken as they are.
  static constexpr auto kNoCheck = [](const auto&, const FieldPath&, Problems&) {};

  template <class T, class Check>
  void one(const Box<T>& source, std::string_view name, Check&& check) {
    if (!source) return;
    if (found_ > 0) {
      problems_.forbidden(at_.child(name), kOneType);
      return;
    }
    ++found_;
    check(*source, at_.child(name), problems_);
  }
  void check_empty_dir() {
    if (!volume_.emptyDir) return;
    ++found_;
    if (volume_.emptyDir->sizeLimit && volume_.emptyDir->sizeLimit->sign() < 0) {
      problems_.forbidden(at_.child("emptyDir").child("sizeLimit"),
                          "SizeLimit field must be a valid resource quantity");
    }
  }
  void check_ephemeral(const core::EphemeralVolumeSource& source, const meta::ObjectMeta* metadata, const FieldPath& at,
                       Problems& problems) {
    if (!source.volumeClaimTemplate) {
      problems.required(at.child("volumeClaimTemplate"));
    } else {
      const FieldPath here = at.child("volumeClaimTemplate");
      check_annotations(source.volumeClaimTemplate->metadata.annotations, here.child("metadata").child("annotations"),
                        problems);
      check_labels(source.volumeClaimTemplate->metadata.labels, here.child("metadata").child("labels"), problems);
      validate_claim_spec(source.volumeClaimTemplate->spec, here.child("spec"), problems);
    }
    if (metadata == nullptr || metadata->name.empty() || volume_.name.empty()) return;
    const std::string claim = metadata->name + "-" + volume_.name;
    for (const std::string& message : names::dns1123_subdomain(claim)) {
      problems.invalid(at_.child("name"), volume_.name, joined({"PVC name \"", claim, "\": ", message}));
    }
  }

  const core::Volume& volume_;
  const FieldPath& at_;
  Problems& problems_;
  int found_ = 0;
};

}  // namespace

VolumesByName check_volumes(const std::vector<core::Volume>& volumes, const meta::ObjectMeta* metadata, bool of_pod,
                            const FieldPath& at, Problems& problems) {
  VolumesByName fine;
  std::set<std::string> made;
  for (const core::Volume& volume : volumes) {
    if (metadata != nullptr && !metadata->name.empty() && volume.ephemeral) {
      made.insert(metadata->name + "-" + volume.name);
    }
  }
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const core::Volume& volume = volumes[i];
    const FieldPath here = at.index(i);
    Problems found;
    Source(volume, here, found).check(metadata, of_pod);
    if (volume.name.empty()) {
      found.required(here.child("name"));
    } else {
      check_name(volume.name, names::dns1123_label, here.child("name"), found);
    }
    if (fine.contains(volume.name)) found.duplicate(here.child("name"), volume.name);
    if (found.empty()) fine.emplace(volume.name, &volume);
    problems.add(found);
    if (volume.persistentVolumeClaim && made.contains(volume.persistentVolumeClaim->claimName)) {
      problems.invalid(here.child("persistentVolumeClaim").child("claimName"), volume.persistentVolumeClaim->claimName,
                       "must not reference a PVC that gets created for an ephemeral volume");
    }
  }
  return fine;
}

}  // namespace flyball::apiserver
