#include "flyball/apiserver/kinds/admission_validation.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

namespace flyball::apiserver {
namespace {

namespace admission = kube::admissionregistration::v1;
namespace names = kube::names;

constexpr std::int32_t kLongestTimeout = 30;

bool has_wildcard(const std::vector<std::string>& words) { return std::ranges::find(words, "*") != words.end(); }

std::string clash(const std::string& wide, const std::string& narrow) {
  std::string text = "if '";
  return text.append(wide).append("' is present, must not specify ").append(narrow);
}

void check_resources(const std::vector<std::string>& resources, const FieldPath& at, Problems& problems) {
  if (resources.empty()) problems.required(at);
  std::set<std::string> all_subresources;
  std::set<std::string> of_all;
  bool plain = false;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const std::string& text = resources[i];
    if (text.empty()) {
      problems.required(at.index(i));
      continue;
    }
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) {
      plain = text != "*";
      continue;
    }
    const std::string resource = text.substr(0, slash);
    const std::string sub = text.substr(slash + 1);
    if (all_subresources.contains(resource)) {
      problems.invalid(at.index(i), text, clash(resource + "/*", text));
    }
    if (of_all.contains(sub)) {
      problems.invalid(at.index(i), text, clash("*/" + sub, text));
    }
    if (sub == "*") all_subresources.insert(resource);
    if (resource == "*") of_all.insert(sub);
  }
  if (resources.size() > 1 && std::ranges::find(resources, "*/*") != resources.end()) {
    problems.invalid(at, shown(resources), "if '*/*' is present, must not specify other resources");
  }
  if (has_wildcard(resources) && plain) {
    problems.invalid(at, shown(resources), "if '*' is present, must not specify other resources without subresources");
  }
}

