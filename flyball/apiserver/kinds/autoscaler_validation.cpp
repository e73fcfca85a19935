#include "flyball/apiserver/kinds/autoscaler_validation.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

namespace flyball::apiserver {
namespace {

namespace names = kube::names;
namespace v1 = kube::autoscaling::v1;
namespace v2 = kube::autoscaling::v2;

constexpr std::int32_t kLongestWindow = 3600;
constexpr std::int32_t kLongestPeriod = 1800;
constexpr std::string_view kPopulate = "must populate information for the given metric source";
constexpr std::string_view kZero = "must be greater than zero";

void check_segment(const std::string& value, const FieldPath& at, Problems& problems) {
  if (value.empty()) {
    problems.required(at);
  } else {
    check_name(value, names::path_segment, at, problems);
  }
}

template <class Reference>
void check_reference(const Reference& reference, const FieldPath& at, bool group_needed, Problems& problems) {
  check_segment(reference.kind, at.child("kind"), problems);
  check_segment(reference.name, at.child("name"), problems);
  const auto slashes = std::ranges::count(reference.apiVersion, '/');
  if (slashes > 1) {
    problems.invalid(at.child("apiVersion"), reference.apiVersion,
                     "unexpected GroupVersion string: " + reference.apiVersion);
  } else if (slashes == 0 && group_needed) {
    problems.invalid(at.child("apiVersion"), reference.apiVersion, "apiVersion must specify API group");
  }
}

template <class Spec>
void check_replicas(const Spec& spec, const FieldPath& at, Problems& problems) {
  if (spec.minReplicas && *spec.minReplicas < 1) {
    problems.invalid(at.child("minReplicas"), *spec.minReplicas, "must be greater than or equal to 1");
  }
  if (spec.maxReplicas == 0) {
    problems.required(at.child("maxReplicas"), "must be set and greater than 0");
  } else if (spec.maxReplicas < 0) {
    problems.invalid(at.child("maxReplicas"), spec.maxReplicas, "must be greater than or equal to 1");
  }
  if (spec.minReplicas && spec.maxReplicas < *spec.minReplicas) {
    problems.invalid(at.child("maxReplicas"), spec.maxReplicas, "must be greater than or equal to `minReplicas`");
  }
  // The core group has nothing that scales but ReplicationControllers.
  check_reference(spec.scaleTargetRef, at.child("scaleTargetRef"), spec.scaleTargetRef.kind != "ReplicationController",
                  problems);
}

void check_target(const v2::MetricTarget& target, const FieldPath& at, Problems& problems) {
  if (target.type.empty()) problems.required(at.child("type"), "must specify a metric target type");
  if (target.type != "Utilization" && target.type != "Value" && target.type != "AverageValue") {
    problems.invalid(at.child("type"), target.type, "must be either Utilization, Value, or AverageValue");
  }
  if (target.value && target.value->sign() != 1) {
    problems.invalid(at.child("value"), target.value->to_string(), "must be positive");
  }
  if (target.averageValue && target.averageValue->sign() != 1) {
    problems.invalid(at.child("averageValue"), target.averageValue->to_string(), "must be positive");
  }
  if (target.averageUtilization && *target.averageUtilization < 1) {
    problems.invalid(at.child("averageUtilization"), *target.averageUtilization, "must be greater than 0");
  }
}

void check_metric(const v2::MetricIdentifier& metric, const FieldPath& at, Problems& problems) {
  if (metric.name.empty()) {
    problems.required(at.child("name"), "must specify a metric name");
  } else {
    check_name(metric.name, names::path_segment, at.child("name"), problems);
  }
}

void check_utilization(const v2::MetricTarget& target, const FieldPath& at, Problems& problems) {
  if (!target.averageUtilization && !target.averageValue) {
    problems.required(at.child("averageUtilization"), "must set either a target raw value or a target utilization");
  }
  if (target.averageUtilization && target.averageValue) {
    problems.forbidden(at.child("averageValue"), "may not set both a target raw value and a target utilization");
  }
}

void check_object(const v2::ObjectMetricSource& source, const FieldPath& at, Problems& problems) {
  check_reference(source.describedObject, at.child("describedObject"), false, problems);
  check_metric(source.metric, at.child("metric"), problems);
  check_target(source.target, at.child("target"), problems);
  if (!source.target.value && !source.target.averageValue) {
    problems.required(at.child("target").child("averageValue"), "must set either a target value or averageValue");
  }
}

void check_external(const v2::ExternalMetricSource& source, const FieldPath& at, Problems& problems) {
  check_metric(source.metric, at.child("metric"), problems);
  check_target(source.target, at.child("target"), problems);
  if (!source.target.value && !source.target.averageValue) {
    problems.required(at.child("target").child("averageValue"),
                      "must set either a target value for metric or a per-pod target");
  }
  if (source.target.value && source.target.averageValue) {
    problems.forbidden(at.child("target").child("value"),
                       "may not set both a target value for metric and a per-pod target");
  }
}

void check_pods(const v2::PodsMetricSource& source, const FieldPath& at, Problems& problems) {
  check_metric(source.metric, at.child("metric"), problems);
  check_target(source.target, at.child("target"), problems);
  if (!source.target.averageValue) {
    problems.required(at.child("target").child("averageValue"), "must specify a positive target averageValue");
  }
}

void check_resource(const v2::ResourceMetricSource& source, const FieldPath& at, Problems& problems) {
  if (source.name.empty()) problems.required(at.child("name"), "must specify a resource name");
  check_target(source.target, at.child("target"), problems);
  check_utilization(source.target, at.child("target"), problems);
}

void check_container_resource(const v2::ContainerResourceMetricSource& source, const FieldPath& at,
                              Problems& problems) {
  if (source.name.empty()) {
    problems.required(at.child("name"), "must specify a resource name");
  } else {
    check_container_resource_name(source.name, at.child("name"), problems);
  }
  if (source.container.empty()) {
    problems.required(at.child("container"), "must specify a container");
  } else {
    check_name(source.container, names::dns1123_label, at.child("container"), problems);
  }
  check_target(source.target, at.child("target"), problems);
  check_utilization(source.target, at.child("target"), problems);
}

void check_spec(const v2::MetricSpec& spec, const FieldPath& at, Problems& problems) {
  if (spec.type.empty()) problems.required(at.child("type"), "must specify a metric source type");
  const std::vector<std::string_view> types = {"ContainerResource", "External", "Object", "Pods", "Resource"};
  check_one_of(spec.type, types, at.child("type"), problems);
  std::set<std::string> present;
  const auto look = [&](const auto& source, const char* name, const char* type, auto check) {
    if (source) {
      present.insert(name);
      if (present.size() == 1) check(*source, at.child(name), problems);
    } else if (spec.type == type) {
      problems.required(at.child(name), kPopulate);
    }
  };
  look(spec.object, "object", "Object", check_object);
  look(spec.external, "external", "External", check_external);
  look(spec.pods, "pods", "Pods", check_pods);
  look(spec.resource, "resource", "Resource", check_resource);
  look(spec.containerResource, "containerResource", "ContainerResource", check_container_resource);
  check_one_of(spec.type, types, at.child("type"), problems);  // twice, as upstream
  if (present.size() == 1) return;
  for (const std::string& name : present) {
    std::string type = name;
    type[0] = static_cast<char>(type[0] - 'a' + 'A');
    if (type != spec.type) problems.forbidden(at.child(name), "must populate the given metric source only");
  }
}

void check_scaling(const v2::HPAScalingRules& rules, const FieldPath& at, Problems& problems) {
  if (rules.stabilizationWindowSeconds) {
    const std::int32_t seconds = *rules.stabilizationWindowSeconds;
    const FieldPath here = at.child("stabilizationWindowSeconds");
    if (seconds < 0) problems.invalid(here, seconds, "must be greater than or equal to zero");
    if (seconds > kLongestWindow) problems.invalid(here, seconds, "must be less than or equal to 3600");
  }
  if (rules.selectPolicy) {
    check_one_of(*rules.selectPolicy, {"Disabled", "Max", "Min"}, at.child("selectPolicy"), problems);
  }
  for (std::size_t i = 0; i < rules.policies.size(); ++i) {
    const v2::HPAScalingPolicy& policy = rules.policies[i];
    const FieldPath here = at.child("policies").index(i);
    check_one_of(policy.type, {"Percent", "Pods"}, here.child("type"), problems);
    if (policy.value <= 0) problems.invalid(here.child("value"), policy.value, kZero);
    if (policy.periodSeconds <= 0) problems.invalid(here.child("periodSeconds"), policy.periodSeconds, kZero);
    if (policy.periodSeconds > kLongestPeriod) {
      problems.invalid(here.child("periodSeconds"), policy.periodSeconds, "must be less than or equal to 1800");
    }
  }
}

}  // namespace

void validate_autoscaler(const v1::HorizontalPodAutoscaler& scaler, Problems& problems) {
  const FieldPath at("spec");
  check_replicas(scaler.spec, at, problems);
  const auto& percent = scaler.spec.targetCPUUtilizationPercentage;
  if (percent && *percent < 1) {
    problems.invalid(at.child("metrics").index(0).child("resource").child("target").child("averageUtilization"),
                     *percent, "must be greater than 0");
  }
}

void validate_autoscaler(const v2::HorizontalPodAutoscaler& scaler, Problems& problems) {
  const FieldPath at("spec");
  check_replicas(scaler.spec, at, problems);
  for (std::size_t i = 0; i < scaler.spec.metrics.size(); ++i) {
    check_spec(scaler.spec.metrics[i], at.child("metrics").index(i), problems);
  }
  const auto can_wake = [](const v2::MetricSpec& metric) {
    return metric.type == "Object" || metric.type == "External";
  };
  if (scaler.spec.minReplicas == 0 && std::ranges::none_of(scaler.spec.metrics, can_wake)) {
    problems.forbidden(at.child("metrics"),
                       "must specify at least one Object or External metric to support scaling to zero replicas");
  }
  if (!scaler.spec.behavior) return;
  const FieldPath behavior = at.child("behavior");
  if (scaler.spec.behavior->scaleUp) {
    check_scaling(*scaler.spec.behavior->scaleUp, behavior.child("scaleUp"), problems);
  }
  if (scaler.spec.behavior->scaleDown) {
    check_scaling(*scaler.spec.behavior->scaleDown, behavior.child("scaleDown"), problems);
  }
}

}  // namespace flyball::apiserver
