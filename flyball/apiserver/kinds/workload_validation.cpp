#include "flyball/apiserver/kinds/workload_validation.hpp"

#include <string>
#include <utility>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/workload_checks.hpp"

namespace flyball::apiserver {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::string_view kAboveReplicas = "cannot be greater than status.replicas";

void check_limit(const std::optional<std::int32_t>& limit, const FieldPath& at, Problems& problems) {
  if (limit) check_not_negative(*limit, at, problems);
}

// Of Deployments and ReplicaSets alike, whose pods are a ReplicaSet's.
template <class Spec>
void check_replicated(const Spec& spec, const FieldPath& at, Problems& problems) {
  check_selector_of_template(spec.selector, spec.template_.metadata.labels, at, problems);
  validate_pod_template(spec.template_, at.child("template"), problems);
  check_runs_for_ever(spec.template_.spec, "ReplicaSet", at.child("template").child("spec"), problems);
}

void check_strategy(const apps::DeploymentStrategy& strategy, const FieldPath& at, Problems& problems) {
  const auto& rolling = strategy.rollingUpdate;
  if (strategy.type == "Recreate") {
    if (rolling) {
      problems.forbidden(at.child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'");
    }
    return;
  }
  if (strategy.type != "RollingUpdate") {
    problems.not_supported(at, json::object({{"Type", strategy.type}, {"RollingUpdate", nullptr}}),
                           {"Recreate", "RollingUpdate"});
    return;
  }
  if (!rolling || !rolling->maxUnavailable || !rolling->maxSurge) return;  // defaulted
  const FieldPath here = at.child("rollingUpdate");
  check_int_or_percent(*rolling->maxUnavailable, here.child("maxUnavailable"), problems);
  check_int_or_percent(*rolling->maxSurge, here.child("maxSurge"), problems);
  if (int_or_percent_value(*rolling->maxUnavailable) == 0 && int_or_percent_value(*rolling->maxSurge) == 0) {
    problems.invalid(here.child("maxUnavailable"), shown(*rolling->maxUnavailable),
                     "may not be 0 when `maxSurge` is 0");
  }
  check_at_most_100_percent(*rolling->maxUnavailable, here.child("maxUnavailable"), problems);
}

void check_daemon_strategy(const apps::DaemonSetUpdateStrategy& strategy, const FieldPath& at, Problems& problems) {
  if (strategy.type == "OnDelete") return;
  if (strategy.type != "RollingUpdate") {
    problems.not_supported(at, json::object({{"Type", strategy.type}, {"RollingUpdate", nullptr}}),
                           {"RollingUpdate", "OnDelete"});
    return;
  }
  const auto& rolling = strategy.rollingUpdate;
  if (!rolling || !rolling->maxUnavailable || !rolling->maxSurge) return;  // defaulted
  const FieldPath unavailable = at.child("rollingUpdate").child("maxUnavailable");
  const FieldPath surge = at.child("rollingUpdate").child("maxSurge");
  check_int_or_percent(*rolling->maxUnavailable, unavailable, problems);
  check_int_or_percent(*rolling->maxSurge, surge, problems);
  check_at_most_100_percent(*rolling->maxUnavailable, unavailable, problems);
  check_at_most_100_percent(*rolling->maxSurge, surge, problems);
  const bool some_unavailable = int_or_percent_value(*rolling->maxUnavailable) != 0;
  const bool some_surge = int_or_percent_value(*rolling->maxSurge) != 0;
  if (some_unavailable && some_surge) {
    problems.invalid(surge, shown(*rolling->maxSurge), "may not be set when maxUnavailable is non-zero");
  } else if (!some_unavailable && !some_surge) {
    problems.required(unavailable, "cannot be 0 when maxSurge is 0");
  }
}

void check_stateful_strategy(const apps::StatefulSetUpdateStrategy& strategy, const FieldPath& at, Problems& problems) {
  if (strategy.type == "OnDelete") {
    if (strategy.rollingUpdate) {
      problems.invalid(
          at.child("rollingUpdate"),
          json::object({{"Partition", strategy.rollingUpdate->partition.value_or(0)}, {"MaxUnavailable", nullptr}}),
          "only allowed for updateStrategy 'RollingUpdate'");
    }
    return;
  }
  if (strategy.type != "RollingUpdate") {
    problems.invalid(at, json::object({{"Type", strategy.type}, {"RollingUpdate", nullptr}}),
                     "must be 'RollingUpdate' or 'OnDelete'");
    return;
  }
  if (strategy.rollingUpdate && strategy.rollingUpdate->partition) {
    check_not_negative(*strategy.rollingUpdate->partition, at.child("rollingUpdate").child("partition"), problems);
  }
}

void check_retention(const std::string& policy, const FieldPath& at, Problems& problems) {
  check_one_of(policy, {"Retain", "Delete"}, at, problems);
}

void check_claim_templates(const std::vector<core::PersistentVolumeClaim>& claims, const FieldPath& at,
                           Problems& problems) {
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const FieldPath here = at.index(i);
    check_labels(claims[i].metadata.labels, here.child("metadata").child("labels"), problems);
    check_annotations(claims[i].metadata.annotations, here.child("metadata").child("annotations"), problems);
    validate_claim_spec(claims[i].spec, here.child("spec"), problems);
  }
}

// As a pod of the set will see it: the claims are volumes, and its name is the set's to give.
core::PodTemplateSpec with_claims(const apps::StatefulSetSpec& spec) {
  core::PodTemplateSpec made = spec.template_;
  made.spec.subdomain.clear();
  made.spec.hostname.clear();
  for (const core::PersistentVolumeClaim& claim : spec.volumeClaimTemplates) {
    std::erase_if(made.spec.volumes, [&](const core::Volume& volume) { return volume.name == claim.metadata.name; });
    core::Volume volume;
    volume.name = claim.metadata.name;
    volume.persistentVolumeClaim.emplace().claimName = claim.metadata.name;
    made.spec.volumes.push_back(std::move(volume));
  }
  return made;
}

void check_stateful_spec(const apps::StatefulSetSpec& spec, bool on_create, Problems& problems) {
  const FieldPath at("spec");
  if (spec.podManagementPolicy != "OrderedReady" && spec.podManagementPolicy != "Parallel") {
    problems.invalid(at.child("podManagementPolicy"), spec.podManagementPolicy, "must be 'OrderedReady' or 'Parallel'");
  }
  check_stateful_strategy(spec.updateStrategy, at.child("updateStrategy"), problems);
  if (spec.persistentVolumeClaimRetentionPolicy) {
    const FieldPath here = at.child("persistentVolumeClaimRetentionPolicy");
    check_retention(spec.persistentVolumeClaimRetentionPolicy->whenDeleted, here.child("whenDeleted"), problems);
    check_retention(spec.persistentVolumeClaimRetentionPolicy->whenScaled, here.child("whenScaled"), problems);
  }
  if (on_create) check_claim_templates(spec.volumeClaimTemplates, at.child("volumeClaimTemplates"), problems);
  check_not_negative(spec.replicas.value_or(0), at.child("replicas"), problems);
  check_not_negative(spec.minReadySeconds, at.child("minReadySeconds"), problems);
  if (spec.ordinals) check_not_negative(spec.ordinals->start, at.child("ordinals.start"), problems);
  if (on_create && !spec.serviceName.empty()) {
    check_name(spec.serviceName, names::dns1123_label, at.child("serviceName"), problems);
  }
  check_selector_of_template(spec.selector, spec.template_.metadata.labels, at, problems);
  validate_pod_template(with_claims(spec), at.child("template"), problems);
  check_runs_for_ever(spec.template_.spec, "StatefulSet", at.child("template").child("spec"), problems);
}

}  // namespace

