#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/kinds/workload_checks.hpp"
#include "flyball/apiserver/kinds/workload_validation.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/equality.hpp"

namespace flyball::apiserver {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

constexpr std::int32_t kHistory = 10;
constexpr std::int32_t kProgressSeconds = 600;

// On create, and with every new generation.
template <class Workload>
std::vector<std::string> template_warnings(const Workload& workload, const Workload* old) {
  if (old != nullptr && workload.metadata.generation == old->metadata.generation) return {};
  return pod_warnings(workload.spec.template_.spec, template_path());
}

class DeploymentRules final : public RulesFor<apps::Deployment> {
 public:
  Traits traits() const override { return {.generation = true, .generation_also = "annotations"}; }
  void set_defaults(apps::Deployment& deployment) const override {
    apps::DeploymentSpec& spec = deployment.spec;
    if (!spec.replicas) spec.replicas = 1;
    if (spec.strategy.type.empty()) spec.strategy.type = "RollingUpdate";
    if (spec.strategy.type == "RollingUpdate") {
      apps::RollingUpdateDeployment& update = spec.strategy.rollingUpdate.get_or_make();
      if (!update.maxUnavailable) update.maxUnavailable = "25%";
      if (!update.maxSurge) update.maxSurge = "25%";
    }
    if (!spec.revisionHistoryLimit) spec.revisionHistoryLimit = kHistory;
    if (!spec.progressDeadlineSeconds) spec.progressDeadlineSeconds = kProgressSeconds;
    default_template(spec.template_);
  }
  void prepare_status(apps::Deployment& deployment, const apps::Deployment& old) const override {
    deployment.spec = old.spec;
    deployment.metadata.labels = old.metadata.labels;
  }
  void validate(const apps::Deployment& deployment, Problems& problems) const override {
    validate_deployment(deployment, problems);
  }
  void validate_update(const apps::Deployment& deployment, const apps::Deployment& old,
                       Problems& problems) const override {
    validate_deployment(deployment, problems);
    check_same_selector(deployment.spec.selector, old.spec.selector, FieldPath("spec"), problems);
  }
  void validate_status(const apps::Deployment& deployment, const apps::Deployment& old,
                       Problems& problems) const override {
    validate_deployment_status(deployment, old, problems);
  }
  std::vector<std::string> warnings(const apps::Deployment& deployment, const apps::Deployment* old) const override {
    std::vector<std::string> all;
    if (old == nullptr) warn_of_name(deployment.metadata.name, all);
    append_warnings(all, template_warnings(deployment, old));
    return all;
  }
};

class ReplicaSetRules final : public RulesFor<apps::ReplicaSet> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(apps::ReplicaSet& set) const override {
    if (!set.spec.replicas) set.spec.replicas = 1;
    default_template(set.spec.template_);
  }
  void validate(const apps::ReplicaSet& set, Problems& problems) const override { validate_replica_set(set, problems); }
  void validate_update(const apps::ReplicaSet& set, const apps::ReplicaSet& old, Problems& problems) const override {
    validate_replica_set(set, problems);
    check_same_selector(set.spec.selector, old.spec.selector, FieldPath("spec"), problems);
  }
  void validate_status(const apps::ReplicaSet& set, const apps::ReplicaSet& /*old*/,
                       Problems& problems) const override {
    validate_replica_set_status(set, problems);
  }
  std::vector<std::string> warnings(const apps::ReplicaSet& set, const apps::ReplicaSet* old) const override {
    std::vector<std::string> all;
    if (old == nullptr) warn_of_name(set.metadata.name, all);
    append_warnings(all, template_warnings(set, old));
    return all;
  }
};

