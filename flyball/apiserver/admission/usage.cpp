#include "flyball/apiserver/admission/usage.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::string_view kHugePages = "hugepages-";
constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kLimits = "limits.";
constexpr std::string_view kOfClass = ".storageclass.storage.k8s.io/";

void raise(Amounts& to, const Amounts& other) {
  for (const auto& [name, amount] : other) {
    auto& mine = to.try_emplace(name, amount).first->second;
    if (mine < amount) mine = amount;
  }
}

bool is_pod_level(std::string_view name) { return name == "cpu" || name == "memory" || name.starts_with(kHugePages); }

template <class Of>
Amounts of_containers(const core::PodSpec& spec, const Of& of) {
  Amounts running;
  for (const core::Container& container : spec.containers) add(running, of(container.resources));
  Amounts sidecars;
  Amounts most;
  for (const core::Container& container : spec.initContainers) {
    Amounts at_once = of(container.resources);
    if (container.restartPolicy == "Always") {
      add(running, at_once);
      add(sidecars, at_once);
      at_once = sidecars;
    } else {
      add(at_once, sidecars);
    }
    raise(most, at_once);
  }
  raise(running, most);
  if (spec.resources) {
    for (const auto& [name, amount] : of(*spec.resources)) {
      if (is_pod_level(name)) running[name] = amount;
    }
  }
  return running;
}

bool is_extended(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash != std::string_view::npos && !name.substr(0, slash).ends_with("kubernetes.io") &&
         !name.starts_with(kRequests);
}

std::string count_name(const Resource& resource) {
  const std::size_t dot = resource.shelf.find('.');
  return "count/" + resource.plural + (dot == std::string::npos ? "" : resource.shelf.substr(dot));
}

// Those that had a name in quotas before everything could be counted.
bool has_old_name(const Resource& resource) {
  constexpr std::array<std::string_view, 4> kOld = {"configmaps", "resourcequotas", "replicationcontrollers",
                                                    "secrets"};
  return std::ranges::find(kOld, resource.shelf) != kOld.end();
}

Amounts pod_usage(const core::Pod& pod) {
  if (pod.status.phase == "Failed" || pod.status.phase == "Succeeded") return {};
  Amounts usage = compute_usage(pod_requests(pod.spec), pod_limits(pod.spec));
  usage["pods"] = 1;
  return usage;
}

Amounts service_usage(const core::Service& service) {
  Amounts usage{{"services", 1}, {"services.loadbalancers", 0}, {"services.nodeports", 0}};
  const auto ports = static_cast<std::int64_t>(service.spec.ports.size());
  if (service.spec.type == "NodePort") usage["services.nodeports"] = ports;
  if (service.spec.type != "LoadBalancer") return usage;
  usage["services.loadbalancers"] = 1;
  const bool all = service.spec.allocateLoadBalancerNodePorts.value_or(true);
  usage["services.nodeports"] =
      all ? ports : std::ranges::count_if(service.spec.ports, [](const auto& port) { return port.nodePort != 0; });
  return usage;
}

Amounts claim_usage(const core::PersistentVolumeClaim& claim) {
  Amounts usage{{"persistentvolumeclaims", 1}};
  std::string of = claim.spec.storageClassName.value_or("");
  if (const auto old = claim.metadata.annotations.find("volume.beta.kubernetes.io/storage-class");
      old != claim.metadata.annotations.end()) {
    of = old->second;
  }
  if (!of.empty()) usage[of + std::string(kOfClass) + "persistentvolumeclaims"] = 1;
  const auto asked = claim.spec.resources.requests.find("storage");
  if (asked == claim.spec.resources.requests.end()) return usage;
  Quantity storage = asked->second;
  if (const auto given = claim.status.allocatedResources.find("storage");
      given != claim.status.allocatedResources.end() && storage < given->second) {
    storage = given->second;
  }
  usage["requests.storage"] = storage;
  if (!of.empty()) usage[of + std::string(kOfClass) + "requests.storage"] = storage;
  return usage;
}

bool is_best_effort(const core::PodSpec& spec) {
  const auto counts = [](const Amounts& amounts) {
    return std::ranges::any_of(amounts, [](const auto& each) {
      return (each.first == "cpu" || each.first == "memory") && each.second.sign() > 0;
    });
  };
  return !counts(pod_requests(spec)) && !counts(pod_limits(spec));
}

bool reaches_other_namespaces(const core::PodSpec& spec) {
  if (!spec.affinity) return false;
  const auto crosses = [](const core::PodAffinityTerm& term) {
    return !term.namespaces.empty() || static_cast<bool>(term.namespaceSelector);
  };
  const auto any = [&](const auto& affinity) {
    return affinity && (std::ranges::any_of(affinity->requiredDuringSchedulingIgnoredDuringExecution, crosses) ||
                        std::ranges::any_of(
                            affinity->preferredDuringSchedulingIgnoredDuringExecution,
                            [&](const core::WeightedPodAffinityTerm& each) { return crosses(each.podAffinityTerm); }));
  };
  return any(spec.affinity->podAffinity) || any(spec.affinity->podAntiAffinity);
}

