#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "flyball/apiserver/kinds/autoscaler_validation.hpp"
#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/autoscaling/v1.hpp"
#include "flyball/kube/autoscaling/v2.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/kube/node/v1.hpp"
#include "flyball/kube/policy/v1.hpp"
#include "flyball/kube/scheduling/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace autoscaling = kube::autoscaling;
namespace coordination = kube::coordination::v1;
namespace node = kube::node::v1;
namespace policy = kube::policy::v1;
namespace scheduling = kube::scheduling::v1;

constexpr std::int32_t kCpuPercent = 80;

class DisruptionBudgetRules final : public RulesFor<policy::PodDisruptionBudget> {
 public:
  Traits traits() const override { return {.generation = true, .unconditional_update = false}; }
  void validate(const policy::PodDisruptionBudget& budget, Problems& problems) const override {
    const FieldPath at("spec");
    const policy::PodDisruptionBudgetSpec& spec = budget.spec;
    if (spec.minAvailable && spec.maxUnavailable) {
      problems.invalid(at,
                       json::object({{"MinAvailable", shown(*spec.minAvailable)},
                                     {"Selector", spec.selector ? shown(*spec.selector) : json::Value()},
                                     {"MaxUnavailable", shown(*spec.maxUnavailable)},
                                     {"UnhealthyPodEvictionPolicy", spec.unhealthyPodEvictionPolicy
                                                                        ? json::Value(*spec.unhealthyPodEvictionPolicy)
                                                                        : json::Value()}}),
                       "minAvailable and maxUnavailable cannot be both set");
    }
    check_amount(spec.minAvailable, at.child("minAvailable"), problems);
    check_amount(spec.maxUnavailable, at.child("maxUnavailable"), problems);
    if (spec.selector) check_label_selector(*spec.selector, at.child("selector"), problems);
    if (spec.unhealthyPodEvictionPolicy) {
      check_one_of(*spec.unhealthyPodEvictionPolicy, {"AlwaysAllow", "IfHealthyBudget"},
                   at.child("unhealthyPodEvictionPolicy"), problems);
    }
  }
  void validate_status(const policy::PodDisruptionBudget& budget, const policy::PodDisruptionBudget& /*old*/,
                       Problems& problems) const override {
    const FieldPath at("status");
    check_conditions(budget.status.conditions, at.child("conditions"), problems);
    check_not_negative(budget.status.disruptionsAllowed, at.child("disruptionsAllowed"), problems);
    check_not_negative(budget.status.currentHealthy, at.child("currentHealthy"), problems);
    check_not_negative(budget.status.desiredHealthy, at.child("desiredHealthy"), problems);
    check_not_negative(budget.status.expectedPods, at.child("expectedPods"), problems);
  }

 private:
  static void check_amount(const std::optional<kube::IntOrString>& amount, const FieldPath& at, Problems& problems) {
    if (!amount) return;
    check_int_or_percent(*amount, at, problems);
    check_at_most_100_percent(*amount, at, problems);
  }
};

class OldAutoscalerRules final : public RulesFor<autoscaling::v1::HorizontalPodAutoscaler> {
 public:
  void set_defaults(autoscaling::v1::HorizontalPodAutoscaler& scaler) const override {
    if (!scaler.spec.minReplicas) scaler.spec.minReplicas = 1;
  }
  void prepare_create(autoscaling::v1::HorizontalPodAutoscaler& scaler) const override {
    scaler.status = {};
    default_target(scaler);
  }
  void prepare_update(autoscaling::v1::HorizontalPodAutoscaler& scaler,
                      const autoscaling::v1::HorizontalPodAutoscaler& old) const override {
    scaler.status = old.status;
    default_target(scaler);
  }
  void validate(const autoscaling::v1::HorizontalPodAutoscaler& scaler, Problems& problems) const override {
    validate_autoscaler(scaler, problems);
  }

 private:
  // It is kept as v2, where an autoscaler without metrics gets this one.
  static void default_target(autoscaling::v1::HorizontalPodAutoscaler& scaler) {
    if (scaler.spec.targetCPUUtilizationPercentage) return;
    if (scaler.metadata.annotations.contains("autoscaling.alpha.kubernetes.io/metrics")) return;
    scaler.spec.targetCPUUtilizationPercentage = kCpuPercent;
  }
};

constexpr std::int32_t kPeriodSeconds = 15;

autoscaling::v2::HPAScalingRules scale_up_rules() {
  autoscaling::v2::HPAScalingRules rules;
  rules.stabilizationWindowSeconds = 0;
  rules.selectPolicy = "Max";
  rules.policies = {{.type = "Pods", .value = 4, .periodSeconds = kPeriodSeconds},
                    {.type = "Percent", .value = 100, .periodSeconds = kPeriodSeconds}};
  return rules;
}

autoscaling::v2::HPAScalingRules scale_down_rules() {
  autoscaling::v2::HPAScalingRules rules;
  rules.selectPolicy = "Max";
  rules.policies = {{.type = "Percent", .value = 100, .periodSeconds = kPeriodSeconds}};
  return rules;
}

void default_scaling(Box<autoscaling::v2::HPAScalingRules>& rules, const autoscaling::v2::HPAScalingRules& usual) {
  autoscaling::v2::HPAScalingRules& given = rules.get_or_make();
  if (!given.selectPolicy) given.selectPolicy = usual.selectPolicy;
  if (!given.stabilizationWindowSeconds) given.stabilizationWindowSeconds = usual.stabilizationWindowSeconds;
  if (given.policies.empty()) given.policies = usual.policies;
}

