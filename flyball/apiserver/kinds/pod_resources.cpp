#include "flyball/apiserver/kinds/pod_resources.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

using Lists = ResourceList core::ResourceRequirements::*;

void add(ResourceList& to, const ResourceList& more) {
  for (const auto& [name, amount] : more) {
    const auto [at, fresh] = to.try_emplace(name, amount);
    if (!fresh) at->second += amount;
  }
}

void raise(ResourceList& to, const ResourceList& other) {
  for (const auto& [name, amount] : other) {
    const auto [at, fresh] = to.try_emplace(name, amount);
    if (!fresh && at->second < amount) at->second = amount;
  }
}

bool is_sidecar(const core::Container& container) { return container.restartPolicy == "Always"; }

ResourceList aggregate(const core::PodSpec& spec, Lists list) {
  ResourceList total;
  for (const core::Container& container : spec.containers) add(total, container.resources.*list);
  ResourceList sidecars;
  ResourceList start;
  for (const core::Container& container : spec.initContainers) {
    const ResourceList& own = container.resources.*list;
    if (is_sidecar(container)) {
      add(total, own);
      add(sidecars, own);
      raise(start, sidecars);
      continue;
    }
    ResourceList moment = own;
    add(moment, sidecars);
    raise(start, moment);
  }
  raise(total, start);
  return total;
}

bool counts_for_qos(const std::string& name, const kube::Quantity& amount) {
  return (name == "cpu" || name == "memory") && amount.sign() > 0;
}

ResourceList counted(const ResourceList& list) {
  ResourceList result;
  for (const auto& [name, amount] : list) {
    if (counts_for_qos(name, amount)) result.emplace(name, amount);
  }
  return result;
}

struct Quality {
  ResourceList requests = {};
  ResourceList limits = {};
  bool all_limited = true;

  void count(const core::ResourceRequirements& resources) {
    const ResourceList limited = counted(resources.limits);
    add(requests, counted(resources.requests));
    add(limits, limited);
    if (limited.size() != 2) all_limited = false;
  }
  std::string name() const {
    if (requests.empty() && limits.empty()) return "BestEffort";
    return all_limited && requests == limits ? "Guaranteed" : "Burstable";
  }
};

bool is_native(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}

}  // namespace

ResourceList aggregate_requests(const core::PodSpec& spec) {
  return aggregate(spec, &core::ResourceRequirements::requests);
}

ResourceList aggregate_limits(const core::PodSpec& spec) {
  return aggregate(spec, &core::ResourceRequirements::limits);
}

bool is_huge_page(std::string_view name) { return name.starts_with("hugepages-"); }

bool is_pod_level_resource(std::string_view name) { return name == "cpu" || name == "memory" || is_huge_page(name); }

bool overcommit_allowed(std::string_view name) { return is_native(name) && !is_huge_page(name); }

void default_pod_level_resources(core::PodSpec& spec) {
  if (!spec.resources) return;
  ResourceList& limits = spec.resources->limits;
  ResourceList& requests = spec.resources->requests;
  if (limits.empty() && requests.empty()) return;
  for (const auto& [name, amount] : aggregate_limits(spec)) {
    if (is_huge_page(name) && !requests.contains(name)) limits.try_emplace(name, amount);
  }
  if (limits.empty()) return;
  for (const auto& [name, amount] : aggregate_requests(spec)) {
    if (is_pod_level_resource(name) && overcommit_allowed(name)) requests.try_emplace(name, amount);
  }
  for (const auto& [name, amount] : limits) {
    if (is_pod_level_resource(name)) requests.try_emplace(name, amount);
  }
}

std::string qos_class(const core::PodSpec& spec) {
  Quality quality;
  if (spec.resources) {
    const ResourceList limits = counted(spec.resources->limits);
    quality.requests = counted(spec.resources->requests);
    quality.limits = limits;
    quality.all_limited = spec.resources->limits.empty() || limits.size() == 2;
    return quality.name();
  }
  for (const core::Container& container : spec.containers) quality.count(container.resources);
  for (const core::Container& container : spec.initContainers) quality.count(container.resources);
  return quality.name();
}

}  // namespace flyball::apiserver