bool in_class(const core::ScopedResourceSelectorRequirement& scope, const std::string& name) {
  const bool listed = std::ranges::find(scope.values, name) != scope.values.end();
  if (scope.operator_ == "In") return listed;
  if (scope.operator_ == "NotIn") return !listed;
  return (scope.operator_ == "Exists") != name.empty();
}

bool in_scope(const core::ScopedResourceSelectorRequirement& scope, const core::PodSpec& spec) {
  if (scope.scopeName == "Terminating") return spec.activeDeadlineSeconds.has_value();
  if (scope.scopeName == "NotTerminating") return !spec.activeDeadlineSeconds.has_value();
  if (scope.scopeName == "BestEffort") return is_best_effort(spec);
  if (scope.scopeName == "NotBestEffort") return !is_best_effort(spec);
  if (scope.scopeName == "PriorityClass") return in_class(scope, spec.priorityClassName);
  return scope.scopeName == "CrossNamespacePodAffinity" && reaches_other_namespaces(spec);
}

}  // namespace

void add(Amounts& to, const Amounts& more) {
  for (const auto& [name, amount] : more) {
    const auto [mine, fresh] = to.try_emplace(name, amount);
    if (!fresh) mine->second += amount;
  }
}

void subtract(Amounts& from, const Amounts& less) {
  for (const auto& [name, amount] : less) {
    const auto [mine, fresh] = from.try_emplace(name, -amount);
    if (!fresh) mine->second -= amount;
  }
}

Amounts pod_requests(const core::PodSpec& spec) {
  Amounts all = of_containers(spec, [](const auto& resources) { return resources.requests; });
  add(all, spec.overhead);
  return all;
}

Amounts pod_limits(const core::PodSpec& spec) {
  Amounts all = of_containers(spec, [](const auto& resources) { return resources.limits; });
  for (const auto& [name, amount] : spec.overhead) {
    if (const auto limit = all.find(name); limit != all.end() && !limit->second.is_zero()) limit->second += amount;
  }
  return all;
}

Amounts compute_usage(const Amounts& requests, const Amounts& limits) {
  Amounts usage;
  constexpr std::array<std::string_view, 3> kUsual = {"cpu", "memory", "ephemeral-storage"};
  for (const auto& [name, amount] : requests) {
    const bool usual = std::ranges::find(kUsual, name) != kUsual.end() || name.starts_with(kHugePages);
    if (usual) usage[name] = amount;
    if (usual || is_extended(name)) usage[std::string(kRequests) + name] = amount;
  }
  for (const auto& [name, amount] : limits) {
    if (std::ranges::find(kUsual, name) != kUsual.end()) usage[std::string(kLimits) + name] = amount;
  }
  return usage;
}

Amounts usage_of(const Object& object) {
  const Resource& resource = object.resource();
  Amounts usage;
  if (resource.shelf == "pods") usage = pod_usage(object.as<core::Pod>());
  if (resource.shelf == "services") usage = service_usage(object.as<core::Service>());
  if (resource.shelf == "persistentvolumeclaims") usage = claim_usage(object.as<core::PersistentVolumeClaim>());
  if (has_old_name(resource)) usage[resource.plural] = 1;
  usage[count_name(resource)] = 1;
  return usage;
}

bool counts_for(const Resource& resource, std::string_view name) {
  if (name == count_name(resource)) return true;
  if (resource.shelf == "pods") {
    constexpr std::array<std::string_view, 10> kOfPods = {"pods",
                                                          "cpu",
                                                          "memory",
                                                          "ephemeral-storage",
                                                          "requests.cpu",
                                                          "requests.memory",
                                                          "requests.ephemeral-storage",
                                                          "limits.cpu",
                                                          "limits.memory",
                                                          "limits.ephemeral-storage"};
    const bool requested = name.starts_with(kRequests);
    return std::ranges::find(kOfPods, name) != kOfPods.end() || name.starts_with(kHugePages) ||
           (requested && name.substr(kRequests.size()).starts_with(kHugePages)) ||
           (requested && is_extended(name.substr(kRequests.size())));
  }
  if (resource.shelf == "services") {
    return name == "services" || name == "services.nodeports" || name == "services.loadbalancers";
  }
  if (resource.shelf == "persistentvolumeclaims") {
    return name == "persistentvolumeclaims" || name == "requests.storage" ||
           name.find(kOfClass) != std::string_view::npos;
  }
  return has_old_name(resource) && name == resource.plural;
}

bool in_scopes(const core::ResourceQuotaSpec& quota, const Object& object) {
  std::vector<core::ScopedResourceSelectorRequirement> scopes;
  scopes.reserve(quota.scopes.size());
  for (const std::string& scope : quota.scopes) scopes.push_back({.scopeName = scope, .operator_ = "Exists"});
  if (quota.scopeSelector) {
    const auto& more = quota.scopeSelector->matchExpressions;
    scopes.insert(scopes.end(), more.begin(), more.end());
  }
  if (scopes.empty()) return true;
  if (object.resource().shelf != "pods") return false;
  const core::PodSpec& spec = object.as<core::Pod>().spec;
  return std::ranges::all_of(scopes, [&](const auto& scope) { return in_scope(scope, spec); });
}

}  // namespace flyball::apiserver
