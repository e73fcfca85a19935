#include <array>
#include <span>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/network_validation.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/networking/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace networking = kube::networking::v1;

class IngressRules final : public RulesFor<networking::Ingress> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void validate(const networking::Ingress& object, Problems& problems) const override {
    validate_ingress(object, problems);
  }
};

class IngressClassRules final : public RulesFor<networking::IngressClass> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(networking::IngressClass& object) const override {
    auto& parameters = object.spec.parameters;
    if (parameters && !parameters->scope) parameters->scope = "Cluster";
  }
  void validate(const networking::IngressClass& object, Problems& problems) const override {
    validate_ingress_class(object, problems);
  }
  void validate_update(const networking::IngressClass& object, const networking::IngressClass& old,
                       Problems& problems) const override {
    check_immutable(object.spec.controller, old.spec.controller, FieldPath("spec").child("controller"), problems);
    validate(object, problems);
  }
};

class NetworkPolicyRules final : public RulesFor<networking::NetworkPolicy> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(networking::NetworkPolicy& policy) const override {
    if (policy.spec.policyTypes.empty()) {
      policy.spec.policyTypes.emplace_back("Ingress");
      if (!policy.spec.egress.empty()) policy.spec.policyTypes.emplace_back("Egress");
    }
    for (networking::NetworkPolicyIngressRule& rule : policy.spec.ingress) default_ports(rule.ports);
    for (networking::NetworkPolicyEgressRule& rule : policy.spec.egress) default_ports(rule.ports);
  }
  void validate(const networking::NetworkPolicy& object, Problems& problems) const override {
    validate_network_policy(object, problems);
  }

 private:
  static void default_ports(std::vector<networking::NetworkPolicyPort>& ports) {
    for (networking::NetworkPolicyPort& port : ports) {
      if (!port.protocol) port.protocol = "TCP";
    }
  }
};

}  // namespace

std::span<const RulesOfKind> networking_kinds() {
  static const IngressRules ingress_rules;
  static const IngressClassRules class_rules;
  static const NetworkPolicyRules policy_rules;
  static const std::array kinds = {RulesOfKind{"networking.k8s.io/v1", "Ingress", &ingress_rules},
                                   RulesOfKind{"networking.k8s.io/v1", "IngressClass", &class_rules},
                                   RulesOfKind{"networking.k8s.io/v1", "NetworkPolicy", &policy_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
