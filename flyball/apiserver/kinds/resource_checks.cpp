#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_resources.hpp"

// Names and amounts of resources.
namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::int64_t kMilli = 1000;

bool is_native(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}

bool is_standard(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {"cpu",
                                                              "memory",
                                                              "ephemeral-storage",
                                                              "requests.cpu",
                                                              "requests.memory",
                                                              "requests.ephemeral-storage",
                                                              "limits.cpu",
                                                              "limits.memory",
                                                              "limits.ephemeral-storage",
                                                              "pods",
                                                              "resourcequotas",
                                                              "services",
                                                              "replicationcontrollers",
                                                              "secrets",
                                                              "configmaps",
                                                              "persistentvolumeclaims",
                                                              "storage",
                                                              "requests.storage",
                                                              "services.nodeports",
                                                              "services.loadbalancers"};
  return std::ranges::find(kNames, name) != kNames.end() || is_huge_page(name) ||
         name.starts_with("requests.hugepages-");
}

bool is_counted(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "pods",       "resourcequotas",         "services",           "replicationcontrollers", "secrets",
      "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"};
  return std::ranges::find(kNames, name) != kNames.end() || is_extended_resource(name);
}

bool is_compute(std::string_view name) { return name == "cpu" || name == "memory"; }

void check_any_name(std::string_view name, ResourcesOf of, const FieldPath& at, Problems& problems) {
  if (of == ResourcesOf::container) {
    check_container_resource_name(name, at, problems);
    return;
  }
  const std::size_t before = problems.size();
  check_resource_name(name, at, problems);
  if (problems.size() == before && !is_pod_level_resource(name)) {
    problems.not_supported(at, name, {"cpu", "hugepages-", "memory"});
  }
}

void check_against_limit(const std::string& name, const kube::Quantity& amount, const ResourceList& limits,
                         const FieldPath& at, Problems& problems) {
  const auto limit = limits.find(name);
  if (limit == limits.end()) {
    if (!overcommit_allowed(name)) {
      problems.required(at.child("limits"), "Limit must be set for non overcommitable resources");
    }
    return;
  }
  const std::string text = name + " limit of " + limit->second.to_string();
  if (amount != limit->second && !overcommit_allowed(name)) {
    problems.invalid(at.child("requests"), amount.to_string(), "must be equal to " + text);
  } else if (amount > limit->second) {
    problems.invalid(at.child("requests"), amount.to_string(), "must be less than or equal to " + text);
  }
}

void check_claims(const std::vector<core::ResourceClaim>& claims, const std::vector<core::PodResourceClaim>& of_pod,
                  const FieldPath& at, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::string& name = claims[i].name;
    if (name.empty()) {
      problems.required(at.index(i).child("name"));
      continue;
    }
    const std::string key = claims[i].request.empty() ? name : name + "/" + claims[i].request;
    if (!seen.insert(key).second) problems.duplicate(at.index(i), key);
    const auto known = [&](const core::PodResourceClaim& claim) { return claim.name == name; };
    if (std::ranges::none_of(of_pod, known)) problems.not_found(at.index(i).child("name"), name);
  }
}

}  // namespace

bool is_extended_resource(std::string_view name) {
  if (is_native(name) || name.starts_with("requests.")) return false;
  return names::qualified_name("requests." + std::string(name)).empty();
}

void check_resource_name(std::string_view name, const FieldPath& at, Problems& problems) {
  const names::Messages messages = names::qualified_name(name);
  problems.invalid(at, name, messages);
  if (messages.empty() && name.find('/') == std::string_view::npos && !is_standard(name)) {
    problems.invalid(at, name, "must be a standard resource type or fully qualified");
  }
}

void check_container_resource_name(std::string_view name, const FieldPath& at, Problems& problems) {
  check_resource_name(name, at, problems);
  if (name.find('/') == std::string_view::npos) {
    if (!is_compute(name) && name != "ephemeral-storage" && !is_huge_page(name)) {
      problems.invalid(at, name, "must be a standard resource for containers");
    }
  } else if (!is_native(name) && !is_extended_resource(name)) {
    problems.invalid(at, name, "doesn't follow extended resource name standard");
  }
}

void check_quantity(std::string_view resource, const kube::Quantity& amount, const FieldPath& at, Problems& problems) {
  if (amount.sign() < 0) problems.invalid(at, amount.to_string(), kNegative);
  if (is_counted(resource) && amount.milli_value() % kMilli != 0) {
    problems.invalid(at, amount.to_string(), "must be an integer");
  }
}

void check_requirements(const core::ResourceRequirements& resources, ResourcesOf of,
                        const std::vector<core::PodResourceClaim>& claims, const FieldPath& at, Problems& problems) {
  bool compute = false;
  bool pages = false;
  for (const auto& [name, amount] : resources.limits) {
    const FieldPath here = at.child("limits").key(name);
    check_any_name(name, of, here, problems);
    check_quantity(name, amount, here, problems);
    pages = pages || is_huge_page(name);
    compute = compute || is_compute(name);
  }
  for (const auto& [name, amount] : resources.requests) {
    const FieldPath here = at.child("requests").key(name);
    check_any_name(name, of, here, problems);
    check_quantity(name, amount, here, problems);
    check_against_limit(name, amount, resources.limits, at, problems);
    pages = pages || is_huge_page(name);
    compute = compute || is_compute(name);
  }
  if (pages && !compute) problems.forbidden(at, "HugePages require cpu or memory");
  check_claims(resources.claims, claims, at.child("claims"), problems);
}

}  // namespace flyball::apiserver
