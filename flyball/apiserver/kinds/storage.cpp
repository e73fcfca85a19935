#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/internal_form.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
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
  void validate(const storage::StorageClass& object, Problems& problems) const override {
    const FieldPath provisioner("provisioner");
    if (object.provisioner.empty()) {
      problems.required(provisioner);
    } else {
      problems.invalid(provisioner, object.provisioner, kube::names::annotation_key(object.provisioner));
    }
    check_one_of(object.reclaimPolicy.value_or("Delete"), {"Delete", "Retain"}, FieldPath("reclaimPolicy"), problems);
    check_one_of(object.volumeBindingMode.value_or("Immediate"), {"Immediate", "WaitForFirstConsumer"},
                 FieldPath("volumeBindingMode"), problems);
  }
  void validate_update(const storage::StorageClass& object, const storage::StorageClass& old,
                       Problems& problems) const override {
    check_immutable(object.parameters, old.parameters, FieldPath("parameters"), problems);
    check_immutable(object.provisioner, old.provisioner, FieldPath("provisioner"), problems);
    check_kept(object.reclaimPolicy, old.reclaimPolicy, FieldPath("reclaimPolicy"), problems);
    check_kept(object.volumeBindingMode, old.volumeBindingMode, FieldPath("volumeBindingMode"), problems);
  }

 private:
  static void check_kept(const std::optional<std::string>& value, const std::optional<std::string>& old,
                         const FieldPath& at, Problems& problems) {
    if (value != old) problems.invalid(at, value ? json::Value(*value) : json::Value(), kImmutable);
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
  void validate(const storage::CSIDriver& driver, Problems& problems) const override {
    const FieldPath at("spec");
    check_one_of(driver.spec.fsGroupPolicy.value_or("None"), {"File", "None", "ReadWriteOnceWithFSType"},
                 at.child("fsGroupPolicy"), problems);
    for (const std::string& mode : driver.spec.volumeLifecycleModes) {
      check_one_of(mode, {"Persistent", "Ephemeral"}, at.child("volumeLifecycleModes"), problems);
    }
  }
  void validate_update(const storage::CSIDriver& driver, const storage::CSIDriver& old,
                       Problems& problems) const override {
    validate(driver, problems);
    const FieldPath at("spec");
    if (driver.spec.attachRequired != old.spec.attachRequired) {
      problems.invalid(at.child("attachedRequired"), driver.spec.attachRequired.value_or(false), kImmutable);
    }
    check_immutable(driver.spec.volumeLifecycleModes, old.spec.volumeLifecycleModes, at.child("volumeLifecycleModes"),
                    problems);
  }
};

class CSINodeRules final : public RulesFor<storage::CSINode> {
 public:
  Traits traits() const override { return {.unconditional_update = false}; }
  void validate(const storage::CSINode& node, Problems& problems) const override {
    std::set<std::string> seen;
    const FieldPath at = FieldPath("spec").child("drivers");
    for (std::size_t i = 0; i < node.spec.drivers.size(); ++i) {
      const storage::CSINodeDriver& driver = node.spec.drivers[i];
      check_driver_name(driver.name, at.index(i).child("name"), problems);
      require(driver.nodeID, at.index(i).child("nodeID"), problems);
      if (!seen.insert(driver.name).second) problems.duplicate(at.index(i).child("name"), driver.name);
    }
  }
};

class VolumeAttachmentRules final : public RulesFor<storage::VolumeAttachment> {
 public:
  Traits traits() const override { return {.unconditional_update = false}; }
  void set_defaults(storage::VolumeAttachment& attachment) const override {
    if (attachment.spec.source.inlineVolumeSpec) default_volume_source(*attachment.spec.source.inlineVolumeSpec);
  }
  void prepare_status(storage::VolumeAttachment& attachment, const storage::VolumeAttachment& old) const override {
    attachment.spec = old.spec;
    keep_metadata(attachment.metadata, old.metadata);
  }
  void validate(const storage::VolumeAttachment& attachment, Problems& problems) const override {
    const FieldPath at("spec");
    check_driver_name(attachment.spec.attacher, at.child("attacher"), problems);
    const bool by_name = attachment.spec.source.persistentVolumeName.has_value();
    if (by_name == attachment.spec.source.inlineVolumeSpec.has_value()) {
      constexpr std::string_view kOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
      if (by_name) {
        problems.forbidden(at.child("source"), kOne);
      } else {
        problems.required(at.child("source"), kOne);
      }
    }
    check_name(attachment.spec.nodeName, kube::names::dns1123_subdomain, at.child("nodeName"), problems);
  }
  void validate_update(const storage::VolumeAttachment& attachment, const storage::VolumeAttachment& old,
                       Problems& problems) const override {
    validate(attachment, problems);
    if (!kube::semantic_equal(attachment.spec, old.spec)) {
      problems.invalid(FieldPath("spec"), internal_form("VolumeAttachmentSpec", shown(attachment.spec)), kImmutable);
    }
  }
};

}  // namespace

std::span<const RulesOfKind> storage_kinds() {
  static const StorageClassRules class_rules;
  static const CSIDriverRules driver_rules;
  static const CSINodeRules node_rules;
  static const VolumeAttachmentRules attachment_rules;
  static const std::array kinds = {RulesOfKind{"storage.k8s.io/v1", "StorageClass", &class_rules},
                                   RulesOfKind{"storage.k8s.io/v1", "CSIDriver", &driver_rules},
                                   RulesOfKind{"storage.k8s.io/v1", "CSINode", &node_rules},
                                   RulesOfKind{"storage.k8s.io/v1", "VolumeAttachment", &attachment_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
