#include "flyball/apiserver/kinds/pod_validation.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/internal_form.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_resources.hpp"
#include "flyball/apiserver/kinds/text_diff.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace meta = kube::meta::v1;
namespace names = kube::names;

constexpr std::int64_t kMostSeconds = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostNameservers = 3;
constexpr std::size_t kMostSearches = 32;
constexpr std::size_t kLongestSearches = 2048;
constexpr std::size_t kLongestHostname = 64;

void check_dns(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  if (spec.dnsPolicy == "None") {
    if (!spec.dnsConfig) {
      problems.required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    if (spec.dnsConfig->nameservers.empty()) {
      problems.required(at.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None");
      return;
    }
  }
  if (!spec.dnsConfig) return;
  const core::PodDNSConfig& config = *spec.dnsConfig;
  if (config.nameservers.size() > kMostNameservers) {
    problems.invalid(at.child("nameservers"), shown(config.nameservers), "must not have more than 3 nameservers");
  }
  for (std::size_t i = 0; i < config.nameservers.size(); ++i) {
    check_name(config.nameservers[i], names::ip, at.child("nameservers").index(i), problems);
  }
  if (config.searches.size() > kMostSearches) {
    problems.invalid(at.child("searches"), shown(config.searches), "must not have more than 32 search paths");
  }
  std::size_t length = config.searches.empty() ? 0 : config.searches.size() - 1;
  for (const std::string& search : config.searches) length += search.size();
  if (length > kLongestSearches) {
    problems.invalid(at.child("searches"), shown(config.searches),
                     "must not have more than 2048 characters (including spaces) in the search list");
  }
  for (std::size_t i = 0; i < config.searches.size(); ++i) {
    std::string search = config.searches[i];
    if (search == ".") continue;
    if (search.ends_with('.')) search.pop_back();
    check_name(search, names::dns1123_subdomain_with_underscore, at.child("searches").index(i), problems);
  }
  for (std::size_t i = 0; i < config.options.size(); ++i) {
    if (config.options[i].name.empty()) problems.required(at.child("options").index(i), "must not be empty");
  }
}

void check_hostname_override(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  if (!spec.hostnameOverride) return;
  if (spec.setHostnameAsFQDN.value_or(false)) {
    problems.forbidden(at, "may not be specified when setHostnameAsFQDN is true");
  }
  if (spec.hostNetwork) problems.forbidden(at, "may not be specified when hostNetwork is true");
  if (spec.hostnameOverride->size() > kLongestHostname) problems.too_long(at, kLongestHostname);
  check_name(*spec.hostnameOverride, names::dns1123_subdomain, at, problems);
}

void check_host_network(const core::PodSpec& spec, bool of_pod, const FieldPath& at, Problems& problems) {
  if (!spec.hostNetwork) return;
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    const std::vector<core::ContainerPort>& ports = spec.containers[i].ports;
    for (std::size_t j = 0; j < ports.size(); ++j) {
      if (ports[j].hostPort == ports[j].containerPort || (!of_pod && ports[j].hostPort == 0)) continue;
      problems.invalid(at.child("containers").index(i).child("ports").index(j).child("hostPort"), ports[j].hostPort,
                       "must match `containerPort` when `hostNetwork` is true");
    }
  }
}

void check_host_users(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  if (spec.hostUsers.value_or(true)) return;
  constexpr std::string_view kWhy = "when `hostUsers` is false";
  if (spec.hostNetwork) problems.forbidden(at.child("hostNetwork"), kWhy);
  if (spec.hostPID) problems.forbidden(at.child("HostPID"), kWhy);
  if (spec.hostIPC) problems.forbidden(at.child("HostIPC"), kWhy);
}

void check_pod_resources(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  if (!spec.resources) return;
  if (!spec.resources->claims.empty()) {
    problems.forbidden(at.child("claims"), "claims may not be set for Resources at pod-level");
  }
  check_requirements(*spec.resources, ResourcesOf::pod, spec.resourceClaims, at, problems);
  for (const auto& [name, amount] : aggregate_requests(spec)) {
    const auto of_pod = spec.resources->requests.find(name);
    if (of_pod == spec.resources->requests.end() || amount <= of_pod->second) continue;
    problems.invalid(at.child("requests").key(name), of_pod->second.to_string(),
                     "must be greater than or equal to aggregate container requests of " + amount.to_string());
  }
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    for (const auto& [name, amount] : spec.containers[i].resources.limits) {
      const auto of_pod = spec.resources->limits.find(name);
      if (of_pod == spec.resources->limits.end() || amount <= of_pod->second) continue;
      problems.invalid(at.child("containers").index(i).key(name).child("limits"), amount.to_string(),
                       "must be less than or equal to pod limits of " + of_pod->second.to_string());
    }
  }
}

