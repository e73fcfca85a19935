#include <algorithm>
#include <string>

#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/kube/names.hpp"

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

void check_labels(json::View labels, const FieldPath& at, Problems& problems) {
  for (const auto& [key, value] : labels.entries()) {
    problems.invalid(at, json::Value(key), names::label_key(key));
    if (value.is_string()) problems.invalid(at, json::Value(value), names::label_value(value.as_string()));
  }
}

// The parts of metadata that people write into embedded resources; its types were checked when it was decoded.
void check_metadata(json::View metadata, const FieldPath& at, Problems& problems) {
  if (!metadata.is_object()) {
    const std::string found = metadata.is_array() ? "array" : std::string(go_type(metadata));
    return problems.invalid(at, json::Value(metadata),
                            "json: cannot unmarshal " + found + " into Go value of type v1.ObjectMeta");
  }
  if (const std::string_view prefix = metadata["generateName"].string_or(""); !prefix.empty()) {
    problems.invalid(at.child("generateName"), prefix, names::path_segment_prefix(prefix));
  }
  if (const std::string_view name = metadata["name"].string_or(""); !name.empty()) {
    problems.invalid(at.child("name"), name, names::path_segment(name));
  }
  if (const std::string_view name = metadata["namespace"].string_or(""); !name.empty()) {
    problems.invalid(at.child("namespace"), name, names::dns1123_label(name));
  }
  check_labels(metadata["labels"], at.child("labels"), problems);
  for (const auto& [key, value] : metadata["annotations"].entries()) {
    problems.invalid(at.child("annotations"), json::Value(key), names::annotation_key(key));
  }
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
