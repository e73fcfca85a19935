#include "flyball/cluster/controllers/pod_claims.hpp"

#include "flyball/kube/storage/v1.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;
namespace storage = kube::storage::v1;

std::vector<std::string> claim_names(const core::Pod& pod) {
  std::vector<std::string> names;
  for (const core::Volume& volume : pod.spec.volumes) {
    if (volume.persistentVolumeClaim) names.push_back(volume.persistentVolumeClaim->claimName);
    if (volume.ephemeral) names.push_back(pod.metadata.name + "-" + volume.name);
  }
  return names;
}

std::string class_of(const core::PersistentVolumeClaim& claim) {
  const auto old = claim.metadata.annotations.find("volume.beta.kubernetes.io/storage-class");
  return old != claim.metadata.annotations.end() ? old->second : claim.spec.storageClassName.value_or("");
}

PodClaims claims_of(Context& ctx, const core::Pod& pod) {
  PodClaims claims;
  for (const std::string& name : claim_names(pod)) {
    auto claim = ctx.find<core::PersistentVolumeClaim>(name);
    if (!claim) return {.why = "persistentvolumeclaim \"" + name + "\" not found"};
    if (claim->metadata.deletionTimestamp) return {.why = "persistentvolumeclaim \"" + name + "\" is being deleted"};
    if (!claim->spec.volumeName.empty() && claim->status.phase == "Bound") {
      auto volume = ctx.find<core::PersistentVolume>(claim->spec.volumeName);
      if (volume) claims.volumes.push_back(std::move(*volume));
      continue;
    }
    const auto storage_class = ctx.find<storage::StorageClass>(class_of(*claim));
    const bool waits = storage_class && storage_class->volumeBindingMode == "WaitForFirstConsumer";
    if (!waits) return {.why = "pod has unbound immediate PersistentVolumeClaims"};
    claims.unbound.push_back(std::move(*claim));
  }
  return claims;
}

}  // namespace flyball::cluster
