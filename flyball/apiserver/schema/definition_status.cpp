#include "flyball/apiserver/schema/definition_status.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "flyball/apiserver/detail/api_approval.hpp"
#include "flyball/apiserver/problems.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::apiserver {
namespace {

using Names = std::set<std::string_view>;

std::string_view name(json::View names, const char* key) { return names[key].string_or(""); }

// Written in upstream's order, and with its rule of what is left out when empty.
struct NamesWriter {
  std::string_view plural = {};
  std::string_view singular = {};
  std::string_view kind = {};
  std::string_view list_kind = {};
  json::View short_names = {};
  json::View categories = {};

  json::Value write() const {
    json::Builder to;
    to.begin_object();
    to.key("plural").string(plural);
    if (!singular.empty()) to.key("singular").string(singular);
    if (!short_names.empty()) to.key("shortNames").value(short_names);
    to.key("kind").string(kind);
    if (!list_kind.empty()) to.key("listKind").string(list_kind);
    if (!categories.empty()) to.key("categories").value(categories);
    return to.end().finish();
  }
};

std::string in_use(std::string_view name) { return go_quote(name) + " is already in use"; }

bool is_free(std::string_view requested, std::string_view accepted, const Names& used) {
  return requested == accepted || !used.contains(requested);
}

// As Go joins several errors: each once, in brackets when there are more.
std::string joined(const std::vector<std::string>& messages) {
  std::vector<std::string> once;
  for (const std::string& message : messages) {
    if (std::ranges::find(once, message) == once.end()) once.push_back(message);
  }
  if (once.size() == 1) return once[0];
  std::string text = "[";
  for (const std::string& message : once) text.append(text.size() == 1 ? "" : ", ").append(message);
  return text + "]";
}

json::View find_condition(json::View status, std::string_view type) {
  for (const json::View condition : status["conditions"].items()) {
    if (condition["type"].string_or("") == type) return condition;
  }
  return {};
}

bool same_names(json::View spec, json::View accepted) {
  for (const char* key : {"plural", "singular", "kind", "listKind"}) {
    if (name(spec, key) != name(accepted, key)) return false;
  }
  for (const char* key : {"shortNames", "categories"}) {
    if (spec[key].empty() != accepted[key].empty()) return false;
    if (!spec[key].empty() && spec[key] != accepted[key]) return false;
  }
  return true;
}

std::optional<DefinitionCondition> non_structural(json::View definition) {
  Problems problems;
  if (const json::View keep = definition["spec"]["preserveUnknownFields"];
      keep.kind() == json::Kind::boolean && keep.as_bool()) {
    problems.invalid(FieldPath("spec.preserveUnknownFields"), true, "must be false");
  }
  std::size_t index = 0;
  for (const json::View version : definition["spec"]["versions"].items()) {
    const FieldPath at = FieldPath("spec.versions").index(index++).child("schema.openAPIV3Schema");
    const json::View schema = version["schema"]["openAPIV3Schema"];
    if (schema.is_object()) check_structural(Schema::compile(schema)->root(), at, problems);
  }
  if (problems.empty()) return std::nullopt;
  return DefinitionCondition{
      .type = "NonStructuralSchema", .status = "True", .reason = "Violations", .message = problems.text()};
}

std::optional<DefinitionCondition> approval(json::View definition) {
  if (!detail::is_protected_group(definition["spec"]["group"].string_or(""))) return std::nullopt;
  const detail::Approval found = detail::approval_of(definition);
  const std::string reason = found.state == detail::Approval::State::missing    ? "MissingAnnotation"
                             : found.state == detail::Approval::State::approved ? "ApprovedAnnotation"
                             : found.state == detail::Approval::State::bypassed ? "UnapprovedAnnotation"
                                                                                : "InvalidAnnotation";
  return DefinitionCondition{.type = "KubernetesAPIApprovalPolicyConformant",
                             .status = found.state == detail::Approval::State::approved ? "True" : "False",
                             .reason = reason,
                             .message = found.reason};
}

json::Value without_condition(json::View status, std::string_view type) {
  json::Draft draft{json::Value(status)};
  json::Draft::Node conditions = draft.root()["conditions"];
  for (std::size_t i = conditions.size(); i > 0; --i) {
    if (conditions[i - 1]["type"].view().string_or("") == type) conditions.erase(i - 1);
  }
  return draft.build();
}

}  // namespace

json::Value prepare_definition_status(json::View definition, json::View old) {
  json::Draft draft(old.exists() && old["status"].is_object() ? json::Value(old["status"]) : json::object());
  for (const json::View version : definition["spec"]["versions"].items()) {
    const json::View storage = version["storage"];
    if (storage.kind() != json::Kind::boolean || !storage.as_bool()) continue;
    json::Draft::Node stored = draft.root().ensure_array("storedVersions");
    const auto is_it = [&](const json::Draft::Node& one) { return one.equals(version["name"]); };
    if (std::ranges::none_of(stored.elements(), is_it)) stored.append(json::Value(version["name"]));
    break;
  }
  return draft.build();
}

