#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flyball/apiserver/kinds/admission_validation.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/admissionregistration/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace admission = kube::admissionregistration::v1;

constexpr std::int32_t kTimeoutSeconds = 10;
constexpr std::int32_t kPort = 443;

template <class Rule>
void default_scopes(std::vector<Rule>& rules) {
  for (Rule& rule : rules) {
    if (!rule.scope) rule.scope = "*";
  }
}

template <class Webhook>
void default_webhook(Webhook& webhook) {
  if (!webhook.failurePolicy) webhook.failurePolicy = "Fail";
  if (!webhook.matchPolicy) webhook.matchPolicy = "Equivalent";
  webhook.namespaceSelector.get_or_make();
  webhook.objectSelector.get_or_make();
  if (!webhook.timeoutSeconds) webhook.timeoutSeconds = kTimeoutSeconds;
  if (webhook.clientConfig.service && !webhook.clientConfig.service->port) webhook.clientConfig.service->port = kPort;
  default_scopes(webhook.rules);
}

void default_match(Box<admission::MatchResources>& match) {
  if (!match) return;
  if (!match->matchPolicy) match->matchPolicy = "Equivalent";
  match->namespaceSelector.get_or_make();
  match->objectSelector.get_or_make();
  default_scopes(match->resourceRules);
  default_scopes(match->excludeResourceRules);
}

Traits admission_traits() { return {.generation = true, .unconditional_update = false}; }

class MutatingWebhooksRules final : public RulesFor<admission::MutatingWebhookConfiguration> {
 public:
  Traits traits() const override { return admission_traits(); }
  void set_defaults(admission::MutatingWebhookConfiguration& configuration) const override {
    for (admission::MutatingWebhook& webhook : configuration.webhooks) {
      default_webhook(webhook);
      if (!webhook.reinvocationPolicy) webhook.reinvocationPolicy = "Never";
    }
  }
  void validate(const admission::MutatingWebhookConfiguration& configuration, Problems& problems) const override {
    validate_webhooks(configuration, problems);
  }
};

class ValidatingWebhooksRules final : public RulesFor<admission::ValidatingWebhookConfiguration> {
 public:
  Traits traits() const override { return admission_traits(); }
  void set_defaults(admission::ValidatingWebhookConfiguration& configuration) const override {
    for (admission::ValidatingWebhook& webhook : configuration.webhooks) default_webhook(webhook);
  }
  void validate(const admission::ValidatingWebhookConfiguration& configuration, Problems& problems) const override {
    validate_webhooks(configuration, problems);
  }
};

class ValidatingPolicyRules final : public RulesFor<admission::ValidatingAdmissionPolicy> {
 public:
  Traits traits() const override { return {.generation = true, .unconditional_update = false}; }
  void set_defaults(admission::ValidatingAdmissionPolicy& policy) const override {
    if (!policy.spec.failurePolicy) policy.spec.failurePolicy = "Fail";
    default_match(policy.spec.matchConstraints);
  }
  void prepare_status(admission::ValidatingAdmissionPolicy& policy,
                      const admission::ValidatingAdmissionPolicy& old) const override {
    policy.spec = old.spec;
    keep_metadata(policy.metadata, old.metadata);
  }
  void validate(const admission::ValidatingAdmissionPolicy& policy, Problems& problems) const override {
    validate_admission_policy(policy, problems);
  }
};

class ValidatingBindingRules final : public RulesFor<admission::ValidatingAdmissionPolicyBinding> {
 public:
  Traits traits() const override { return admission_traits(); }
  void set_defaults(admission::ValidatingAdmissionPolicyBinding& binding) const override {
    default_match(binding.spec.matchResources);
  }
  void validate(const admission::ValidatingAdmissionPolicyBinding& binding, Problems& problems) const override {
    validate_admission_binding(binding, problems);
  }
};

class MutatingPolicyRules final : public RulesFor<admission::MutatingAdmissionPolicy> {
 public:
  Traits traits() const override { return admission_traits(); }
  void set_defaults(admission::MutatingAdmissionPolicy& policy) const override {
    if (!policy.spec.failurePolicy) policy.spec.failurePolicy = "Fail";
    default_match(policy.spec.matchConstraints);
  }
};

class MutatingBindingRules final : public RulesFor<admission::MutatingAdmissionPolicyBinding> {
 public:
  Traits traits() const override { return admission_traits(); }
  void set_defaults(admission::MutatingAdmissionPolicyBinding& binding) const override {
    default_match(binding.spec.matchResources);
  }
};

}  // namespace

std::span<const RulesOfKind> admission_kinds() {
  static constexpr const char* kVersion = "admissionregistration.k8s.io/v1";
  static const MutatingWebhooksRules mutating_webhooks_rules;
  static const ValidatingWebhooksRules validating_webhooks_rules;
  static const ValidatingPolicyRules policy_rules;
  static const ValidatingBindingRules binding_rules;
  static const MutatingPolicyRules mutating_policy_rules;
  static const MutatingBindingRules mutating_binding_rules;
  static const std::array kinds = {RulesOfKind{kVersion, "MutatingWebhookConfiguration", &mutating_webhooks_rules},
                                   RulesOfKind{kVersion, "ValidatingWebhookConfiguration", &validating_webhooks_rules},
                                   RulesOfKind{kVersion, "ValidatingAdmissionPolicy", &policy_rules},
                                   RulesOfKind{kVersion, "ValidatingAdmissionPolicyBinding", &binding_rules},
                                   RulesOfKind{kVersion, "MutatingAdmissionPolicy", &mutating_policy_rules},
                                   RulesOfKind{kVersion, "MutatingAdmissionPolicyBinding", &mutating_binding_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
