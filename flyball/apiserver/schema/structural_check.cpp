#include <algorithm>
#include <string>
#include <vector>

#include "flyball/apiserver/schema/structural.hpp"

namespace flyball::apiserver {
namespace {

enum class Level : char { root, item, field };

bool is_int_or_string_any_of(const std::vector<SchemaNode>& any_of) {
  const auto only_type = [](const SchemaNode& schema, std::string_view type) {
    return schema.type == type && schema.source.size() == 1;
  };
  return any_of.size() == 2 && only_type(any_of[0], "integer") && only_type(any_of[1], "string");
}

class Checker {
 public:
  explicit Checker(Problems& problems) : problems_(problems) {}

  void invariants(const SchemaNode& schema, Level level, const FieldPath& at) {
    if (schema.type == "array" && schema.items == nullptr) problems_.required(at.child("items"), "must be specified");
    if (schema.items != nullptr) invariants(*schema.items, Level::item, at.child("items"));
    for (const auto& [name, property] : schema.properties) {
      invariants(property, Level::field, at.child("properties").key(name));
    }
    if (schema.additional != SchemaNode::Additional::none && level == Level::root) {
      problems_.forbidden(at.child("additionalProperties"), "must not be used at the root");
    }
    if (schema.additional_schema != nullptr) {
      invariants(*schema.additional_schema, Level::field, at.child("additionalProperties"));
    }
    extensions(schema, at);
    const bool all_of_pattern = !schema.all_of.empty() && is_int_or_string_any_of(schema.all_of[0].any_of);
    values(schema, is_int_or_string_any_of(schema.any_of), all_of_pattern, at);
    type(schema, level, at);
    metadata(schema, level, at);
    if (schema.embedded_resource && !schema.preserve_unknown_fields && schema.properties.empty()) {
      problems_.required(at.child("properties"),
                         "must not be empty if x-kubernetes-embedded-resource is true without "
                         "x-kubernetes-preserve-unknown-fields");
    }
  }

  // What anyOf and its like say of a field must be said outside of them too.
  void completeness(const SchemaNode& schema, const FieldPath& at) { complete_values(schema, &schema, at, at); }

 private:
  void extensions(const SchemaNode& schema, const FieldPath& at) {
    if (!schema.int_or_string) return;
    if (schema.preserve_unknown_fields) {
      problems_.invalid(at.child("x-kubernetes-preserve-unknown-fields"), true,
                        "must be false if x-kubernetes-int-or-string is true");
    }
    if (schema.embedded_resource) {
      problems_.invalid(at.child("x-kubernetes-embedded-resource"), true,
                        "must be false if x-kubernetes-int-or-string is true");
    }
  }

