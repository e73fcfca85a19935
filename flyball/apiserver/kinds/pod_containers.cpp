#include <set>
#include <string>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::size_t kMostRestartRules = 20;
constexpr std::size_t kMostExitCodes = 255;
constexpr std::string_view kOnlySidecars = "may not be set for init containers without restartPolicy=Always";

void check_ports(const std::vector<core::ContainerPort>& ports, const FieldPath& at, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const core::ContainerPort& port = ports[i];
    const FieldPath here = at.index(i);
    if (!port.name.empty()) {
      const names::Messages messages = names::port_name(port.name);
      problems.invalid(here.child("name"), port.name, messages);
      if (messages.empty() && !seen.insert(port.name).second) problems.duplicate(here.child("name"), port.name);
    }
    if (port.containerPort == 0) {
      problems.required(here.child("containerPort"));
    } else {
      problems.invalid(here.child("containerPort"), port.containerPort, names::port_number(port.containerPort));
    }
    if (port.hostPort != 0) {
      problems.invalid(here.child("hostPort"), port.hostPort, names::port_number(port.hostPort));
    }
    check_one_of(port.protocol, {"SCTP", "TCP", "UDP"}, here.child("protocol"), problems);
  }
}

void check_host_ports(const std::vector<core::Container>& containers, const FieldPath& at, Problems& problems) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    for (std::size_t j = 0; j < containers[i].ports.size(); ++j) {
      const core::ContainerPort& port = containers[i].ports[j];
      if (port.hostPort == 0) continue;
      const std::string text = joined({port.protocol, "/", port.hostIP, "/", std::to_string(port.hostPort)});
      if (taken.insert(text).second) continue;
      problems.duplicate(at.index(i).child("ports").index(j).child("hostPort"), text);
    }
  }
}

