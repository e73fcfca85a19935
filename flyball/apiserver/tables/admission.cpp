// Webhooks and policies of admission.
#include <array>
#include <map>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "admissionregistration.k8s.io";

constexpr std::array kWebhookColumns = {kName, column("Webhooks", "integer"), kAge};

json::Value webhook_cells(json::View object, WallTime now) {
  return row(name_of(object), object["webhooks"].size(), age_of(object, now));
}

constexpr std::array kValidatingColumns = {kName, column("Validations", "integer"), column("ParamKind"), kAge};
constexpr std::array kMutatingColumns = {kName, column("Mutations", "integer"), column("ParamKind"), kAge};

json::Value policy_row(json::View object, std::string_view steps, WallTime now) {
  const json::View kind = object["spec"]["paramKind"];
  return row(name_of(object), object["spec"][steps].size(),
             given(kind) ? std::string(text(kind["apiVersion"])) + "/" + std::string(text(kind["kind"])) : "<unset>",
             age_of(object, now));
}

json::Value validating_cells(json::View object, WallTime now) { return policy_row(object, "validations", now); }
json::Value mutating_cells(json::View object, WallTime now) { return policy_row(object, "mutations", now); }

constexpr std::array kBindingColumns = {kName, column("PolicyName"), column("ParamRef"), kAge};

// A selector is shown the way Go's protobuf code writes it.
std::string go_text(json::View selector) {
  std::map<std::string_view, std::string_view> labels;
  for (const auto [key, value] : selector["matchLabels"].entries()) labels[key] = text(value);
  std::string made = "&LabelSelector{MatchLabels:map[string]string{";
  for (const auto& [key, value] : labels) made += std::string(key) + ": " + std::string(value) + ",";
  made += "},MatchExpressions:[]LabelSelectorRequirement{";
  for (const json::View one : selector["matchExpressions"].items()) {
    made += "LabelSelectorRequirement{Key:" + std::string(text(one["key"])) +
            ",Operator:" + std::string(text(one["operator"])) + ",Values:[" + join(texts(one["values"]), " ") + "],},";
  }
  return made + "},}";
}

std::string param_text(json::View param) {
  const std::string name(text(param["name"]));
  if (!name.empty()) return std::string(text_or(param["namespace"], "*")) + "/" + name;
  return given(param["selector"]) ? go_text(param["selector"]) : "<unset>";
}

json::Value binding_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  return row(name_of(object), text(spec["policyName"]), param_text(spec["paramRef"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{
        .group = kGroup, .kind = "MutatingWebhookConfiguration", .columns = kWebhookColumns, .cells = webhook_cells},
    TableRule{
        .group = kGroup, .kind = "ValidatingWebhookConfiguration", .columns = kWebhookColumns, .cells = webhook_cells},
    TableRule{
        .group = kGroup, .kind = "ValidatingAdmissionPolicy", .columns = kValidatingColumns, .cells = validating_cells},
    TableRule{.group = kGroup, .kind = "MutatingAdmissionPolicy", .columns = kMutatingColumns, .cells = mutating_cells},
    TableRule{.group = kGroup,
              .kind = "ValidatingAdmissionPolicyBinding",
              .columns = kBindingColumns,
              .cells = binding_cells},
    TableRule{
        .group = kGroup, .kind = "MutatingAdmissionPolicyBinding", .columns = kBindingColumns, .cells = binding_cells},
};

}  // namespace

std::span<const TableRule> admission_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