void check_scheduling_gates(const std::vector<core::PodSchedulingGate>& gates, const FieldPath& at,
                            Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    check_name(gates[i].name, names::qualified_name, at.index(i), problems);
    if (!seen.insert(gates[i].name).second) problems.duplicate(at.index(i), gates[i].name);
  }
}

void check_names(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  const auto check = [&](const std::string& value, auto rule, std::string_view field) {
    if (!value.empty()) check_name(value, rule, at.child(field), problems);
  };
  check(spec.serviceAccountName, names::dns1123_subdomain, "serviceAccountName");
  check(spec.nodeName, names::dns1123_subdomain, "nodeName");
  if (spec.activeDeadlineSeconds && (*spec.activeDeadlineSeconds < 1 || *spec.activeDeadlineSeconds > kMostSeconds)) {
    problems.invalid(at.child("activeDeadlineSeconds"), *spec.activeDeadlineSeconds,
                     "must be between 1 and 2147483647, inclusive");
  }
  check(spec.hostname, names::dns1123_label, "hostname");
  check(spec.subdomain, names::dns1123_label, "subdomain");
  check_tolerations(spec.tolerations, at.child("tolerations"), problems);
  for (std::size_t i = 0; i < spec.hostAliases.size(); ++i) {
    const FieldPath here = at.child("hostAliases").index(i);
    check_name(spec.hostAliases[i].ip, names::ip, here.child("ip"), problems);
    for (std::size_t j = 0; j < spec.hostAliases[i].hostnames.size(); ++j) {
      check_name(spec.hostAliases[i].hostnames[j], names::dns1123_subdomain, here.child("hostnames").index(j),
                 problems);
    }
  }
  check(spec.priorityClassName, names::dns1123_subdomain, "priorityClassName");
  if (spec.runtimeClassName) {
    check_name(*spec.runtimeClassName, names::dns1123_subdomain, at.child("runtimeClassName"), problems);
  }
  if (spec.preemptionPolicy) {
    check_one_of(*spec.preemptionPolicy, {"PreemptLowerPriority", "Never"}, at.child("preemptionPolicy"), problems);
  }
}

void validate_pod_spec(const core::PodSpec& spec, const meta::ObjectMeta* metadata, const FieldPath& at,
                       Problems& problems) {
  const bool of_pod = metadata != nullptr;
  if (!spec.terminationGracePeriodSeconds) problems.required(at.child("terminationGracePeriodSeconds"));
  PodAround pod{.spec = spec};
  pod.volumes = check_volumes(spec.volumes, metadata, of_pod, at.child("volumes"), problems);
  check_containers(pod, at, problems);
  check_pod_resources(spec, at.child("resources"), problems);
  check_host_network(spec, of_pod, at, problems);
  check_one_of(spec.restartPolicy, {"Always", "OnFailure", "Never"}, at.child("restartPolicy"), problems);
  check_one_of(spec.dnsPolicy, {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"}, at.child("dnsPolicy"),
               problems);
  check_labels(spec.nodeSelector, at.child("nodeSelector"), problems);
  if (spec.securityContext) check_pod_security(spec, at.child("securityContext"), problems);
  if (spec.affinity) check_affinity(*spec.affinity, at.child("affinity"), problems);
  check_dns(spec, at.child("dnsConfig"), problems);
  for (std::size_t i = 0; i < spec.readinessGates.size(); ++i) {
    check_name(spec.readinessGates[i].conditionType, names::qualified_name,
               at.child("readinessGates").index(i).child("conditionType"), problems);
  }
  check_scheduling_gates(spec.schedulingGates, at.child("schedulingGates"), problems);
  check_spread(spec.topologySpreadConstraints, at.child("topologySpreadConstraints"), problems);
  check_host_users(spec, at, problems);
  check_hostname_override(spec, at.child("hostnameOverride"), problems);
  check_names(spec, at, problems);
  core::ResourceRequirements overhead;
  overhead.limits = spec.overhead;
  check_requirements(overhead, ResourcesOf::container, {}, at.child("overhead"), problems);
  if (spec.os) {
    if (spec.os->name.empty()) {
      problems.required(at.child("os").child("name"));
    } else {
      check_one_of(spec.os->name, {"linux", "windows"}, at.child("os"), problems);
    }
  }
}

bool is_padded(const std::string& text) {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  return !text.empty() && (is_space(text.front()) || is_space(text.back()));
}

void check_images(const std::vector<core::Container>& containers, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (!is_padded(containers[i].image)) continue;
    problems.invalid(at.index(i).child("image"), containers[i].image, "must not have leading or trailing whitespace");
  }
}

