#include "flyball/cluster/controllers/volume_binder.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "flyball/cluster/controllers/pod_claims.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;
namespace storage = kube::storage::v1;
using Claim = core::PersistentVolumeClaim;
using Volume = core::PersistentVolume;

constexpr const char* kDefaultClass = "storageclass.kubernetes.io/is-default-class";
constexpr const char* kProvisionedBy = "pv.kubernetes.io/provisioned-by";
constexpr const char* kBoundByController = "pv.kubernetes.io/bound-by-controller";

bool is_of(const Volume& volume, const Claim& claim) {
  const auto& ref = volume.spec.claimRef;
  return ref && ref->namespace_ == claim.metadata.namespace_ && ref->name == claim.metadata.name &&
         (ref->uid.empty() || ref->uid == claim.metadata.uid);
}

core::ObjectReference reference_to(const Claim& claim) {
  return {.apiVersion = "v1",
          .kind = "PersistentVolumeClaim",
          .name = claim.metadata.name,
          .namespace_ = claim.metadata.namespace_,
          .uid = claim.metadata.uid,
          .resourceVersion = claim.metadata.resourceVersion};
}

kube::Quantity asked(const Claim& claim) {
  const auto found = claim.spec.resources.requests.find("storage");
  return found == claim.spec.resources.requests.end() ? kube::Quantity() : found->second;
}

kube::Quantity size(const Volume& volume) {
  const auto found = volume.spec.capacity.find("storage");
  return found == volume.spec.capacity.end() ? kube::Quantity() : found->second;
}

bool fits(const Volume& volume, const Claim& claim) {
  if (volume.metadata.deletionTimestamp || is_of(volume, claim)) return !volume.metadata.deletionTimestamp;
  if (volume.spec.claimRef || volume.spec.storageClassName != class_of(claim)) return false;
  if (volume.spec.volumeMode.value_or("Filesystem") != claim.spec.volumeMode.value_or("Filesystem")) return false;
  if (claim.spec.selector && !selector_of(*claim.spec.selector).matches(volume.metadata.labels)) return false;
  const bool modes = std::ranges::all_of(claim.spec.accessModes, [&](const std::string& mode) {
    return std::ranges::find(volume.spec.accessModes, mode) != volume.spec.accessModes.end();
  });
  return modes && size(volume) >= asked(claim);
}

// One that was made for it, or the smallest that is large enough.
std::optional<Volume> find_volume(Context& ctx, const Claim& claim) {
  std::optional<Volume> best;
  for (Volume& volume : ctx.list<Volume>()) {
    if (!fits(volume, claim)) continue;
    if (is_of(volume, claim)) return std::move(volume);
    if (!best || size(volume) < size(*best)) best = std::move(volume);
  }
  return best;
}

Volume provision(Context& ctx, const Claim& claim, const storage::StorageClass& storage_class,
                 const std::string& directory) {
  const std::string name = "pvc-" + claim.metadata.uid;
  Volume volume{.metadata = {.name = name, .annotations = {{kProvisionedBy, kLocalProvisioner}}},
                .spec = {.capacity = {{"storage", asked(claim)}},
                         .accessModes = claim.spec.accessModes,
                         .persistentVolumeReclaimPolicy = storage_class.reclaimPolicy.value_or("Delete"),
                         .storageClassName = storage_class.metadata.name,
                         .volumeMode = claim.spec.volumeMode,
                         .claimRef = reference_to(claim),
                         .hostPath = {{.path = directory + "/" + name + "_" + claim.metadata.namespace_ + "_" +
                                               claim.metadata.name,
                                       .type = "DirectoryOrCreate"}}}};
  const auto node = claim.metadata.annotations.find(kSelectedNode);
  if (node != claim.metadata.annotations.end()) {
    core::NodeSelector here{
        .nodeSelectorTerms = {
            {.matchExpressions = {{.key = "kubernetes.io/hostname", .operator_ = "In", .values = {node->second}}}}}};
    volume.spec.nodeAffinity = {{.required = std::move(here)}};
  }
  Volume made = ctx.create(std::move(volume), {.owned = false});
  ctx.event("ProvisioningSucceeded", "Successfully provisioned volume " + name);
  return made;
}

// The claim is written first: when it names the volume, the status may follow.
void bind(Context& ctx, Claim& claim, const Volume& volume) {
  if (!volume.spec.claimRef || volume.spec.claimRef->uid.empty()) {
    Volume bound = volume;
    bound.spec.claimRef = reference_to(claim);
    bound.metadata.annotations[kBoundByController] = "yes";
    ctx.update(volume, bound);
  }
  Claim named = claim;
  named.spec.volumeName = volume.metadata.name;
  named.metadata.annotations["pv.kubernetes.io/bind-completed"] = "yes";
  // Not where a person chose the volume.
  if (claim.spec.volumeName.empty()) named.metadata.annotations[kBoundByController] = "yes";
  if (volume.metadata.annotations.contains(kProvisionedBy)) {
    named.metadata.annotations["volume.kubernetes.io/storage-provisioner"] = kLocalProvisioner;
    named.metadata.annotations["volume.beta.kubernetes.io/storage-provisioner"] = kLocalProvisioner;
  }
  ctx.update(claim, named);
  ctx.requeue_after(Duration::zero());
}

