#include <array>
#include <span>

#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/storage/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace storage = kube::storage::v1;

class StorageClassRules final : public RulesFor<storage::StorageClass> {
 public:
  void set_defaults(storage::StorageClass& object) const override {
    if (!object.reclaimPolicy) object.reclaimPolicy = "Delete";
    if (!object.volumeBindingMode) object.volumeBindingMode = "Immediate";
  }
};

class CSIDriverRules final : public RulesFor<storage::CSIDriver> {
 public:
  Traits traits() const override { return {.generation = true, .first_generation = 0, .unconditional_update = false}; }
  void set_defaults(storage::CSIDriver& driver) const override {
    storage::CSIDriverSpec& spec = driver.spec;
    if (!spec.attachRequired) spec.attachRequired = true;
    if (!spec.podInfoOnMount) spec.podInfoOnMount = false;
    if (!spec.storageCapacity) spec.storageCapacity = false;
    if (!spec.fsGroupPolicy) spec.fsGroupPolicy = "ReadWriteOnceWithFSType";
    if (spec.volumeLifecycleModes.empty()) spec.volumeLifecycleModes.emplace_back("Persistent");
    if (!spec.requiresRepublish) spec.requiresRepublish = false;
    if (!spec.seLinuxMount) spec.seLinuxMount = false;
  }
  // Behind a feature gate that is off in v1.36.
  void prepare_create(storage::CSIDriver& driver) const override { driver.spec.preventPodSchedulingIfMissing.reset(); }
  void prepare_update(storage::CSIDriver& driver, const storage::CSIDriver& old) const override {
    if (!old.spec.preventPodSchedulingIfMissing) driver.spec.preventPodSchedulingIfMissing.reset();
  }
};

class CSINodeRules final : public RulesFor<storage::CSINode> {
 public:
  Traits traits() const override { return {.unconditional_update = false}; }
};

class VolumeAttachmentRules final : public RulesFor<storage::VolumeAttachment> {
 public:
  Traits traits() const override {
    return {.unconditional_update = false, .reset = "status", .status_reset = "metadata,spec"};
  }
  void set_defaults(storage::VolumeAttachment& attachment) const override {
    if (attachment.spec.source.inlineVolumeSpec) default_volume_source(*attachment.spec.source.inlineVolumeSpec);
  }
  void prepare_status(storage::VolumeAttachment& attachment, const storage::VolumeAttachment& old) const override {
    attachment.spec = old.spec;
    keep_metadata(attachment.metadata, old.metadata);
  }
};

}  // namespace

std::span<const RulesOfKind> storage_kinds() {
  static const StorageClassRules kClass;
  static const CSIDriverRules kDriver;
  static const CSINodeRules kNode;
  static const VolumeAttachmentRules kAttachment;
  static const std::array kKinds = {RulesOfKind{"storage.k8s.io/v1", "StorageClass", &kClass},
                                    RulesOfKind{"storage.k8s.io/v1", "CSIDriver", &kDriver},
                                    RulesOfKind{"storage.k8s.io/v1", "CSINode", &kNode},
                                    RulesOfKind{"storage.k8s.io/v1", "VolumeAttachment", &kAttachment}};
  return kKinds;
}

}  // namespace flyball::apiserver
