#include "flyball/cluster/controllers/cluster_roles.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/kube/rbac/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace rbac = kube::rbac::v1;

bool takes_over(const rbac::AggregationRule& rule, const rbac::ClusterRole& other) {
  return std::ranges::any_of(rule.clusterRoleSelectors, [&](const kube::meta::v1::LabelSelector& selector) {
    return selector_of(selector).matches(other.metadata.labels);
  });
}

void collect(Context& ctx, const rbac::ClusterRole& role) {
  if (!role.aggregationRule) return;
  std::vector<rbac::ClusterRole> others = ctx.list<rbac::ClusterRole>();
  std::ranges::sort(others, {}, [](const rbac::ClusterRole& other) { return other.metadata.name; });
  std::vector<rbac::PolicyRule> rules;
  for (const rbac::ClusterRole& other : others) {
    if (other.metadata.name == role.metadata.name || !takes_over(*role.aggregationRule, other)) continue;
    for (const rbac::PolicyRule& rule : other.rules) {
      if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
    }
  }
  if (rules == role.rules) return;
  rbac::ClusterRole changed = role;
  changed.rules = std::move(rules);
  ctx.update(role, changed);
}

}  // namespace

void declare_cluster_roles(runtime::Operator& op) {
  op.reconcile<rbac::ClusterRole>([](Context& ctx, rbac::ClusterRole& role) { collect(ctx, role); })
      .reads<rbac::ClusterRole>()
      .may("rbac.authorization.k8s.io", "clusterroles", {runtime::Verb::patch}, false)
      .name("clusterrole-aggregation-controller");
}

}  // namespace flyball::cluster