// True when the claim was written, and the pass has to end.
bool took_default_class(Context& ctx, const Claim& claim) {
  if (claim.spec.storageClassName) return false;
  for (const auto& one : ctx.list<storage::StorageClass>()) {
    const auto word = one.metadata.annotations.find(kDefaultClass);
    if (word == one.metadata.annotations.end() || word->second != "true") continue;
    Claim with = claim;
    with.spec.storageClassName = one.metadata.name;
    ctx.update(claim, with);
    ctx.requeue_after(Duration::zero());
    return true;
  }
  return false;
}

void bind_claim(Context& ctx, Claim& claim, const VolumeOptions& options) {
  if (!claim.spec.volumeName.empty()) {
    const auto volume = ctx.find<Volume>(claim.spec.volumeName);
    if (!volume) {
      if (claim.status.phase == "Bound") {
        claim.status.phase = "Lost";
        ctx.warn("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
      }
      return;
    }
    if (!is_of(*volume, claim)) {
      // Somebody wrote the volume's name on the claim.
      if (!volume->spec.claimRef) bind(ctx, claim, *volume);
      return;
    }
    claim.status.phase = "Bound";
    claim.status.accessModes = volume->spec.accessModes;
    claim.status.capacity = volume->spec.capacity;
    return;
  }
  if (took_default_class(ctx, claim)) return;
  if (const auto volume = find_volume(ctx, claim)) return bind(ctx, claim, *volume);
  const std::string name = class_of(claim);
  if (name.empty()) {
    return ctx.event("FailedBinding", "no persistent volumes available for this claim and no storage class is set");
  }
  const auto storage_class = ctx.find<storage::StorageClass>(name);
  if (!storage_class) {
    return ctx.warn("ProvisioningFailed", "storageclass.storage.k8s.io \"" + name + "\" not found");
  }
  if (storage_class->volumeBindingMode == "WaitForFirstConsumer" &&
      !claim.metadata.annotations.contains(kSelectedNode)) {
    return ctx.event("WaitForFirstConsumer", "waiting for first consumer to be created before binding");
  }
  if (storage_class->provisioner != kLocalProvisioner) return;
  bind(ctx, claim, provision(ctx, claim, *storage_class, options.directory));
}

void forget(Context& ctx, const Volume& volume, const VolumeOptions& options) {
  const std::filesystem::path directory = options.directory;
  const std::filesystem::path path = volume.spec.hostPath ? volume.spec.hostPath->path : "";
  // Only what was made here: a path that somebody wrote may be anything.
  if (!path.empty() && path.parent_path() == directory) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) ctx.warn("VolumeFailedDelete", "cannot remove " + path.string() + ": " + error.message());
  }
  ctx.delete_(volume);
}

void follow_volume(Context& ctx, Volume& volume, const VolumeOptions& options) {
  const kube::Time now(ctx.clock().wall_now());
  const auto set = [&](const char* phase) {
    if (volume.status.phase == phase) return;
    volume.status.phase = phase;
    volume.status.lastPhaseTransitionTime = now;
  };
  if (!volume.spec.claimRef || volume.spec.claimRef->uid.empty()) return set("Available");
  const auto claim = ctx.find<Claim>({volume.spec.claimRef->namespace_, volume.spec.claimRef->name});
  if (claim && claim->metadata.uid == volume.spec.claimRef->uid) return set("Bound");
  const bool was_released = volume.status.phase == "Released";
  set("Released");
  const auto by = volume.metadata.annotations.find(kProvisionedBy);
  const bool ours = by != volume.metadata.annotations.end() && by->second == kLocalProvisioner;
  if (!ours || volume.spec.persistentVolumeReclaimPolicy != "Delete") return;
  // When the phase is written, and not before: a bound volume does not go.
  if (was_released) return forget(ctx, volume, options);
  ctx.requeue_after(Duration::zero());
}

}  // namespace

storage::StorageClass local_storage_class() {
  return {.metadata = {.name = "standard", .annotations = {{kDefaultClass, "true"}}},
          .provisioner = kLocalProvisioner,
          .reclaimPolicy = "Delete",
          .volumeBindingMode = "WaitForFirstConsumer"};
}

void declare_volume_binder(runtime::Operator& op, VolumeOptions options) {
  op.reconcile<Claim>([options](Context& ctx, Claim& claim) { bind_claim(ctx, claim, options); })
      .reads<Volume>()
      .reads<storage::StorageClass>()
      .may("", "persistentvolumes", {runtime::Verb::create, runtime::Verb::patch}, false)
      .may("", "persistentvolumeclaims", {runtime::Verb::patch})
      .name("persistentvolume-binder");
  op.reconcile<Volume>(
        [options = std::move(options)](Context& ctx, Volume& volume) { follow_volume(ctx, volume, options); })
      .reads<Claim>()
      .may("", "persistentvolumes", {runtime::Verb::delete_}, false)
      .name("persistentvolume-controller");
}

}  // namespace flyball::cluster
