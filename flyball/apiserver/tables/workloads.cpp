// What keeps pods running: Deployments, ReplicaSets, StatefulSets, DaemonSets and their kin.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr TableColumn kContainers = wide("Containers");
constexpr TableColumn kImages = wide("Images");
constexpr TableColumn kSelector = wide("Selector");

constexpr std::array kDeploymentColumns = {
    kName, column("Ready"), column("Up-to-date"), column("Available"), kAge, kContainers, kImages, kSelector};

json::Value deployment_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View status = object["status"];
  const json::View pod = spec["template"]["spec"];
  return row(name_of(object), ratio(number(status["readyReplicas"]), number(spec["replicas"])),
             number(status["updatedReplicas"]), number(status["availableReplicas"]), age_of(object, now),
             container_names(pod), container_images(pod), bare_selector_text(spec["selector"], "<invalid>"));
}

constexpr std::array kReplicaSetColumns = {kName,
                                           column("Desired", "integer"),
                                           column("Current", "integer"),
                                           column("Ready", "integer"),
                                           kAge,
                                           kContainers,
                                           kImages,
                                           kSelector};

json::Value replica_cells(json::View object, WallTime now, const std::string& selector) {
  const json::View spec = object["spec"];
  const json::View status = object["status"];
  const json::View pod = spec["template"]["spec"];
  return row(name_of(object), number(spec["replicas"]), number(status["replicas"]), number(status["readyReplicas"]),
             age_of(object, now), container_names(pod), container_images(pod), selector);
}

json::Value replica_set_cells(json::View object, WallTime now) {
  return replica_cells(object, now, selector_text(object["spec"]["selector"]));
}

json::Value replication_controller_cells(json::View object, WallTime now) {
  return replica_cells(object, now, labels_text(object["spec"]["selector"]));
}

constexpr std::array kStatefulSetColumns = {kName, column("Ready"), kAge, kContainers, kImages};

json::Value stateful_set_cells(json::View object, WallTime now) {
  const json::View pod = object["spec"]["template"]["spec"];
  return row(name_of(object), ratio(number(object["status"]["readyReplicas"]), number(object["spec"]["replicas"])),
             age_of(object, now), container_names(pod), container_images(pod));
}

constexpr std::array kDaemonSetColumns = {kName,
                                          column("Desired", "integer"),
                                          column("Current", "integer"),
                                          column("Ready", "integer"),
                                          column("Up-to-date", "integer"),
                                          column("Available", "integer"),
                                          column("Node Selector"),
                                          kAge,
                                          kContainers,
                                          kImages,
                                          kSelector};

json::Value daemon_set_cells(json::View object, WallTime now) {
  const json::View status = object["status"];
  const json::View pod = object["spec"]["template"]["spec"];
  return row(name_of(object), number(status["desiredNumberScheduled"]), number(status["currentNumberScheduled"]),
             number(status["numberReady"]), number(status["updatedNumberScheduled"]), number(status["numberAvailable"]),
             labels_text(pod["nodeSelector"]), age_of(object, now), container_names(pod), container_images(pod),
             selector_text(object["spec"]["selector"]));
}

constexpr std::array kControllerRevisionColumns = {kName, column("Controller"), column("Revision"), kAge};

// "statefulset.apps/db"
std::string controller_of(json::View object) {
  for (const json::View owner : object["metadata"]["ownerReferences"].items()) {
    if (!flag(owner["controller"])) continue;
    const std::string_view version = text(owner["apiVersion"]);
    const std::size_t slash = version.find('/');
    std::string kind(text(owner["kind"]));
    if (slash != std::string_view::npos) kind += "." + std::string(version.substr(0, slash));
    return lower_text(kind) + "/" + std::string(text(owner["name"]));
  }
  return "<none>";
}

json::Value controller_revision_cells(json::View object, WallTime now) {
  return row(name_of(object), controller_of(object), number(object["revision"]), age_of(object, now));
}

constexpr std::array kPodTemplateColumns = {kName, column("Containers"), column("Images"), column("Pod Labels")};

json::Value pod_template_cells(json::View object, WallTime /*now*/) {
  const json::View pod = object["template"]["spec"];
  return row(name_of(object), container_names(pod), container_images(pod),
             labels_text(object["template"]["metadata"]["labels"]));
}

constexpr std::array kBudgetColumns = {kName, column("Min Available"), column("Max Unavailable"),
                                       column("Allowed Disruptions", "integer"), kAge};

std::string bound_text(json::View bound) { return given(bound) ? int_or_string_text(bound) : "N/A"; }

json::Value budget_cells(json::View object, WallTime now) {
  return row(name_of(object), bound_text(object["spec"]["minAvailable"]), bound_text(object["spec"]["maxUnavailable"]),
             number(object["status"]["disruptionsAllowed"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = "apps", .kind = "Deployment", .columns = kDeploymentColumns, .cells = deployment_cells},
    TableRule{.group = "apps", .kind = "ReplicaSet", .columns = kReplicaSetColumns, .cells = replica_set_cells},
    TableRule{.group = "apps", .kind = "StatefulSet", .columns = kStatefulSetColumns, .cells = stateful_set_cells},
    TableRule{.group = "apps", .kind = "DaemonSet", .columns = kDaemonSetColumns, .cells = daemon_set_cells},
    TableRule{.group = "apps",
              .kind = "ControllerRevision",
              .columns = kControllerRevisionColumns,
              .cells = controller_revision_cells},
    TableRule{.kind = "ReplicationController", .columns = kReplicaSetColumns, .cells = replication_controller_cells},
    TableRule{.kind = "PodTemplate", .columns = kPodTemplateColumns, .cells = pod_template_cells},
    TableRule{.group = "policy", .kind = "PodDisruptionBudget", .columns = kBudgetColumns, .cells = budget_cells},
};

}  // namespace

std::span<const TableRule> workload_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