class StatefulSetRules final : public RulesFor<apps::StatefulSet> {
 public:
  Traits traits() const override { return {.name = kube::names::dns1123_label, .generation = true}; }
  void set_defaults(apps::StatefulSet& set) const override {
    apps::StatefulSetSpec& spec = set.spec;
    if (spec.podManagementPolicy.empty()) spec.podManagementPolicy = "OrderedReady";
    if (spec.updateStrategy.type.empty()) {
      spec.updateStrategy.type = "RollingUpdate";
      spec.updateStrategy.rollingUpdate.get_or_make();
    }
    if (spec.updateStrategy.type == "RollingUpdate" && spec.updateStrategy.rollingUpdate &&
        !spec.updateStrategy.rollingUpdate->partition) {
      spec.updateStrategy.rollingUpdate->partition = 0;
    }
    auto& retention = spec.persistentVolumeClaimRetentionPolicy.get_or_make();
    if (retention.whenDeleted.empty()) retention.whenDeleted = "Retain";
    if (retention.whenScaled.empty()) retention.whenScaled = "Retain";
    if (!spec.replicas) spec.replicas = 1;
    if (!spec.revisionHistoryLimit) spec.revisionHistoryLimit = kHistory;
    default_template(spec.template_);
    for (core::PersistentVolumeClaim& claim : spec.volumeClaimTemplates) default_claim(claim);
  }
  void prepare_create(apps::StatefulSet& set) const override {
    set.status = {};
    drop_max_unavailable(set);
  }
  void prepare_update(apps::StatefulSet& set, const apps::StatefulSet& old) const override {
    set.status = old.status;
    const auto& before = old.spec.updateStrategy.rollingUpdate;
    if (!before || !before->maxUnavailable) drop_max_unavailable(set);
  }
  void validate(const apps::StatefulSet& set, Problems& problems) const override {
    validate_stateful_set(set, problems);
  }
  void validate_update(const apps::StatefulSet& set, const apps::StatefulSet& old, Problems& problems) const override {
    validate_stateful_set_update(set, old, problems);
  }
  void validate_status(const apps::StatefulSet& set, const apps::StatefulSet& old, Problems& problems) const override {
    validate_stateful_set_status(set, old, problems);
  }
  std::vector<std::string> warnings(const apps::StatefulSet& set, const apps::StatefulSet* old) const override {
    std::vector<std::string> all = template_warnings(set, old);
    if (set.spec.revisionHistoryLimit.value_or(0) < 0) {
      all.emplace_back(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended");
    }
    return all;
  }

 private:
  // Behind a feature gate that is off in v1.36.
  static void drop_max_unavailable(apps::StatefulSet& set) {
    auto& update = set.spec.updateStrategy.rollingUpdate;
    if (update) update->maxUnavailable.reset();
  }
};

class DaemonSetRules final : public RulesFor<apps::DaemonSet> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(apps::DaemonSet& set) const override {
    apps::DaemonSetUpdateStrategy& strategy = set.spec.updateStrategy;
    if (strategy.type.empty()) strategy.type = "RollingUpdate";
    if (strategy.type == "RollingUpdate") {
      apps::RollingUpdateDaemonSet& update = strategy.rollingUpdate.get_or_make();
      if (!update.maxUnavailable) update.maxUnavailable = 1;
      if (!update.maxSurge) update.maxSurge = 0;
    }
    if (!set.spec.revisionHistoryLimit) set.spec.revisionHistoryLimit = kHistory;
    default_template(set.spec.template_);
    // It is there from the start, so that the writer owns it.
    if (!set.metadata.annotations.contains(kTemplateGeneration)) note_template_generation(set, 0);
  }
  void prepare_create(apps::DaemonSet& set) const override {
    set.status = {};
    note_template_generation(set, std::max<std::int64_t>(template_generation(set), 1));
  }
  void prepare_update(apps::DaemonSet& set, const apps::DaemonSet& old) const override {
    set.status = old.status;
    const bool changed = !kube::semantic_equal(set.spec.template_, old.spec.template_);
    note_template_generation(set, template_generation(old) + (changed ? 1 : 0));
  }
  void validate(const apps::DaemonSet& set, Problems& problems) const override { validate_daemon_set(set, problems); }
  void validate_update(const apps::DaemonSet& set, const apps::DaemonSet& old, Problems& problems) const override {
    check_same_selector(set.spec.selector, old.spec.selector, FieldPath("spec"), problems);
    validate_daemon_set(set, problems);
  }
  void validate_status(const apps::DaemonSet& set, const apps::DaemonSet& old, Problems& problems) const override {
    validate_daemon_set_status(set, old, problems);
  }
  std::vector<std::string> warnings(const apps::DaemonSet& set, const apps::DaemonSet* old) const override {
    if (old != nullptr && kube::semantic_equal(set.spec.template_, old->spec.template_)) return {};
    return template_warnings(set, old);
  }

 private:
  // A field of older versions that apps/v1 keeps in an annotation.
  static constexpr const char* kTemplateGeneration = "deprecated.daemonset.template.generation";

  static std::int64_t template_generation(const apps::DaemonSet& set) {
    const auto found = set.metadata.annotations.find(kTemplateGeneration);
    if (found == set.metadata.annotations.end()) return 0;
    std::int64_t generation = 0;
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), generation);
    return generation;
  }
  static void note_template_generation(apps::DaemonSet& set, std::int64_t generation) {
    set.metadata.annotations[kTemplateGeneration] = std::to_string(generation);
  }
};

class ControllerRevisionRules final : public RulesFor<apps::ControllerRevision> {
 public:
  void validate(const apps::ControllerRevision& revision, Problems& problems) const override {
    if (revision.data.is_null()) problems.required(FieldPath("data"), "data is mandatory");
    check_not_negative(revision.revision, FieldPath("revision"), problems);
  }
  void validate_update(const apps::ControllerRevision& revision, const apps::ControllerRevision& old,
                       Problems& problems) const override {
    validate(revision, problems);
    if (revision.data != old.data) problems.invalid(FieldPath("data"), revision.data, kImmutable);
  }
};

}  // namespace

std::span<const RulesOfKind> workload_kinds() {
  static const DeploymentRules deployment_rules;
  static const ReplicaSetRules replica_set_rules;
  static const StatefulSetRules stateful_set_rules;
  static const DaemonSetRules daemon_set_rules;
  static const ControllerRevisionRules revision_rules;
  static const std::array kinds = {RulesOfKind{"apps/v1", "Deployment", &deployment_rules},
                                   RulesOfKind{"apps/v1", "ReplicaSet", &replica_set_rules},
                                   RulesOfKind{"apps/v1", "StatefulSet", &stateful_set_rules},
                                   RulesOfKind{"apps/v1", "DaemonSet", &daemon_set_rules},
                                   RulesOfKind{"apps/v1", "ControllerRevision", &revision_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