void validate_deployment(const apps::Deployment& deployment, Problems& problems) {
  const FieldPath at("spec");
  const apps::DeploymentSpec& spec = deployment.spec;
  check_not_negative(spec.replicas.value_or(0), at.child("replicas"), problems);
  check_replicated(spec, at, problems);
  check_strategy(spec.strategy, at.child("strategy"), problems);
  check_not_negative(spec.minReadySeconds, at.child("minReadySeconds"), problems);
  check_limit(spec.revisionHistoryLimit, at.child("revisionHistoryLimit"), problems);
  check_limit(spec.progressDeadlineSeconds, at.child("progressDeadlineSeconds"), problems);
  if (spec.progressDeadlineSeconds && *spec.progressDeadlineSeconds <= spec.minReadySeconds) {
    problems.invalid(at.child("progressDeadlineSeconds"), *spec.progressDeadlineSeconds,
                     "must be greater than minReadySeconds");
  }
}

void validate_deployment_status(const apps::Deployment& deployment, const apps::Deployment& old, Problems& problems) {
  const FieldPath at("status");
  const apps::DeploymentStatus& status = deployment.status;
  check_counts({{"observedGeneration", status.observedGeneration},
                {"replicas", status.replicas},
                {"updatedReplicas", status.updatedReplicas},
                {"readyReplicas", status.readyReplicas},
                {"availableReplicas", status.availableReplicas},
                {"unavailableReplicas", status.unavailableReplicas},
                {"terminatingReplicas", status.terminatingReplicas.value_or(0)},
                {"collisionCount", status.collisionCount.value_or(0)}},
               at, problems);
  check_at_most({{"updatedReplicas", status.updatedReplicas},
                 {"readyReplicas", status.readyReplicas},
                 {"availableReplicas", status.availableReplicas}},
                status.replicas, kAboveReplicas, at, problems);
  check_at_most({{"availableReplicas", status.availableReplicas}}, status.readyReplicas,
                "cannot be greater than readyReplicas", at, problems);
  check_not_decremented(status.collisionCount, old.status.collisionCount, at.child("collisionCount"), problems);
}

void validate_replica_set(const apps::ReplicaSet& set, Problems& problems) {
  const FieldPath at("spec");
  check_not_negative(set.spec.replicas.value_or(0), at.child("replicas"), problems);
  check_not_negative(set.spec.minReadySeconds, at.child("minReadySeconds"), problems);
  check_replicated(set.spec, at, problems);
}

