#include <array>
#include <span>

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

class RoleRules final : public RulesFor<rbac::Role> {
 public:
  Traits traits() const override { return rbac_traits(); }
};

class ClusterRoleRules final : public RulesFor<rbac::ClusterRole> {
 public:
  Traits traits() const override { return rbac_traits(); }
};

class RoleBindingRules final : public RulesFor<rbac::RoleBinding> {
 public:
  Traits traits() const override { return rbac_traits(); }
  void set_defaults(rbac::RoleBinding& binding) const override { default_binding(binding); }
};

class ClusterRoleBindingRules final : public RulesFor<rbac::ClusterRoleBinding> {
 public:
  Traits traits() const override { return rbac_traits(); }
  void set_defaults(rbac::ClusterRoleBinding& binding) const override { default_binding(binding); }
};

}  // namespace

std::span<const RulesOfKind> rbac_kinds() {
  static const RoleRules kRole;
  static const ClusterRoleRules kClusterRole;
  static const RoleBindingRules kBinding;
  static const ClusterRoleBindingRules kClusterBinding;
  static const std::array kKinds = {
      RulesOfKind{"rbac.authorization.k8s.io/v1", "Role", &kRole},
      RulesOfKind{"rbac.authorization.k8s.io/v1", "ClusterRole", &kClusterRole},
      RulesOfKind{"rbac.authorization.k8s.io/v1", "RoleBinding", &kBinding},
      RulesOfKind{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", &kClusterBinding}};
  return kKinds;
}

}  // namespace flyball::apiserver