AcceptedNames accept_names(json::View definition, const std::vector<json::View>& others) {
  Names resources;
  Names kinds;
  std::vector<json::View> all = others;
  all.push_back(definition);
  for (const json::View one : all) {
    const json::View names = one["status"]["acceptedNames"];
    resources.insert({name(names, "plural"), name(names, "singular")});
    for (const json::View word : names["shortNames"].items()) resources.insert(word.string_or(""));
    kinds.insert({name(names, "kind"), name(names, "listKind")});
  }
  const json::View requested = definition["spec"]["names"];
  const json::View accepted = definition["status"]["acceptedNames"];
  AcceptedNames result{
      .condition = {
          .type = "NamesAccepted", .status = "True", .reason = "NoConflicts", .message = "no conflicts found"}};
  NamesWriter next;
  const auto refuse = [&](const char* reason, std::string message) {
    result.condition.status = "False";
    result.condition.reason = reason;
    result.condition.message = std::move(message);
  };
  const auto take = [&](std::string_view& to, const char* key, const char* reason, const Names& used) {
    const bool free = is_free(name(requested, key), name(accepted, key), used);
    to = free ? name(requested, key) : name(accepted, key);
    if (!free) refuse(reason, in_use(name(requested, key)));
  };
  take(next.plural, "plural", "PluralConflict", resources);
  take(next.singular, "singular", "SingularConflict", resources);
  std::vector<std::string> taken;
  for (const json::View word : requested["shortNames"].items()) {
    const auto is_it = [&](json::View own) { return own == word; };
    const json::Items own = accepted["shortNames"].items();
    if (std::any_of(own.begin(), own.end(), is_it)) continue;
    if (!is_free(word.string_or(""), "", resources)) taken.push_back(in_use(word.string_or("")));
  }
  next.short_names = taken.empty() ? requested["shortNames"] : accepted["shortNames"];
  if (!taken.empty()) refuse("ShortNamesConflict", joined(taken));
  take(next.kind, "kind", "KindConflict", kinds);
  take(next.list_kind, "listKind", "ListKindConflict", kinds);
  next.categories = requested["categories"];
  result.names = next.write();
  return result;
}

json::Value settled_definition_status(json::View definition, const std::vector<json::View>& others, kube::Time now) {
  json::Value status(definition["status"]);
  if (!status.is_object()) status = json::object();
  if (!same_names(definition["spec"]["names"], status["acceptedNames"])) {
    const AcceptedNames accepted = accept_names(definition, others);
    json::Draft draft(status);
    draft.root().set("acceptedNames", accepted.names);
    status = with_condition(draft.build(), accepted.condition, now);
    if (!find_condition(status, "Established").exists()) {
      const DefinitionCondition not_yet{
          .type = "Established", .status = "False", .reason = "NotAccepted", .message = "not all names are accepted"};
      status = with_condition(status, not_yet, now);
    }
  }
  if (is_condition_true(status, "NamesAccepted") && !is_condition_true(status, "Established")) {
    status = with_condition(status,
                            {.type = "Established",
                             .status = "True",
                             .reason = "InitialNamesAccepted",
                             .message = "the initial names have been accepted"},
                            now);
  }
  if (const auto condition = non_structural(definition)) {
    status = with_condition(status, *condition, now);
  } else if (find_condition(status, "NonStructuralSchema").exists()) {
    status = without_condition(status, "NonStructuralSchema");
  }
  if (const auto condition = approval(definition)) status = with_condition(status, *condition, now);
  return status;
}

json::Value with_condition(json::View status, const DefinitionCondition& condition, kube::Time now) {
  json::Draft draft{json::Value(status)};
  json::Draft::Node conditions = draft.root().ensure_array("conditions");
  for (json::Draft::Node one : conditions.elements()) {
    if (one["type"].view().string_or("") != condition.type) continue;
    if (one["status"].view().string_or("") != condition.status) one.set("lastTransitionTime", now.to_string());
    one.set("status", condition.status);
    one.set("reason", condition.reason);
    one.set("message", condition.message);
    return draft.build();
  }
  conditions.append(json::object({{"type", condition.type},
                                  {"status", condition.status},
                                  {"lastTransitionTime", now.to_string()},
                                  {"reason", condition.reason},
                                  {"message", condition.message}}));
  return draft.build();
}

bool is_condition_true(json::View status, std::string_view type) {
  return find_condition(status, type)["status"].string_or("") == "True";
}

DefinitionCondition terminating_started() {
  return {.type = "Terminating",
          .status = "True",
          .reason = "InstanceDeletionInProgress",
          .message = "CustomResource deletion is in progress"};
}

DefinitionCondition terminating_done() {
  return {.type = "Terminating",
          .status = "False",
          .reason = "InstanceDeletionCompleted",
          .message = "removed all instances"};
}

DefinitionCondition terminating_without_objects() {
  return {.type = "Terminating",
          .status = "False",
          .reason = "NeverEstablished",
          .message = "resource was never established"};
}

}  // namespace flyball::apiserver
