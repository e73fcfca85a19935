#include <algorithm>
#include <string>

#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

namespace names = kube::names;

std::string lower(std::string_view text) {
  std::string to(text);
  std::ranges::transform(to, to.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return to;
}

std::string joined(const names::Messages& messages) {
  std::string text;
  for (const std::string& message : messages) text.append(text.empty() ? "" : ",").append(message);
  return text;
}

// It was read before (coerce.hpp), so that only a wrong default fails here.
void check_metadata(json::View value, const FieldPath& at, Problems& problems) {
  kube::meta::v1::ObjectMeta metadata;
  try {
    if (!value.is_null()) metadata = reflect::decode<kube::meta::v1::ObjectMeta>(json::write(value));
  } catch (const reflect::DecodeError& error) {
    return problems.invalid(at, json::Value(value), error.problems().front().problem());
  }
  if (metadata.name.empty()) metadata.name = "none-is-needed";
  validate_metadata(metadata, !metadata.namespace_.empty(), names::path_segment, at, problems);
}

void check_api_version(json::View value, const FieldPath& at, Problems& problems) {
  if (!value.is_string()) return problems.invalid(at, json::Value(value), "must be a string");
  const std::string_view text = value.as_string();
  if (text.empty()) return problems.invalid(at, text, "must not be empty");
  if (std::ranges::count(text, '/') > 1) {
    problems.invalid(at, text, "unexpected GroupVersion string: " + std::string(text));
  }
}

void check_kind(json::View value, const FieldPath& at, Problems& problems) {
  if (!value.is_string()) return problems.invalid(at, json::Value(value), "must be a string");
  const std::string_view text = value.as_string();
  if (text.empty()) return problems.invalid(at, text, "must not be empty");
  if (const names::Messages wrong = names::dns1035_label(lower(text)); !wrong.empty()) {
    problems.invalid(at, text, "may have mixed case, but should otherwise match: " + joined(wrong));
  }
}

void check_resource(json::View object, const FieldPath& at, Problems& problems) {
  const json::View api_version = object["apiVersion"];
  const json::View kind = object["kind"];
  if (!api_version.exists()) problems.required(at.child("apiVersion"));
  if (!kind.exists()) problems.required(at.child("kind"));
  if (api_version.exists()) check_api_version(api_version, at.child("apiVersion"), problems);
  if (kind.exists()) check_kind(kind, at.child("kind"), problems);
  if (object.contains("metadata")) check_metadata(object["metadata"], at.child("metadata"), problems);
}

}  // namespace

void validate_embedded_part(const SchemaNode& schema, json::View value, bool resource, const FieldPath& at,
                            Problems& problems) {
  if (value.is_object()) {
    if (resource || schema.embedded_resource) check_resource(value, at, problems);
    for (const auto& [name, member] : value.entries()) {
      if (const SchemaNode* property = schema.property(name)) {
        validate_embedded_part(*property, member, false, at.child(name), problems);
      } else if (schema.additional_schema != nullptr) {
        validate_embedded_part(*schema.additional_schema, member, false, at.key(name), problems);
      }
    }
  } else if (value.is_array() && schema.items != nullptr) {
    std::size_t index = 0;
    for (const json::View item : value.items()) {
      validate_embedded_part(*schema.items, item, false, at.index(index++), problems);
    }
  }
}

void validate_embedded(const Schema& schema, json::View object, Problems& problems) {
  validate_embedded_part(schema.root(), object, false, {}, problems);
}

}  // namespace flyball::apiserver
