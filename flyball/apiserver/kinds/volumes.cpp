#include <array>
#include <span>
#include <string>
#include <string_view>

#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/kinds/volume_validation.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

class PersistentVolumeRules final : public RulesFor<core::PersistentVolume> {
 public:
  void set_defaults(core::PersistentVolume& volume) const override {
    if (volume.status.phase.empty()) volume.status.phase = "Pending";
    if (volume.spec.persistentVolumeReclaimPolicy.empty()) volume.spec.persistentVolumeReclaimPolicy = "Retain";
    if (!volume.spec.volumeMode) volume.spec.volumeMode = "Filesystem";
    default_resources(volume.spec.capacity);
    default_volume_source(volume.spec);
  }
  void prepare_create(core::PersistentVolume& volume) const override {
    volume.status = {};
    volume.status.phase = "Pending";
  }
  void stamp(core::PersistentVolume& volume, const core::PersistentVolume* old, bool status,
             const Writer& writer) const override {
    auto& changed = volume.status.lastPhaseTransitionTime;
    if (old == nullptr) {
      changed = writer.now;
      return;
    }
    if (!status) return;
    const bool same_time = !changed || changed == old->status.lastPhaseTransitionTime;
    if (volume.status.phase != old->status.phase && same_time) changed = writer.now;
    if (volume.status.phase == old->status.phase && !changed) changed = old->status.lastPhaseTransitionTime;
  }
  void validate(const core::PersistentVolume& volume, Problems& problems) const override {
    validate_volume(volume, problems);
  }
  void validate_update(const core::PersistentVolume& volume, const core::PersistentVolume& old,
                       Problems& problems) const override {
    validate_volume_update(volume, old, problems);
  }
};

bool is_claim_or_snapshot(const core::TypedLocalObjectReference& source) {
  const std::string group = source.apiGroup.value_or("");
  return (group.empty() && source.kind == "PersistentVolumeClaim") ||
         (group == "snapshot.storage.k8s.io" && source.kind == "VolumeSnapshot");
}

// Two fields for one thing: the one that is missing follows the other.
void pair_data_sources(core::PersistentVolumeClaimSpec& spec) {
  if (spec.dataSource && !spec.dataSourceRef) {
    core::TypedObjectReference& made = spec.dataSourceRef.emplace();
    made.apiGroup = spec.dataSource->apiGroup;
    made.kind = spec.dataSource->kind;
    made.name = spec.dataSource->name;
    return;
  }
  if (!spec.dataSourceRef || spec.dataSource) return;
  if (!spec.dataSourceRef->namespace_.value_or("").empty()) return;
  core::TypedLocalObjectReference& made = spec.dataSource.emplace();
  made.apiGroup = spec.dataSourceRef->apiGroup;
  made.kind = spec.dataSourceRef->kind;
  made.name = spec.dataSourceRef->name;
}

// The old field knows claims and snapshots; anything else in it is dropped without a word, as ever.
void drop_unknown_source(core::PersistentVolumeClaimSpec& spec, const core::PersistentVolumeClaimSpec* old) {
  if (old != nullptr && old->dataSource) return;
  if (spec.dataSourceRef) return;
  if (spec.dataSource && !is_claim_or_snapshot(*spec.dataSource)) spec.dataSource.reset();
}

void drop_foreign_source(core::PersistentVolumeClaimSpec& spec, const core::PersistentVolumeClaimSpec* old) {
  if (old != nullptr && old->dataSourceRef) return;
  if (spec.dataSourceRef && !spec.dataSourceRef->namespace_.value_or("").empty()) spec.dataSourceRef.reset();
}

class ClaimRules final : public RulesFor<core::PersistentVolumeClaim> {
 public:
  void set_defaults(core::PersistentVolumeClaim& claim) const override { default_claim(claim); }
  void prepare_create(core::PersistentVolumeClaim& claim) const override {
    claim.status = {};
    claim.status.phase = "Pending";
    drop_foreign_source(claim.spec, nullptr);
    drop_unknown_source(claim.spec, nullptr);
    pair_data_sources(claim.spec);
  }
  void prepare_update(core::PersistentVolumeClaim& claim, const core::PersistentVolumeClaim& old) const override {
    claim.status = old.status;
    drop_foreign_source(claim.spec, &old.spec);
    drop_unknown_source(claim.spec, &old.spec);
    pair_data_sources(claim.spec);
  }
  void validate(const core::PersistentVolumeClaim& claim, Problems& problems) const override {
    validate_claim_spec(claim.spec, FieldPath("spec"), problems);
  }
  void validate_update(const core::PersistentVolumeClaim& claim, const core::PersistentVolumeClaim& old,
                       Problems& problems) const override {
    validate_claim_update(claim, old, problems);
  }
};

}  // namespace

std::span<const RulesOfKind> volume_kinds() {
  static const PersistentVolumeRules volume_rules;
  static const ClaimRules claim_rules;
  static const std::array kinds = {RulesOfKind{"v1", "PersistentVolume", &volume_rules},
                                   RulesOfKind{"v1", "PersistentVolumeClaim", &claim_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