void check_tokens(const core::PodSpec& spec, const FieldPath& at, Problems& problems) {
  if (!spec.serviceAccountName.empty()) return;
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    if (!spec.volumes[i].projected) continue;
    const auto& sources = spec.volumes[i].projected->sources;
    for (std::size_t j = 0; j < sources.size(); ++j) {
      if (!sources[j].serviceAccountToken) continue;
      problems.forbidden(
          at.child("volumes").index(i).child("projected").child("sources").index(j).child("serviceAccountToken"),
          "must not be specified when serviceAccountName is not set");
    }
  }
}

bool is_int32(std::string_view text) {
  const bool leading = text == "0" || (!text.empty() && (text[0] == '-' || (text[0] >= '1' && text[0] <= '9')));
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return leading && error == std::errc() && end == text.data() + text.size();
}

// A sign of the kubelet: only it makes pods that are on a node from the start.
void check_pod_annotations(const meta::ObjectMeta& metadata, const core::PodSpec& spec, const FieldPath& at,
                           Problems& problems) {
  constexpr const char* kMirror = "kubernetes.io/config.mirror";
  const auto mirror = metadata.annotations.find(kMirror);
  if (mirror != metadata.annotations.end() && spec.nodeName.empty()) {
    problems.invalid(at.key(kMirror), mirror->second, "must set spec.nodeName if mirror pod annotation is set");
  }
  constexpr const char* kCost = "controller.kubernetes.io/pod-deletion-cost";
  const auto cost = metadata.annotations.find(kCost);
  if (cost != metadata.annotations.end() && !is_int32(cost->second)) {
    problems.invalid(at.key(kCost), cost->second, "must be a 32bit integer");
  }
}

// False: there is no use in looking further.
bool check_container_updates(const std::vector<core::Container>& containers, const std::vector<core::Container>& old,
                             const FieldPath& at, Problems& problems) {
  if (containers.size() != old.size()) {
    problems.forbidden(at, "pod updates may not add or remove containers");
    return false;
  }
  for (std::size_t i = 0; i < containers.size(); ++i)
    require(containers[i].image, at.index(i).child("image"), problems);
  check_images(containers, at, problems);
  return true;
}

bool check_deadline_update(const core::PodSpec& spec, const core::PodSpec& old, const FieldPath& at,
                           Problems& problems) {
  if (!spec.activeDeadlineSeconds) {
    if (old.activeDeadlineSeconds) {
      problems.invalid(at, json::Value(), "must not update from a positive integer to nil value");
    }
    return true;
  }
  const std::int64_t seconds = *spec.activeDeadlineSeconds;
  if (seconds < 0 || seconds > kMostSeconds) {
    problems.invalid(at, seconds, "must be between 0 and 2147483647, inclusive");
    return false;
  }
  if (old.activeDeadlineSeconds && *old.activeDeadlineSeconds < seconds) {
    problems.invalid(at, seconds, "must be less than or equal to previous value");
    return false;
  }
  return true;
}