void validate_replica_set_status(const apps::ReplicaSet& set, Problems& problems) {
  const FieldPath at("status");
  const apps::ReplicaSetStatus& status = set.status;
  check_counts({{"replicas", status.replicas},
                {"fullyLabeledReplicas", status.fullyLabeledReplicas},
                {"readyReplicas", status.readyReplicas},
                {"availableReplicas", status.availableReplicas},
                {"observedGeneration", status.observedGeneration},
                {"terminatingReplicas", status.terminatingReplicas.value_or(0)}},
               at, problems);
  check_at_most({{"fullyLabeledReplicas", status.fullyLabeledReplicas},
                 {"readyReplicas", status.readyReplicas},
                 {"availableReplicas", status.availableReplicas}},
                status.replicas, kAboveReplicas, at, problems);
  check_at_most({{"availableReplicas", status.availableReplicas}}, status.readyReplicas,
                "cannot be greater than readyReplicas", at, problems);
}

void validate_stateful_set(const apps::StatefulSet& set, Problems& problems) {
  check_stateful_spec(set.spec, true, problems);
}

void validate_stateful_set_update(const apps::StatefulSet& set, const apps::StatefulSet& old, Problems& problems) {
  check_stateful_spec(set.spec, false, problems);
  apps::StatefulSetSpec rest = set.spec;
  rest.replicas = old.spec.replicas;
  rest.template_ = old.spec.template_;
  rest.updateStrategy = old.spec.updateStrategy;
  rest.minReadySeconds = old.spec.minReadySeconds;
  rest.ordinals = old.spec.ordinals;
  rest.revisionHistoryLimit = old.spec.revisionHistoryLimit;
  rest.persistentVolumeClaimRetentionPolicy = old.spec.persistentVolumeClaimRetentionPolicy;
  if (kube::semantic_equal(rest, old.spec)) return;
  problems.forbidden(FieldPath("spec"),
                     "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                     "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
                     "'minReadySeconds' are forbidden");
}

void validate_stateful_set_status(const apps::StatefulSet& set, const apps::StatefulSet& old, Problems& problems) {
  const FieldPath at("status");
  const apps::StatefulSetStatus& status = set.status;
  check_counts({{"replicas", status.replicas},
                {"readyReplicas", status.readyReplicas},
                {"currentReplicas", status.currentReplicas},
                {"updatedReplicas", status.updatedReplicas},
                {"availableReplicas", status.availableReplicas},
                {"observedGeneration", status.observedGeneration},
                {"collisionCount", status.collisionCount.value_or(0)}},
               at, problems);
  check_at_most({{"readyReplicas", status.readyReplicas},
                 {"currentReplicas", status.currentReplicas},
                 {"updatedReplicas", status.updatedReplicas},
                 {"availableReplicas", status.availableReplicas}},
                status.replicas, kAboveReplicas, at, problems);
  check_at_most({{"availableReplicas", status.availableReplicas}}, status.readyReplicas,
                "cannot be greater than status.readyReplicas", at, problems);
  check_not_decremented(status.collisionCount, old.status.collisionCount, at.child("collisionCount"), problems);
}

void validate_daemon_set(const apps::DaemonSet& set, Problems& problems) {
  const FieldPath at("spec");
  const apps::DaemonSetSpec& spec = set.spec;
  check_selector_of_template(spec.selector, spec.template_.metadata.labels, at, problems, false);
  validate_pod_template(spec.template_, at.child("template"), problems);
  check_runs_for_ever(spec.template_.spec, "DaemonSet", at.child("template").child("spec"), problems);
  check_not_negative(spec.minReadySeconds, at.child("minReadySeconds"), problems);
  check_daemon_strategy(spec.updateStrategy, at.child("updateStrategy"), problems);
  check_limit(spec.revisionHistoryLimit, at.child("revisionHistoryLimit"), problems);
}

void validate_daemon_set_status(const apps::DaemonSet& set, const apps::DaemonSet& old, Problems& problems) {
  const FieldPath at("status");
  const apps::DaemonSetStatus& status = set.status;
  check_counts({{"currentNumberScheduled", status.currentNumberScheduled},
                {"numberMisscheduled", status.numberMisscheduled},
                {"desiredNumberScheduled", status.desiredNumberScheduled},
                {"numberReady", status.numberReady},
                {"observedGeneration", status.observedGeneration},
                {"updatedNumberScheduled", status.updatedNumberScheduled},
                {"numberAvailable", status.numberAvailable},
                {"numberUnavailable", status.numberUnavailable},
                {"collisionCount", status.collisionCount.value_or(0)}},
               at, problems);
  if (old.status.observedGeneration > status.observedGeneration) {
    problems.invalid(at.child("observedGeneration"), status.observedGeneration, "must not be decremented");
  }
  check_not_decremented(status.collisionCount, old.status.collisionCount, at.child("collisionCount"), problems);
}

}  // namespace flyball::apiserver
