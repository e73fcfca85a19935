#include "flyball/runtime/permission_check.hpp"

#include <chrono>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "flyball/base/condition.hpp"
#include "flyball/base/error.hpp"
#include "flyball/kube/authorization/v1.hpp"

namespace flyball::runtime {
namespace {

namespace authorization = kube::authorization::v1;
using kube::rbac::v1::PolicyRule;

constexpr std::chrono::seconds kAskAgain{30};

bool allowed(const client::Client& client, const Permission& permission) {
  const std::size_t slash = permission.resource.find('/');
  const authorization::ResourceAttributes attributes{
      .namespace_ = permission.namespace_,
      .verb = std::string(to_string(permission.verb)),
      .group = permission.group,
      .resource = permission.resource.substr(0, slash),
      .subresource = slash == std::string::npos ? "" : permission.resource.substr(slash + 1)};
  return client.create(authorization::SelfSubjectAccessReview{.spec = {.resourceAttributes = attributes}})
      .status.allowed;
}

std::string flow_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + (word.empty() ? "\"\"" : word);
  return "[" + text + "]";
}

}  // namespace

std::vector<MissingRule> missing_rules(const client::Client& client, const Rbac& rbac, const RoleOptions& options) {
  // By role and verbs, so that resources of one group share a rule, as in the manifests.
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> verbs;
  for (const Permission& permission : rbac.permissions(options)) {
    if (allowed(client, permission)) continue;
    verbs[{permission.role, permission.group, permission.resource}].emplace_back(to_string(permission.verb));
  }
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>, std::vector<std::string>> resources;
  for (const auto& [target, missing] : verbs) {
    const auto& [role, group, resource] = target;
    resources[{role, group, missing}].push_back(resource);
  }
  std::vector<MissingRule> rules;
  rules.reserve(resources.size());
  for (auto& [key, names] : resources) {
    const auto& [role, group, missing] = key;
    rules.push_back({role, PolicyRule{.apiGroups = {group}, .resources = names, .verbs = missing}});
  }
  return rules;
}

std::string to_yaml(const PolicyRule& rule) {
  return "- {apiGroups: " + flow_list(rule.apiGroups) + ", resources: " + flow_list(rule.resources) +
         ", verbs: " + flow_list(rule.verbs) + "}";
}

void keep_asking(const client::Client& client, const Rbac& rbac, const RoleOptions& options, Clock& clock,
                 const Logger& log, const Stop& stop) {
  const client::Client mine = client.with(stop);
  std::set<std::string> told;
  do {
    try {
      const std::vector<MissingRule> missing = missing_rules(mine, rbac, options);
      for (const MissingRule& one : missing) {
        const std::string rule = to_yaml(one.rule);
        if (!told.insert(one.role + rule).second) continue;
        log.error("a permission is missing; add the rule", "to", one.role, "rule", rule);
      }
      if (missing.empty()) {
        if (!told.empty()) log.info("all permissions are there now");
        return;
      }
    } catch (const Stopped&) {
      return;
    } catch (const ApiError& error) {
      log.warn("the server does not say what the operator may do", "because", error);
      if (error.is_not_found() || error.is_forbidden()) return;
    } catch (const Error& error) {
      log.debug("the server could not be asked what the operator may do", "because", error);
    }
  } while (pause_until(clock, clock.after(kAskAgain), stop));
}

}  // namespace flyball::runtime