void check_added_tolerations(const core::PodSpec& spec, const core::PodSpec& old, const FieldPath& at,
                             Problems& problems) {
  for (core::Toleration before : old.tolerations) {
    const auto same = [&](const core::Toleration& toleration) {
      before.tolerationSeconds = toleration.tolerationSeconds;
      return before == toleration;
    };
    if (std::ranges::any_of(spec.tolerations, same)) continue;
    problems.forbidden(at, "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
  check_tolerations(spec.tolerations, at, problems);
}

void check_deleted_gates(const core::PodSpec& spec, const core::PodSpec& old, const FieldPath& at, Problems& problems) {
  for (std::size_t i = 0; i < spec.schedulingGates.size(); ++i) {
    if (std::ranges::find(old.schedulingGates, spec.schedulingGates[i]) != old.schedulingGates.end()) continue;
    problems.forbidden(at.index(i).child("name"), joined({"only deletion is allowed, but found new scheduling gate '",
                                                          spec.schedulingGates[i].name, "'"}));
  }
}

// The new spec with everything that may change as it was.
core::PodSpec without_changes_allowed(const core::PodSpec& spec, const core::PodSpec& old) {
  core::PodSpec munged = spec;
  for (std::size_t i = 0; i < munged.containers.size(); ++i) munged.containers[i].image = old.containers[i].image;
  for (std::size_t i = 0; i < munged.initContainers.size(); ++i) {
    munged.initContainers[i].image = old.initContainers[i].image;
  }
  munged.activeDeadlineSeconds = old.activeDeadlineSeconds;
  munged.schedulingGates = old.schedulingGates;
  munged.tolerations = old.tolerations;
  if (old.terminationGracePeriodSeconds.value_or(0) < 0 && munged.terminationGracePeriodSeconds == 1) {
    munged.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  if (!old.schedulingGates.empty()) {
    munged.nodeSelector = old.nodeSelector;
    const bool other = munged.affinity && (munged.affinity->podAffinity || munged.affinity->podAntiAffinity);
    const Box<core::NodeAffinity> before = old.affinity ? old.affinity->nodeAffinity : Box<core::NodeAffinity>();
    if (munged.affinity && !old.affinity && !other) {
      munged.affinity.reset();
    } else if (munged.affinity || before) {
      munged.affinity.get_or_make().nodeAffinity = before;
    }
  }
  return munged;
}

// Before it is scheduled a pod may be held to fewer nodes, not to others.
void check_gated_update(const core::PodSpec& spec, const core::PodSpec& old, const FieldPath& at, Problems& problems) {
  if (old.schedulingGates.empty()) return;
  for (const auto& [key, value] : old.nodeSelector) {
    const auto found = spec.nodeSelector.find(key);
    if (found != spec.nodeSelector.end() && found->second == value) continue;
    problems.invalid(at.child("nodeSelector"), shown(spec.nodeSelector),
                     "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    return;
  }
}

}  // namespace

void validate_pod_itself(const core::Pod& pod, Problems& problems) {
  const FieldPath spec("spec");
  check_pod_annotations(pod.metadata, pod.spec, FieldPath("metadata").child("annotations"), problems);
  validate_pod_spec(pod.spec, &pod.metadata, spec, problems);
  check_tokens(pod.spec, spec, problems);
  check_images(pod.spec.containers, spec.child("containers"), problems);
  check_images(pod.spec.initContainers, spec.child("initContainers"), problems);
}

void validate_pod(const core::Pod& pod, Problems& problems) {
  validate_pod_itself(pod, problems);
  const FieldPath at("spec");
  if (!pod.spec.ephemeralContainers.empty()) {
    problems.forbidden(at.child("ephemeralContainers"), "cannot be set on create");
  }
  if (!pod.spec.nodeName.empty() && !pod.spec.schedulingGates.empty()) {
    problems.forbidden(at.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
  }
}

void validate_pod_template(const core::PodTemplateSpec& pod_template, const FieldPath& at, Problems& problems) {
  check_labels(pod_template.metadata.labels, at.child("labels"), problems);
  check_annotations(pod_template.metadata.annotations, at.child("annotations"), problems);
  check_pod_annotations(pod_template.metadata, pod_template.spec, at.child("annotations"), problems);
  validate_pod_spec(pod_template.spec, nullptr, at.child("spec"), problems);
  if (!pod_template.spec.ephemeralContainers.empty()) {
    problems.forbidden(at.child("spec").child("ephemeralContainers"),
                       "ephemeral containers not allowed in pod template");
  }
}

void validate_pod_update(const core::Pod& pod, const core::Pod& old, Problems& problems) {
  validate_pod_itself(pod, problems);
  const FieldPath at("spec");
  if (!check_container_updates(pod.spec.containers, old.spec.containers, at.child("containers"), problems) ||
      !check_container_updates(pod.spec.initContainers, old.spec.initContainers, at.child("initContainers"),
                               problems) ||
      !check_deadline_update(pod.spec, old.spec, at.child("activeDeadlineSeconds"), problems)) {
    return;
  }
  check_added_tolerations(pod.spec, old.spec, at.child("tolerations"), problems);
  check_deleted_gates(pod.spec, old.spec, at.child("schedulingGates"), problems);
  if (kube::semantic_equal(pod.spec, old.spec)) return;
  check_gated_update(pod.spec, old.spec, at, problems);
  const core::PodSpec munged = without_changes_allowed(pod.spec, old.spec);
  if (kube::semantic_equal(munged, old.spec)) return;
  problems.forbidden(
      at,
      "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
      "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
      "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n" +
          unified_diff(internal_form("PodSpec", shown(old.spec)), internal_form("PodSpec", shown(munged))));
}

void validate_pod_status(const core::Pod& pod, const core::Pod& old, Problems& problems) {
  const FieldPath at("status");
  const core::PodStatus& status = pod.status;
  if (status.nominatedNodeName != old.status.nominatedNodeName && !status.nominatedNodeName.empty()) {
    check_name(status.nominatedNodeName, names::dns1123_subdomain, at.child("nominatedNodeName"), problems);
  }
  if (status.observedGeneration < 0) {
    problems.invalid(at.child("observedGeneration"), status.observedGeneration, "must be a non-negative integer");
  }
  check_immutable(status.qosClass, old.status.qosClass, at.child("qosClass"), problems);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < status.podIPs.size(); ++i) {
    const FieldPath here = at.child("podIPs").index(i);
    check_name(status.podIPs[i].ip, names::ip_in_old_field, here, problems);
    if (!seen.insert(status.podIPs[i].ip).second) problems.duplicate(here, status.podIPs[i].ip);
  }
}

}  // namespace flyball::apiserver
