#include "flyball/cluster/node/pod_conditions.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

using Statuses = std::vector<core::ContainerStatus>;

const core::ContainerStatus& named(const Statuses& statuses, const std::string& name) {
  static const core::ContainerStatus none;
  const auto found = std::ranges::find(statuses, name, &core::ContainerStatus::name);
  return found == statuses.end() ? none : *found;
}

// As Go prints a list: [a b].
std::string listed(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) text += (text.size() > 1 ? " " : "") + name;
  return text + "]";
}

core::PodCondition condition(std::string type, bool holds, std::string reason = {}, std::string message = {}) {
  return {.type = std::move(type),
          .status = holds ? "True" : "False",
          .reason = std::move(reason),
          .message = std::move(message)};
}

core::PodCondition initialized(const core::Pod& pod, const core::PodStatus& status) {
  if (status.phase == "Succeeded") return condition("Initialized", true, "PodCompleted");
  const auto has_run = [](const core::ContainerStatus& container) {
    return container.state.running || container.state.terminated || container.lastState.terminated;
  };
  std::vector<std::string> incomplete;
  for (const core::Container& init : pod.spec.initContainers) {
    const core::ContainerStatus& of = named(status.initContainerStatuses, init.name);
    if (is_sidecar(init) ? !of.started.value_or(false) : !of.ready) incomplete.push_back(init.name);
  }
  if (incomplete.empty() || std::ranges::any_of(status.containerStatuses, has_run)) {
    return condition("Initialized", true);
  }
  return condition("Initialized", false, "ContainersNotInitialized",
                   "containers with incomplete status: " + listed(incomplete));
}

core::PodCondition containers_ready(const core::Pod& pod, const core::PodStatus& status) {
  if (status.phase == "Succeeded") return condition("ContainersReady", false, "PodCompleted");
  if (status.phase == "Failed") return condition("ContainersReady", false, "PodFailed");
  std::vector<std::string> unready;
  for (const core::Container& init : pod.spec.initContainers) {
    if (is_sidecar(init) && !named(status.initContainerStatuses, init.name).ready) unready.push_back(init.name);
  }
  for (const core::Container& container : pod.spec.containers) {
    if (!named(status.containerStatuses, container.name).ready) unready.push_back(container.name);
  }
  if (unready.empty()) return condition("ContainersReady", true);
  return condition("ContainersReady", false, "ContainersNotReady",
                   "containers with unready status: " + listed(unready));
}

core::PodCondition ready(const core::Pod& pod, const core::PodCondition& containers) {
  if (containers.status != "True") return condition("Ready", false, containers.reason, containers.message);
  std::string missing;
  for (const core::PodReadinessGate& gate : pod.spec.readinessGates) {
    const auto found = std::ranges::find(pod.status.conditions, gate.conditionType, &core::PodCondition::type);
    if (found != pod.status.conditions.end() && found->status == "True") continue;
    missing += missing.empty() ? "" : ", ";
    if (found == pod.status.conditions.end()) {
      missing += "corresponding condition of pod readiness gate \"" + gate.conditionType + "\" does not exist.";
    } else {
      missing +=
          "the status of pod readiness gate \"" + gate.conditionType + "\" is not \"True\", but " + found->status;
    }
  }
  return missing.empty() ? condition("Ready", true) : condition("Ready", false, "ReadinessGatesNotReady", missing);
}

}  // namespace

std::vector<core::PodCondition> conditions_of(const core::Pod& pod, const PodRecord& record,
                                              const core::PodStatus& status, kube::Time now) {
  std::vector<core::PodCondition> ours;
  ours.push_back(condition("PodReadyToStartContainers", !record.ip.empty()));
  ours.push_back(initialized(pod, status));
  const core::PodCondition containers = containers_ready(pod, status);
  ours.push_back(ready(pod, containers));
  ours.push_back(containers);
  ours.push_back(condition("PodScheduled", true));
  for (core::PodCondition& each : ours) {
    each.lastTransitionTime = now;
    each.observedGeneration = pod.metadata.generation;
    const auto old = std::ranges::find(pod.status.conditions, each.type, &core::PodCondition::type);
    if (old != pod.status.conditions.end() && old->status == each.status) {
      each.lastTransitionTime = old->lastTransitionTime;
    }
  }
  for (const core::PodCondition& theirs : pod.status.conditions) {
    if (std::ranges::find(ours, theirs.type, &core::PodCondition::type) == ours.end()) ours.push_back(theirs);
  }
  return ours;
}

}  // namespace flyball::cluster::node