void check_resize_policy(const core::Container& container, const std::string& pod_restart, const FieldPath& at,
                         Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < container.resizePolicy.size(); ++i) {
    const core::ContainerResizePolicy& policy = container.resizePolicy[i];
    if (!seen.insert(policy.resourceName).second) problems.duplicate(at.index(i), policy.resourceName);
    if (policy.resourceName.empty()) {
      problems.required(at);
    } else {
      check_one_of(policy.resourceName, {"cpu", "memory"}, at, problems);
    }
    if (policy.restartPolicy.empty()) {
      problems.required(at);
    } else {
      check_one_of(policy.restartPolicy, {"NotRequired", "RestartContainer"}, at, problems);
    }
    if (pod_restart == "Never" && policy.restartPolicy != "NotRequired") {
      problems.invalid(at, policy.restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

void check_restart_rules(const core::Container& container, const FieldPath& at, Problems& problems) {
  if (!container.restartPolicy) {
    if (container.restartPolicyRules.empty()) return;
    problems.required(at.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
  } else {
    check_one_of(*container.restartPolicy, {"Always", "Never", "OnFailure"}, at.child("restartPolicy"), problems);
  }
  const FieldPath rules = at.child("restartPolicyRules");
  if (container.restartPolicyRules.size() > kMostRestartRules) {
    problems.too_many(rules, container.restartPolicyRules.size(), kMostRestartRules);
  }
  for (std::size_t i = 0; i < container.restartPolicyRules.size(); ++i) {
    const core::ContainerRestartRule& rule = container.restartPolicyRules[i];
    check_one_of(rule.action, {"Restart", "RestartAllContainers"}, rules.index(i).child("action"), problems);
    const FieldPath codes = rules.index(i).child("exitCodes");
    if (!rule.exitCodes) {
      problems.required(codes, "must be specified");
      continue;
    }
    check_one_of(rule.exitCodes->operator_, {"In", "NotIn"}, codes.child("operator"), problems);
    if (rule.exitCodes->values.size() > kMostExitCodes) {
      problems.too_many(codes.child("values"), rule.exitCodes->values.size(), kMostExitCodes);
    }
  }
}

void check_common(const core::Container& container, const PodAround& pod, const FieldPath& at, Problems& problems) {
  if (container.name.empty()) {
    problems.required(at.child("name"));
  } else {
    check_name(container.name, names::dns1123_label, at.child("name"), problems);
  }
  require(container.image, at.child("image"), problems);
  check_one_of(container.terminationMessagePolicy, {"File", "FallbackToLogsOnError"},
               at.child("terminationMessagePolicy"), problems);
  check_ports(container.ports, at.child("ports"), problems);
  check_env(container.env, at.child("env"), problems);
  check_env_from(container.envFrom, at.child("envFrom"), problems);
  check_mounts(container, pod.volumes, at.child("volumeMounts"), problems);
  check_devices(container, pod.volumes, at.child("volumeDevices"), problems);
  check_pull_policy(container.imagePullPolicy, at.child("imagePullPolicy"), problems);
  check_requirements(container.resources, ResourcesOf::container, pod.spec.resourceClaims, at.child("resources"),
                     problems);
  check_resize_policy(container, pod.spec.restartPolicy, at.child("resizePolicy"), problems);
  if (container.securityContext) {
    check_container_security(*container.securityContext, pod.spec.hostUsers.value_or(true), at.child("securityContext"),
                             problems);
  }
}

void check_main_containers(const PodAround& pod, const FieldPath& at, Problems& problems) {
  const std::vector<core::Container>& containers = pod.spec.containers;
  if (containers.empty()) {
    problems.required(at);
    return;
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const FieldPath here = at.index(i);
    check_common(containers[i], pod, here, problems);
    if (!seen.insert(containers[i].name).second) problems.duplicate(here.child("name"), containers[i].name);
    check_probes(containers[i], pod.spec.terminationGracePeriodSeconds.value_or(0), here, problems);
    check_restart_rules(containers[i], here, problems);
  }
  check_host_ports(containers, at, problems);
}

void check_no_probes(const core::Container& container, const FieldPath& at, Problems& problems) {
  if (container.lifecycle) problems.forbidden(at.child("lifecycle"), kOnlySidecars);
  if (container.livenessProbe) problems.forbidden(at.child("livenessProbe"), kOnlySidecars);
  if (container.readinessProbe) problems.forbidden(at.child("readinessProbe"), kOnlySidecars);
  if (container.startupProbe) problems.forbidden(at.child("startupProbe"), kOnlySidecars);
}

void check_init_containers(const PodAround& pod, const FieldPath& at, Problems& problems) {
  std::set<std::string> seen;
  for (const core::Container& container : pod.spec.containers) seen.insert(container.name);
  for (std::size_t i = 0; i < pod.spec.initContainers.size(); ++i) {
    const core::Container& container = pod.spec.initContainers[i];
    const FieldPath here = at.index(i);
    check_common(container, pod, here, problems);
    check_restart_rules(container, here, problems);
    if (!container.name.empty() && !seen.insert(container.name).second) {
      problems.duplicate(here.child("name"), container.name);
    }
    check_host_ports({container}, at, problems);
    if (container.restartPolicy == "Always") {
      check_probes(container, pod.spec.terminationGracePeriodSeconds.value_or(0), here, problems);
      continue;
    }
    check_no_probes(container, here, problems);
    for (std::size_t j = 0; j < container.resizePolicy.size(); ++j) {
      if (container.resizePolicy[j].restartPolicy != "RestartContainer") continue;
      problems.invalid(here.child("resizePolicy").index(j).child("restartPolicy"), "RestartContainer",
                       "must not be set to 'RestartContainer' for non-sidecar initContainers");
    }
  }
}

core::Container as_container(const core::EphemeralContainer& from) {
  core::Container container;
  container.name = from.name;
  container.image = from.image;
  container.imagePullPolicy = from.imagePullPolicy;
  container.ports = from.ports;
  container.env = from.env;
  container.envFrom = from.envFrom;
  container.resources = from.resources;
  container.volumeMounts = from.volumeMounts;
  container.volumeDevices = from.volumeDevices;
  container.securityContext = from.securityContext;
  container.resizePolicy = from.resizePolicy;
  container.terminationMessagePolicy = from.terminationMessagePolicy;
  return container;
}

// An ephemeral container is for looking around: it neither serves nor is it watched.
void check_ephemeral_fields(const core::EphemeralContainer& container, const FieldPath& at, Problems& problems) {
  const auto refuse = [&](bool set, std::string_view field) {
    if (set) problems.forbidden(at.child(field), "cannot be set for an Ephemeral Container");
  };
  refuse(!container.ports.empty(), "ports");
  refuse(container.resources != core::ResourceRequirements(), "resources");
  refuse(!container.resizePolicy.empty(), "resizePolicy");
  refuse(container.restartPolicy.has_value(), "restartPolicy");
  refuse(container.livenessProbe.has_value(), "livenessProbe");
  refuse(container.readinessProbe.has_value(), "readinessProbe");
  refuse(container.startupProbe.has_value(), "startupProbe");
  refuse(container.lifecycle.has_value(), "lifecycle");
  for (std::size_t i = 0; i < container.volumeMounts.size(); ++i) {
    const FieldPath mount = at.child("volumeMounts").index(i);
    if (!container.volumeMounts[i].subPath.empty()) {
      problems.forbidden(mount.child("subPath"), "cannot be set for an Ephemeral Container");
    }
    if (!container.volumeMounts[i].subPathExpr.empty()) {
      problems.forbidden(mount.child("subPathExpr"), "cannot be set for an Ephemeral Container");
    }
  }
}

void check_ephemeral_containers(const PodAround& pod, const FieldPath& at, Problems& problems) {
  std::set<std::string> others;
  for (const core::Container& container : pod.spec.containers) others.insert(container.name);
  for (const core::Container& container : pod.spec.initContainers) others.insert(container.name);
  std::set<std::string> seen = others;
  for (std::size_t i = 0; i < pod.spec.ephemeralContainers.size(); ++i) {
    const core::EphemeralContainer& container = pod.spec.ephemeralContainers[i];
    const FieldPath here = at.index(i);
    check_common(as_container(container), pod, here, problems);
    if (!seen.insert(container.name).second) problems.duplicate(here.child("name"), container.name);
    if (!container.targetContainerName.empty() && !others.contains(container.targetContainerName)) {
      problems.not_found(here.child("targetContainerName"), container.targetContainerName);
    }
    check_ephemeral_fields(container, here, problems);
  }
}

}  // namespace

void check_pull_policy(const std::string& policy, const FieldPath& at, Problems& problems) {
  if (policy.empty()) {
    problems.required(at);
  } else {
    check_one_of(policy, {"Always", "IfNotPresent", "Never"}, at, problems);
  }
}

void check_containers(const PodAround& pod, const FieldPath& spec, Problems& problems) {
  check_main_containers(pod, spec.child("containers"), problems);
  check_init_containers(pod, spec.child("initContainers"), problems);
  check_ephemeral_containers(pod, spec.child("ephemeralContainers"), problems);
}

}  // namespace flyball::apiserver
