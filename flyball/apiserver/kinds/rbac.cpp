#include <array>
#include <span>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/rbac/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace rbac = kube::rbac::v1;

constexpr const char* kGroup = "rbac.authorization.k8s.io";

Traits rbac_traits() { return {.name = kube::names::path_segment, .create_on_update = true}; }

template <class Binding>
void default_binding(Binding& binding) {
  if (binding.roleRef.apiGroup.empty()) binding.roleRef.apiGroup = kGroup;
  for (rbac::Subject& subject : binding.subjects) {
    if (subject.apiGroup.empty() && (subject.kind == "User" || subject.kind == "Group")) subject.apiGroup = kGroup;
  }
}

void check_rule(const rbac::PolicyRule& rule, bool namespaced, const FieldPath& at, Problems& problems) {
  if (rule.verbs.empty()) problems.required(at.child("verbs"), "verbs must contain at least one value");
  const FieldPath urls = at.child("nonResourceURLs");
  if (!rule.nonResourceURLs.empty()) {
    if (namespaced) {
      problems.invalid(urls, shown(rule.nonResourceURLs), "namespaced rules cannot apply to non-resource URLs");
    }
    if (!rule.apiGroups.empty() || !rule.resources.empty() || !rule.resourceNames.empty()) {
      problems.invalid(urls, shown(rule.nonResourceURLs),
                       "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (rule.apiGroups.empty()) {
    problems.required(at.child("apiGroups"), "resource rules must supply at least one api group");
  }
  if (rule.resources.empty()) {
    problems.required(at.child("resources"), "resource rules must supply at least one resource");
  }
}

void check_rules(const std::vector<rbac::PolicyRule>& rules, bool namespaced, Problems& problems) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    check_rule(rules[i], namespaced, FieldPath("rules").index(i), problems);
  }
}

void check_subject(const rbac::Subject& subject, bool namespaced, const FieldPath& at, Problems& problems) {
  if (subject.name.empty()) problems.required(at.child("name"));
  if (subject.kind == "ServiceAccount") {
    if (!subject.name.empty()) {
      problems.invalid(at.child("name"), subject.name, kube::names::dns1123_subdomain(subject.name));
    }
    if (!subject.apiGroup.empty()) problems.not_supported(at.child("apiGroup"), subject.apiGroup, {""});
    if (!namespaced && subject.namespace_.empty()) problems.required(at.child("namespace"));
  } else if (subject.kind == "User" || subject.kind == "Group") {
    check_one_of(subject.apiGroup, {kGroup}, at.child("apiGroup"), problems);
  } else {
    problems.not_supported(at.child("kind"), subject.kind, {"ServiceAccount", "User", "Group"});
  }
}

template <class Binding>
void check_binding(const Binding& binding, bool namespaced, Problems& problems) {
  const FieldPath role("roleRef");
  check_one_of(binding.roleRef.apiGroup, {kGroup}, role.child("apiGroup"), problems);
  if (namespaced) {
    check_one_of(binding.roleRef.kind, {"Role", "ClusterRole"}, role.child("kind"), problems);
  } else {
    check_one_of(binding.roleRef.kind, {"ClusterRole"}, role.child("kind"), problems);
  }
  if (binding.roleRef.name.empty()) {
    problems.required(role.child("name"));
  } else {
    problems.invalid(role.child("name"), binding.roleRef.name, kube::names::path_segment(binding.roleRef.name));
  }
  for (std::size_t i = 0; i < binding.subjects.size(); ++i) {
    check_subject(binding.subjects[i], namespaced, FieldPath("subjects").index(i), problems);
  }
}

template <class Binding>
void check_role_kept(const Binding& binding, const Binding& old, Problems& problems) {
  if (binding.roleRef == old.roleRef) return;
  const rbac::RoleRef& role = binding.roleRef;
  problems.invalid(FieldPath("roleRef"),
                   json::object({{"APIGroup", role.apiGroup}, {"Kind", role.kind}, {"Name", role.name}}),
                   "cannot change roleRef");
}

class RoleRules final : public RulesFor<rbac::Role> {
 public:
  Traits traits() const override { return rbac_traits(); }
  void validate(const rbac::Role& role, Problems& problems) const override { check_rules(role.rules, true, problems); }
};

class ClusterRoleRules final : public RulesFor<rbac::ClusterRole> {
 public:
  Traits traits() const override { return rbac_traits(); }
  void validate(const rbac::ClusterRole& role, Problems& problems) const override {
    check_rules(role.rules, false, problems);
    if (!role.aggregationRule) return;
    const FieldPath at = FieldPath("aggregationRule").child("clusterRoleSelectors");
    const auto& selectors = role.aggregationRule->clusterRoleSelectors;
    if (selectors.empty()) {
      problems.required(at, "at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    for (std::size_t i = 0; i < selectors.size(); ++i) check_label_selector(selectors[i], at.index(i), problems);
  }
};

class RoleBindingRules final : public RulesFor<rbac::RoleBinding> {
 public:
  Traits traits() const override { return rbac_traits(); }
  void set_defaults(rbac::RoleBinding& binding) const override { default_binding(binding); }
  void validate(const rbac::RoleBinding& binding, Problems& problems) const override {
    check_binding(binding, true, problems);
  }
  void validate_update(const rbac::RoleBinding& binding, const rbac::RoleBinding& old,
                       Problems& problems) const override {
    validate(binding, problems);
    check_role_kept(binding, old, problems);
  }
};

class ClusterRoleBindingRules final : public RulesFor<rbac::ClusterRoleBinding> {
 public:
  Traits traits() const override { return rbac_traits(); }
  void set_defaults(rbac::ClusterRoleBinding& binding) const override { default_binding(binding); }
  void validate(const rbac::ClusterRoleBinding& binding, Problems& problems) const override {
    check_binding(binding, false, problems);
  }
  void validate_update(const rbac::ClusterRoleBinding& binding, const rbac::ClusterRoleBinding& old,
                       Problems& problems) const override {
    validate(binding, problems);
    check_role_kept(binding, old, problems);
  }
};

}  // namespace

std::span<const RulesOfKind> rbac_kinds() {
  static const RoleRules role_rules;
  static const ClusterRoleRules cluster_role_rules;
  static const RoleBindingRules binding_rules;
  static const ClusterRoleBindingRules cluster_binding_rules;
  static const std::array kinds = {
      RulesOfKind{"rbac.authorization.k8s.io/v1", "Role", &role_rules},
      RulesOfKind{"rbac.authorization.k8s.io/v1", "ClusterRole", &cluster_role_rules},
      RulesOfKind{"rbac.authorization.k8s.io/v1", "RoleBinding", &binding_rules},
      RulesOfKind{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", &cluster_binding_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
