#include "flyball/apiserver/patches.hpp"

#include <utility>

#include "flyball/apiserver/go_errors.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/apiserver/strategic_merge.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/json/merge_patch.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::size_t kMostOperations = 10'000;
constexpr std::string_view kCustomTypes =
    "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

PatchType patch_type(const Context& context) {
  const bool custom = context.resource->is_custom();
  const std::string type = media_type_of(context.call.header("Content-Type"));
  if (type == "application/json-patch+json") return PatchType::json;
  if (type == "application/merge-patch+json") return PatchType::merge;
  if (type == "application/strategic-merge-patch+json" && !custom) return PatchType::strategic;
  if (type == "application/apply-patch+yaml") return PatchType::apply;
  // The router's own words; custom resources have none.
  if (custom) throw refuse::unsupported_media_type(kCustomTypes);
  throw Refusal({.reason = Reason::UnsupportedMediaType, .message = "415: Unsupported Media Type"}, {});
}

std::string_view go_kind(json::View value) {
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  if (value.is_string()) return "string";
  if (value.is_number()) return "number";
  return "bool";
}

// An operation has four members.
void add_unknown_members(const json::Value& operations, std::vector<std::string>& strict) {
  std::size_t index = 0;
  for (const json::View operation : operations.items()) {
    for (const auto [key, value] : operation.entries()) {
      if (key == "op" || key == "path" || key == "from" || key == "value") continue;
      strict.push_back("json patch unknown field \"[" + std::to_string(index) + "]." + std::string(key) + "\"");
    }
    ++index;
  }
}

PatchBody read_json(const Context& context, PatchType type) {
  const std::string wrong = type == PatchType::strategic ? "" : "error decoding patch: ";
  std::vector<InputError> repeated;
  json::Value value;
  try {
    value = json::parse(context.call.request->body, {.duplicates = json::Duplicates::last_wins, .reports = &repeated});
  } catch (const json::ParseError&) {
    throw refuse::bad_request(wrong + go_syntax_error(context.call.request->body));
  }
  if (type == PatchType::json ? !value.is_array() && !value.is_null() : !value.is_object()) {
    throw refuse::bad_request(wrong + "json: cannot unmarshal " + std::string(go_kind(value)) +
                              " into Go value of type " +
                              (type == PatchType::json ? "[]handlers.jsonPatchOp" : "map[string]interface {}"));
  }
  std::vector<std::string> strict;
  if (type == PatchType::json) add_unknown_members(value, strict);
  for (const InputError& problem : repeated) {
    strict.push_back((type == PatchType::json ? "json patch duplicate field \"" : "duplicate field \"") +
                     problem.path() + "\"");
  }
  return {type, std::move(value), std::move(strict)};
}

PatchBody read_apply(const Context& context) {
  std::vector<InputError> repeated;
  json::Value value;
  try {
    value =
        json::parse_yaml(context.call.request->body, {.duplicates = json::Duplicates::last_wins, .reports = &repeated});
  } catch (const json::ParseError& error) {
    throw refuse::bad_request(std::string("error decoding YAML: ") + error.what());
  }
  std::vector<std::string> strict;
  strict.reserve(repeated.size());
  for (const InputError& problem : repeated) strict.emplace_back(problem.what());
  return {PatchType::apply, std::move(value), std::move(strict)};
}

Refusal does_not_fit(const json::PatchError& error) {
  if (error.operation() == json::PatchError::kWhole) return refuse::bad_request(error.problem());
  return {{.reason = Reason::Invalid, .message = "the server rejected our request due to an error in our request"}, {}};
}

// Upstream shows what it has at hand: the patch of a strategic merge, the patched text of the others.
Refusal unfit(const PatchBody& body, const json::Value& value, std::string_view why) {
  Problems problems;
  problems.invalid(FieldPath("patch"), body.is_strategic() ? go_print(body.value()) : json::write(value), why);
  return refuse::invalid({}, "", problems);
}

Decoded decoded(Context& context, const json::Value& value, const PatchBody& body, FieldValidation validation) {
  try {
    Decoded next = decode_value(value, context.resource, validation);
    for (std::string& problem : prune(next.object)) next.strict.push_back(std::move(problem));
    return next;
  } catch (const Refusal& refusal) {
    // Behind "Pod in version "v1" cannot be handled as a Pod: ".
    const std::string& message = refusal.message();
    const std::size_t at = message.find(": ");
    throw unfit(body, value, at == std::string::npos ? message : message.substr(at + 2));
  }
}

}  // namespace

json::Value PatchBody::patched(const Context& context, json::View current) const {
  try {
    if (type_ == PatchType::json) {
      if (value_.size() > kMostOperations) {
        throw refuse::request_too_large("The allowed maximum operations in a JSON patch is " +
                                        std::to_string(kMostOperations) + ", got " + std::to_string(value_.size()));
      }
      return json::apply_patch(current, value_);
    }
    if (type_ == PatchType::merge) return json::merge_patch(current, value_, {.drop_nulls_in_arrays = true});
    return strategic_merge(current, value_, *context.resource->type);
  } catch (const json::PatchError& error) {
    throw does_not_fit(error);
  } catch (const StrategicMergeError& error) {
    throw Refusal({.code = error.code(), .message = error.what()}, {.present = false, .reason = error.code() != 500});
  }
}

PatchBody read_patch(const Context& context) {
  const PatchType type = patch_type(context);
  return type == PatchType::apply ? read_apply(context) : read_json(context, type);
}

Object patched_object(Context& context, const json::Value& value, const PatchBody& body, FieldValidation validation) {
  Decoded next = decoded(context, value, body, validation);
  std::vector<std::string> strict = body.strict();
  strict.insert(strict.end(), next.strict.begin(), next.strict.end());
  if (validation == FieldValidation::strict && !strict.empty()) {
    throw unfit(body, value, "strict decoding error: " + listed(strict));
  }
  if (validation == FieldValidation::warn) {
    context.warnings.insert(context.warnings.end(), strict.begin(), strict.end());
  }
  set_defaults(next.object);
  return std::move(next.object);
}

std::string listed(const std::vector<std::string>& problems) {
  std::string all;
  for (const std::string& one : problems) all += (all.empty() ? "" : ", ") + one;
  return all;
}

}  // namespace flyball::apiserver
