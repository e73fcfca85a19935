#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/pod_resources.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/kinds/workload_checks.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace meta = kube::meta::v1;

// The labels named become expressions of the selector: pods of one rollout keep to themselves.
void require_labels(meta::LabelSelector& selector, const std::vector<std::string>& keys, std::string_view how,
                    const kube::Labels& labels) {
  for (const std::string& key : keys) {
    const auto found = labels.find(key);
    if (found == labels.end()) continue;
    selector.matchExpressions.push_back({.key = key, .operator_ = std::string(how), .values = {found->second}});
  }
}

void require_labels(core::PodAffinityTerm& term, const kube::Labels& labels) {
  if (!term.labelSelector) return;
  require_labels(*term.labelSelector, term.matchLabelKeys, "In", labels);
  require_labels(*term.labelSelector, term.mismatchLabelKeys, "NotIn", labels);
}

template <class PodAffinity>
void require_labels_of(Box<PodAffinity>& affinity, const kube::Labels& labels) {
  if (!affinity) return;
  for (auto& preferred : affinity->preferredDuringSchedulingIgnoredDuringExecution) {
    require_labels(preferred.podAffinityTerm, labels);
  }
  for (auto& required : affinity->requiredDuringSchedulingIgnoredDuringExecution) require_labels(required, labels);
}

void require_labels(core::Pod& pod) {
  const kube::Labels& labels = pod.metadata.labels;
  if (pod.spec.affinity) {
    require_labels_of(pod.spec.affinity->podAffinity, labels);
    require_labels_of(pod.spec.affinity->podAntiAffinity, labels);
  }
  for (core::TopologySpreadConstraint& constraint : pod.spec.topologySpreadConstraints) {
    if (constraint.labelSelector) require_labels(*constraint.labelSelector, constraint.matchLabelKeys, "In", labels);
  }
}

// A client that does not know observedGeneration leaves it out; that does not unset it.
void keep_observed_generation(core::PodStatus& status, const core::PodStatus& old) {
  if (status.observedGeneration == 0) status.observedGeneration = old.observedGeneration;
  for (core::PodCondition& condition : status.conditions) {
    if (condition.observedGeneration != 0) continue;
    for (const core::PodCondition& before : old.conditions) {
      if (before.type == condition.type) condition.observedGeneration = before.observedGeneration;
    }
  }
}

class PodRules final : public RulesFor<core::Pod> {
 public:
  Traits traits() const override {
    return {.generation = true,
            .fields = {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
                       "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"}};
  }
  void set_defaults(core::Pod& pod) const override { default_pod(pod); }
  void prepare_create(core::Pod& pod) const override {
    std::string quality = pod.status.qosClass.empty() ? qos_class(pod.spec) : pod.status.qosClass;
    pod.status = {};
    pod.status.phase = "Pending";
    pod.status.qosClass = std::move(quality);
    if (!pod.spec.schedulingGates.empty()) {
      core::PodCondition gated;
      gated.type = "PodScheduled";
      gated.status = "False";
      gated.reason = "SchedulingGated";
      gated.message = "Scheduling is blocked due to non-empty scheduling gates";
      pod.status.conditions.push_back(gated);
    }
    require_labels(pod);
  }
  void prepare_status(core::Pod& pod, const core::Pod& old) const override {
    pod.spec = old.spec;
    pod.metadata.deletionTimestamp.reset();
    pod.metadata.ownerReferences = old.metadata.ownerReferences;
    if (pod.status.qosClass.empty()) pod.status.qosClass = old.status.qosClass;
    keep_observed_generation(pod.status, old.status);
  }
  void stamp(core::Pod& pod, const core::Pod* old, bool /*status*/, const Writer& writer) const override {
    if (old != nullptr) return;
    for (core::PodCondition& condition : pod.status.conditions) condition.lastTransitionTime = writer.now;
  }
  std::optional<std::int64_t> grace(const core::Pod& pod, std::optional<std::int64_t> asked) const override {
    const bool over = pod.status.phase == "Failed" || pod.status.phase == "Succeeded";
    if (pod.spec.nodeName.empty() || over) return 0;
    const std::int64_t period = asked ? *asked : pod.spec.terminationGracePeriodSeconds.value_or(0);
    return period < 0 ? 1 : period;
  }
  void validate(const core::Pod& pod, Problems& problems) const override { validate_pod(pod, problems); }
  void validate_update(const core::Pod& pod, const core::Pod& old, Problems& problems) const override {
    validate_pod_update(pod, old, problems);
  }
  void validate_status(const core::Pod& pod, const core::Pod& old, Problems& problems) const override {
    validate_pod_status(pod, old, problems);
  }
  std::vector<std::string> warnings(const core::Pod& pod, const core::Pod* old) const override {
    if (old != nullptr && kube::semantic_equal(pod.spec, old->spec)) return {};
    std::vector<std::string> all;
    if (old == nullptr) warn_of_name(pod.metadata.name, all, "the Pod's hostname");
    append_warnings(all, pod_warnings(pod.spec, FieldPath()));
    return all;
  }
};