class AutoscalerRules final : public RulesFor<autoscaling::v2::HorizontalPodAutoscaler> {
 public:
  void set_defaults(autoscaling::v2::HorizontalPodAutoscaler& scaler) const override {
    if (!scaler.spec.minReplicas) scaler.spec.minReplicas = 1;
    if (scaler.spec.metrics.empty()) {
      autoscaling::v2::MetricSpec cpu;
      cpu.type = "Resource";
      autoscaling::v2::ResourceMetricSource& resource = cpu.resource.emplace();
      resource.name = "cpu";
      resource.target.type = "Utilization";
      resource.target.averageUtilization = kCpuPercent;
      scaler.spec.metrics.push_back(cpu);
    }
    if (!scaler.spec.behavior) return;
    default_scaling(scaler.spec.behavior->scaleUp, scale_up_rules());
    default_scaling(scaler.spec.behavior->scaleDown, scale_down_rules());
  }
  void validate(const autoscaling::v2::HorizontalPodAutoscaler& scaler, Problems& problems) const override {
    validate_autoscaler(scaler, problems);
  }
};

class LeaseRules final : public RulesFor<coordination::Lease> {
 public:
  Traits traits() const override { return {.unconditional_update = false, .create_on_update = true}; }
  // Behind a feature gate that is off in v1.36.
  void prepare_create(coordination::Lease& lease) const override {
    lease.spec.strategy.reset();
    lease.spec.preferredHolder.reset();
  }
  void prepare_update(coordination::Lease& lease, const coordination::Lease& old) const override {
    if (!old.spec.strategy) lease.spec.strategy.reset();
    if (!old.spec.preferredHolder) lease.spec.preferredHolder.reset();
  }
  void validate(const coordination::Lease& lease, Problems& problems) const override {
    const FieldPath at("spec");
    if (lease.spec.leaseDurationSeconds.value_or(1) <= 0) {
      problems.invalid(at.child("leaseDurationSeconds"), *lease.spec.leaseDurationSeconds, "must be greater than 0");
    }
    check_not_negative(lease.spec.leaseTransitions.value_or(0), at.child("leaseTransitions"), problems);
  }
};

class PriorityClassRules final : public RulesFor<scheduling::PriorityClass> {
 public:
  Traits traits() const override { return {.generation = true, .generation_stays = true}; }
  void set_defaults(scheduling::PriorityClass& object) const override {
    if (!object.preemptionPolicy) object.preemptionPolicy = "PreemptLowerPriority";
  }
  void validate(const scheduling::PriorityClass& object, Problems& problems) const override {
    if (object.metadata.name.starts_with("system-")) {
      if (object.metadata.name != "system-node-critical" && object.metadata.name != "system-cluster-critical") {
        problems.forbidden(FieldPath("metadata").child("name"),
                           "priority class names with 'system-' prefix are reserved for system use only. error: " +
                               object.metadata.name + " is not a known system priority class");
      }
    } else if (object.value > kHighestPriority) {
      problems.forbidden(FieldPath("value"), "maximum allowed value of a user defined priority is 1000000000");
    }
    if (object.preemptionPolicy) {
      check_one_of(*object.preemptionPolicy, {"PreemptLowerPriority", "Never"}, FieldPath("preemptionPolicy"),
                   problems);
    }
  }
  void validate_update(const scheduling::PriorityClass& object, const scheduling::PriorityClass& old,
                       Problems& problems) const override {
    if (object.value != old.value) problems.forbidden(FieldPath("value"), "may not be changed in an update.");
    if (object.preemptionPolicy != old.preemptionPolicy) {
      problems.invalid(FieldPath("preemptionPolicy"),
                       object.preemptionPolicy ? json::Value(*object.preemptionPolicy) : json::Value(), kImmutable);
    }
  }

 private:
  static constexpr std::int32_t kHighestPriority = 1'000'000'000;
};

class RuntimeClassRules final : public RulesFor<node::RuntimeClass> {
 public:
  Traits traits() const override { return {.unconditional_update = false, .create_on_update = true}; }
  void validate(const node::RuntimeClass& object, Problems& problems) const override {
    const FieldPath at("handler");
    if (object.handler.empty()) {
      problems.required(at);
    } else {
      problems.invalid(at, object.handler, kube::names::dns1123_label(object.handler));
    }
  }
  void validate_update(const node::RuntimeClass& object, const node::RuntimeClass& old,
                       Problems& problems) const override {
    check_immutable(object.handler, old.handler, FieldPath("handler"), problems);
  }
};

}  // namespace

std::span<const RulesOfKind> policy_kinds() {
  static const DisruptionBudgetRules budget_rules;
  static const OldAutoscalerRules old_autoscaler_rules;
  static const AutoscalerRules autoscaler_rules;
  static const LeaseRules lease_rules;
  static const PriorityClassRules priority_rules;
  static const RuntimeClassRules runtime_rules;
  static const std::array kinds = {RulesOfKind{"policy/v1", "PodDisruptionBudget", &budget_rules},
                                   RulesOfKind{"autoscaling/v1", "HorizontalPodAutoscaler", &old_autoscaler_rules},
                                   RulesOfKind{"autoscaling/v2", "HorizontalPodAutoscaler", &autoscaler_rules},
                                   RulesOfKind{"coordination.k8s.io/v1", "Lease", &lease_rules},
                                   RulesOfKind{"scheduling.k8s.io/v1", "PriorityClass", &priority_rules},
                                   RulesOfKind{"node.k8s.io/v1", "RuntimeClass", &runtime_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