  void type(const SchemaNode& schema, Level level, const FieldPath& at) {
    if (schema.embedded_resource && schema.type != "object") {
      constexpr std::string_view kMessage = "must be object if x-kubernetes-embedded-resource is true";
      if (schema.type.empty()) {
        problems_.required(at.child("type"), kMessage);
      } else {
        problems_.invalid(at.child("type"), schema.type, kMessage);
      }
    } else if (schema.type.empty() && !schema.int_or_string && !schema.preserve_unknown_fields) {
      problems_.required(at.child("type"), level == Level::root   ? "must not be empty at the root"
                                           : level == Level::item ? "must not be empty for specified array items"
                                                                  : "must not be empty for specified object fields");
    }
    if (schema.embedded_resource && schema.additional != SchemaNode::Additional::none) {
      problems_.forbidden(at.child("additionalProperties"),
                          "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (level == Level::root && !schema.type.empty() && schema.type != "object") {
      problems_.invalid(at.child("type"), schema.type, "must be object at the root");
    }
  }

  void metadata(const SchemaNode& schema, Level level, const FieldPath& at) {
    const bool resource = level == Level::root || schema.embedded_resource;
    for (const char* name : {"kind", "apiVersion"}) {
      const SchemaNode* property = schema.property(name);
      if (!resource || property == nullptr || property->type == "string") continue;
      problems_.invalid(at.child("properties").key(name).child("type"), property->type, "must be string");
    }
    const SchemaNode* property = schema.property("metadata");
    if (property == nullptr) return;
    const FieldPath place = at.child("properties").key("metadata");
    if (resource && property->type != "object")
      problems_.invalid(place.child("type"), property->type, "must be object");
    if (level == Level::root && says_more_than_names(*property)) {
      problems_.forbidden(place,
                          "must not specify anything other than name and generateName, but metadata is implicitly "
                          "specified");
    }
  }

  static bool says_more_than_names(const SchemaNode& metadata) {
    for (const auto& [key, value] : metadata.source.entries()) {
      const bool empty = value.is_null() || (value.kind() == json::Kind::boolean && !value.as_bool()) ||
                         (value.is_string() && value.as_string().empty()) ||
                         ((value.is_array() || value.is_object()) && value.empty());
      if (empty || key == "type" || key == "default") continue;
      if (key != "properties") return true;
      for (const auto& [name, property] : value.entries()) {
        if (name != "name" && name != "generateName") return true;
      }
    }
    return false;
  }

  void values(const SchemaNode& schema, bool skip_any_of, bool skip_first_any_of, const FieldPath& at) {
    for (std::size_t i = 0; i < schema.any_of.size() && !skip_any_of; ++i) {
      nested(schema.any_of[i], false, at.child("anyOf").index(i));
    }
    for (std::size_t i = 0; i < schema.all_of.size(); ++i) {
      nested(schema.all_of[i], skip_first_any_of && i == 0, at.child("allOf").index(i));
    }
    for (std::size_t i = 0; i < schema.one_of.size(); ++i) {
      nested(schema.one_of[i], false, at.child("oneOf").index(i));
    }
    if (schema.not_ != nullptr) nested(*schema.not_, false, at.child("not"));
    if (!schema.regex_error.empty()) {
      problems_.invalid(at.child("pattern"), schema.pattern,
                        "must be a valid regular expression, but isn't: " + schema.regex_error);
    }
  }

  void nested(const SchemaNode& schema, bool skip_any_of, const FieldPath& at) {
    values(schema, skip_any_of, false, at);
    if (schema.items != nullptr) nested(*schema.items, false, at.child("items"));
    for (const auto& [name, property] : schema.properties) nested(property, false, at.child("properties").key(name));
    const auto forbid = [&](bool said, std::string_view field, std::string_view detail) {
      if (said) problems_.forbidden(at.child(field), detail);
    };
    forbid(!schema.type.empty(), "type", "must be empty to be structural");
    forbid(schema.additional == SchemaNode::Additional::allowed, "additionalProperties",
           "must be undefined to be structural");
    forbid(schema.default_value.exists(), "default", "must be undefined to be structural");
    forbid(!schema.source["title"].string_or("").empty(), "title", "must be empty to be structural");
    forbid(!schema.source["description"].string_or("").empty(), "description", "must be empty to be structural");
    forbid(schema.nullable, "nullable", "must be false to be structural");
    forbid(schema.preserve_unknown_fields, "x-kubernetes-preserve-unknown-fields", "must be false to be structural");
    forbid(schema.embedded_resource, "x-kubernetes-embedded-resource", "must be false to be structural");
    forbid(schema.int_or_string, "x-kubernetes-int-or-string", "must be false to be structural");
    forbid(!schema.list_map_keys.empty(), "x-kubernetes-list-map-keys", "must be empty to be structural");
    forbid(schema.source.contains("x-kubernetes-list-type"), "x-kubernetes-list-type",
           "must be undefined to be structural");
    forbid(schema.source.contains("x-kubernetes-map-type"), "x-kubernetes-map-type",
           "must be undefined to be structural");
    forbid(!schema.rules.empty(), "x-kubernetes-validations", "must be empty to be structural");
    if (schema.property("metadata") != nullptr) {
      problems_.forbidden(at.child("properties").key("metadata"), "must not be specified in a nested context");
    }
  }

  void complete_values(const SchemaNode& values, const SchemaNode* outside, const FieldPath& at,
                       const FieldPath& said_at) {
    if (outside == nullptr) {
      return problems_.required(at, "because it is defined in " + said_at.text());
    }
    if (values.not_ != nullptr) complete(*values.not_, outside, at, said_at.child("not"));
    for (std::size_t i = 0; i < values.all_of.size(); ++i) {
      complete(values.all_of[i], outside, at, said_at.child("allOf").index(i));
    }
    for (std::size_t i = 0; i < values.any_of.size(); ++i) {
      complete(values.any_of[i], outside, at, said_at.child("anyOf").index(i));
    }
    for (std::size_t i = 0; i < values.one_of.size(); ++i) {
      complete(values.one_of[i], outside, at, said_at.child("oneOf").index(i));
    }
  }

  void complete(const SchemaNode& values, const SchemaNode* outside, const FieldPath& at, const FieldPath& said_at) {
    if (outside == nullptr) {
      return problems_.required(at, "because it is defined in " + said_at.text());
    }
    complete_values(values, outside, at, said_at);
    if (values.items != nullptr) {
      complete(*values.items, outside->items.get(), at.child("items"), said_at.child("items"));
    }
    for (const auto& [name, property] : values.properties) {
      const FieldPath place = at.child("properties").key(name);
      complete(property, outside->property(name), place, said_at.child("properties").key(name));
    }
  }

  Problems& problems_;
};

// Only the root is looked into for completeness, as upstream does.
}  // namespace

void check_structural(const SchemaNode& schema, const FieldPath& at, Problems& problems) {
  Problems found;
  Checker checker(found);
  checker.invariants(schema, Level::root, at);
  checker.completeness(schema, at);
  std::vector<Problem> sorted(found.begin(), found.end());
  std::ranges::stable_sort(sorted, {}, &Problem::text);
  for (const Problem& problem : sorted) problems.add(problem.kind, FieldPath(problem.field), problem.message);
}

}  // namespace flyball::apiserver