class PodTemplateRules final : public RulesFor<core::PodTemplate> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(core::PodTemplate& object) const override { default_template(object.template_); }
  void validate(const core::PodTemplate& object, Problems& problems) const override {
    validate_pod_template(object.template_, FieldPath("template"), problems);
  }
  std::vector<std::string> warnings(const core::PodTemplate& object, const core::PodTemplate* old) const override {
    if (old != nullptr && kube::semantic_equal(object.template_, old->template_)) return {};
    return pod_warnings(object.template_.spec, FieldPath("template"));
  }
};

class ReplicationControllerRules final : public RulesFor<core::ReplicationController> {
 public:
  Traits traits() const override {
    return {.generation = true, .orphans_by_default = true, .fields = {"status.replicas"}};
  }
  void set_defaults(core::ReplicationController& controller) const override {
    if (!controller.spec.replicas) controller.spec.replicas = 1;
    if (!controller.spec.template_) return;
    const kube::Labels& labels = controller.spec.template_->metadata.labels;
    if (controller.spec.selector.empty()) controller.spec.selector = labels;
    if (controller.metadata.labels.empty()) controller.metadata.labels = labels;
    default_template(*controller.spec.template_);
  }
  void validate(const core::ReplicationController& controller, Problems& problems) const override {
    const FieldPath at("spec");
    const core::ReplicationControllerSpec& spec = controller.spec;
    check_not_negative(spec.minReadySeconds, at.child("minReadySeconds"), problems);
    if (spec.selector.empty()) problems.required(at.child("selector"));
    check_not_negative(spec.replicas.value_or(0), at.child("replicas"), problems);
    if (!spec.template_) {
      problems.required(at.child("template"));
      return;
    }
    const kube::Labels& labels = spec.template_->metadata.labels;
    if (!kube::Selector::from_labels(spec.selector).matches(labels)) {
      problems.invalid(at.child("template").child("metadata").child("labels"), shown_labels(labels),
                       "`selector` does not match template `labels`");
    }
    validate_pod_template(*spec.template_, at.child("template"), problems);
    check_runs_for_ever(spec.template_->spec, "ReplicationController", at.child("template").child("spec"), problems);
  }
  std::vector<std::string> warnings(const core::ReplicationController& controller,
                                    const core::ReplicationController* old) const override {
    std::vector<std::string> all;
    if (old == nullptr) warn_of_name(controller.metadata.name, all);
    if (controller.spec.template_ && (old == nullptr || !kube::semantic_equal(controller.spec, old->spec))) {
      append_warnings(all, pod_warnings(controller.spec.template_->spec, template_path()));
    }
    return all;
  }
};

}  // namespace

std::span<const RulesOfKind> pod_kinds() {
  static const PodRules pod_rules;
  static const PodTemplateRules template_rules;
  static const ReplicationControllerRules controller_rules;
  static const std::array kinds = {RulesOfKind{"v1", "Pod", &pod_rules},
                                   RulesOfKind{"v1", "PodTemplate", &template_rules},
                                   RulesOfKind{"v1", "ReplicationController", &controller_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