template <class Rule>
void check_rule(const Rule& rule, const FieldPath& at, Problems& problems) {
  const FieldPath operations = at.child("operations");
  if (rule.operations.empty()) problems.required(operations);
  if (rule.operations.size() > 1 && has_wildcard(rule.operations)) {
    problems.invalid(operations, shown(rule.operations), "if '*' is present, must not specify other operations");
  }
  for (std::size_t i = 0; i < rule.operations.size(); ++i) {
    check_one_of(rule.operations[i], {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"}, operations.index(i), problems);
  }
  if (rule.apiGroups.empty()) problems.required(at.child("apiGroups"));
  if (rule.apiGroups.size() > 1 && has_wildcard(rule.apiGroups)) {
    problems.invalid(at.child("apiGroups"), shown(rule.apiGroups),
                     "if '*' is present, must not specify other API groups");
  }
  const FieldPath versions = at.child("apiVersions");
  if (rule.apiVersions.empty()) problems.required(versions);
  if (rule.apiVersions.size() > 1 && has_wildcard(rule.apiVersions)) {
    problems.invalid(versions, shown(rule.apiVersions), "if '*' is present, must not specify other API versions");
  }
  for (std::size_t i = 0; i < rule.apiVersions.size(); ++i) require(rule.apiVersions[i], versions.index(i), problems);
  check_resources(rule.resources, at.child("resources"), problems);
  if (rule.scope) check_one_of(*rule.scope, {"*", "Cluster", "Namespaced"}, at.child("scope"), problems);
}

void check_versions(const std::vector<std::string>& versions, const FieldPath& at, Problems& problems) {
  if (versions.empty()) {
    problems.required(at, "must specify one of v1, v1beta1");
    return;
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (!seen.insert(versions[i]).second) {
      problems.invalid(at.index(i), versions[i], "duplicate version");
      continue;
    }
    check_name(versions[i], names::dns1035_label, at.index(i), problems);
  }
  if (!seen.contains("v1") && !seen.contains("v1beta1")) {
    problems.invalid(at, shown(versions), "must include at least one of v1, v1beta1");
  }
}

void check_url(const std::string& url, const FieldPath& at, Problems& problems) {
  constexpr std::string_view kForm = "; desired format: https://host[/path]";
  const std::size_t scheme_end = url.find("://");
  const std::string scheme = scheme_end == std::string::npos ? "" : url.substr(0, scheme_end);
  if (scheme != "https") {
    problems.invalid(at, scheme, "'https' is the only allowed URL scheme" + std::string(kForm));
  }
  std::string rest = scheme_end == std::string::npos ? "" : url.substr(scheme_end + 3);
  const std::size_t fragment = rest.find('#');
  const std::string after_hash = fragment == std::string::npos ? "" : rest.substr(fragment + 1);
  rest = rest.substr(0, fragment);
  const std::size_t query = rest.find('?');
  const std::string after_question = query == std::string::npos ? "" : rest.substr(query + 1);
  rest = rest.substr(0, query);
  std::string host = rest.substr(0, rest.find('/'));
  const std::size_t user = host.find('@');
  const std::string who = user == std::string::npos ? "" : host.substr(0, user);
  if (user != std::string::npos) host = host.substr(user + 1);
  if (host.empty()) problems.invalid(at, "", "host must be specified" + std::string(kForm));
  if (user != std::string::npos) problems.invalid(at, who, "user information is not permitted in the URL");
  if (!after_hash.empty()) problems.invalid(at, after_hash, "fragments are not permitted in the URL");
  if (!after_question.empty()) problems.invalid(at, after_question, "query parameters are not permitted in the URL");
}

void check_service_path(const std::string& path, const FieldPath& at, Problems& problems) {
  if (path.empty() || path == "/") return;
  if (path == "//") {
    problems.invalid(at, path, "segment[0] may not be empty");
    return;
  }
  if (!path.starts_with('/')) problems.invalid(at, path, "must start with a '/'");
  std::string_view rest = std::string_view(path).substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t i = 0;; ++i) {
    const std::size_t slash = rest.find('/');
    const std::string step(rest.substr(0, slash));
    const std::string where = "segment[" + std::to_string(i) + "]";
    if (step.empty()) {
      problems.invalid(at, path, where + " may not be empty");
    } else {
      for (std::string message : names::dns1123_subdomain(step)) {
        problems.invalid(at, path, message.insert(0, ": ").insert(0, where));
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void check_client(const admission::WebhookClientConfig& client, const FieldPath& at, Problems& problems) {
  if (client.url.has_value() == client.service.has_value()) {
    problems.required(at, "exactly one of url or service is required");
    return;
  }
  if (client.url) {
    check_url(*client.url, at.child("url"), problems);
    return;
  }
  const FieldPath here = at.child("service");
  // The server takes the two the wrong way round when it names what is missing.
  require(client.service->namespace_, here.child("name"), problems);
  require(client.service->name, here.child("namespace"), problems);
  const std::int32_t port = client.service->port.value_or(0);
  std::string all;
  for (const std::string& message : names::port_number(port)) all.append(all.empty() ? "" : ", ").append(message);
  if (!all.empty()) problems.invalid(here.child("port"), port, "port is not valid: " + all);
  if (client.service->path) check_service_path(*client.service->path, here.child("path"), problems);
}

void check_conditions(const std::vector<admission::MatchCondition>& conditions, const FieldPath& at,
                      Problems& problems) {
  constexpr std::size_t kMost = 64;
  if (conditions.size() > kMost) problems.too_many(at, conditions.size(), kMost);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const FieldPath here = at.index(i);
    require(conditions[i].expression, here.child("expression"), problems);
    if (conditions[i].name.empty()) {
      problems.required(here.child("name"));
    } else {
      check_name(conditions[i].name, names::qualified_name, here.child("name"), problems);
      if (!seen.insert(conditions[i].name).second) problems.duplicate(here.child("name"), conditions[i].name);
    }
  }
}

template <class Webhook>
void check_webhook(const Webhook& webhook, const FieldPath& at, Problems& problems) {
  check_fully_qualified_name(webhook.name, at.child("name"), problems);
  for (std::size_t i = 0; i < webhook.rules.size(); ++i) {
    check_rule(webhook.rules[i], at.child("rules").index(i), problems);
  }
  check_one_of(webhook.failurePolicy.value_or("Fail"), {"Fail", "Ignore"}, at.child("failurePolicy"), problems);
  check_one_of(webhook.matchPolicy.value_or("Exact"), {"Equivalent", "Exact"}, at.child("matchPolicy"), problems);
  if (!webhook.sideEffects) {
    problems.required(at.child("sideEffects"), "must specify one of None, NoneOnDryRun");
  } else {
    check_one_of(*webhook.sideEffects, {"None", "NoneOnDryRun"}, at.child("sideEffects"), problems);
  }
  const std::int32_t timeout = webhook.timeoutSeconds.value_or(1);
  if (timeout < 1 || timeout > kLongestTimeout) {
    problems.invalid(at.child("timeoutSeconds"), timeout, "the timeout value must be between 1 and 30 seconds");
  }
  if (webhook.namespaceSelector) {
    check_label_selector(*webhook.namespaceSelector, at.child("namespaceSelector"), problems);
  }
  if (webhook.objectSelector) check_label_selector(*webhook.objectSelector, at.child("objectSelector"), problems);
  if constexpr (requires { webhook.reinvocationPolicy; }) {
    check_one_of(webhook.reinvocationPolicy.value_or("Never"), {"IfNeeded", "Never"}, at.child("reinvocationPolicy"),
                 problems);
  }
  check_client(webhook.clientConfig, at.child("clientConfig"), problems);
  check_conditions(webhook.matchConditions, at.child("matchConditions"), problems);
}

template <class Configuration>
void check_configuration(const Configuration& configuration, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < configuration.webhooks.size(); ++i) {
    const auto& webhook = configuration.webhooks[i];
    const FieldPath at = FieldPath("webhooks").index(i);
    check_webhook(webhook, at, problems);
    check_versions(webhook.admissionReviewVersions, at.child("admissionReviewVersions"), problems);
    if (!webhook.name.empty() && !seen.insert(webhook.name).second) {
      problems.duplicate(at.child("name"), webhook.name);
    }
  }
}

void check_match(const admission::MatchResources& match, const FieldPath& at, Problems& problems) {
  if (match.namespaceSelector) {
    check_label_selector(*match.namespaceSelector, at.child("namespaceSelector"), problems);
  }
  if (match.objectSelector) check_label_selector(*match.objectSelector, at.child("objectSelector"), problems);
  for (std::size_t i = 0; i < match.resourceRules.size(); ++i) {
    check_rule(match.resourceRules[i], at.child("resourceRules").index(i), problems);
  }
  for (std::size_t i = 0; i < match.excludeResourceRules.size(); ++i) {
    check_rule(match.excludeResourceRules[i], at.child("excludeResourceRules").index(i), problems);
  }
}

}  // namespace

void validate_webhooks(const admission::MutatingWebhookConfiguration& configuration, Problems& problems) {
  check_configuration(configuration, problems);
}

void validate_webhooks(const admission::ValidatingWebhookConfiguration& configuration, Problems& problems) {
  check_configuration(configuration, problems);
}

void validate_admission_policy(const admission::ValidatingAdmissionPolicy& policy, Problems& problems) {
  const FieldPath at("spec");
  const admission::ValidatingAdmissionPolicySpec& spec = policy.spec;
  check_one_of(spec.failurePolicy.value_or("Fail"), {"Fail", "Ignore"}, at.child("failurePolicy"), problems);
  check_conditions(spec.matchConditions, at.child("matchConditions"), problems);
  const FieldPath constraints = at.child("matchConstraints");
  if (!spec.matchConstraints) {
    problems.required(constraints);
  } else {
    check_match(*spec.matchConstraints, constraints, problems);
    if (spec.matchConstraints->resourceRules.empty()) problems.required(constraints.child("resourceRules"));
  }
  if (spec.validations.empty() && spec.auditAnnotations.empty()) {
    problems.required(at.child("validations"), "validations or auditAnnotations must contain at least one item");
    problems.required(at.child("auditAnnotations"), "validations or auditAnnotations must contain at least one item");
  }
  for (std::size_t i = 0; i < spec.validations.size(); ++i) {
    if (spec.validations[i].expression.empty()) {
      problems.required(at.child("validations").index(i).child("expression"), "expression is not specified");
    }
  }
}

void validate_admission_binding(const admission::ValidatingAdmissionPolicyBinding& binding, Problems& problems) {
  const FieldPath at("spec");
  if (binding.spec.policyName.empty()) {
    problems.required(at.child("policyName"));
  } else {
    check_name(binding.spec.policyName, names::dns1123_subdomain, at.child("policyName"), problems);
  }
  if (binding.spec.matchResources) check_match(*binding.spec.matchResources, at.child("matchResouces"), problems);
  const FieldPath actions = at.child("validationActions");
  if (binding.spec.validationActions.empty()) problems.required(actions, "at least one validation action is required");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < binding.spec.validationActions.size(); ++i) {
    const std::string& action = binding.spec.validationActions[i];
    check_one_of(action, {"Audit", "Deny", "Warn"}, actions.index(i), problems);
    if (!seen.insert(action).second) problems.duplicate(actions.index(i), action);
  }
  if (seen.contains("Deny") && seen.contains("Warn")) {
    problems.invalid(actions, shown(binding.spec.validationActions),
                     "must not contain both Deny and Warn (repeating the same validation failure information in the "
                     "API response and headers serves no purpose)");
  }
}

}  // namespace flyball::apiserver
