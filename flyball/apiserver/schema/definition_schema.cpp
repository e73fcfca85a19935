#include <algorithm>
#include <array>
#include <set>

#include "flyball/apiserver/detail/definition_parts.hpp"
#include "flyball/apiserver/schema/coerce.hpp"
#include "flyball/apiserver/schema/prune.hpp"
#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/reflect/facts.hpp"

namespace flyball::apiserver::detail {
namespace {

constexpr std::array<std::string_view, 6> kTypes = {"array", "boolean", "integer", "number", "object", "string"};

// What may stand at the root beside a status subresource, as upstream's types name it.
constexpr reflect::Words kAtRoot =
    "Description,Type,Format,Title,Maximum,ExclusiveMaximum,Minimum,ExclusiveMinimum,MaxLength,MinLength,Pattern,"
    "MaxItems,MinItems,UniqueItems,MultipleOf,Required,Items,Properties,ExternalDocs,Example,XPreserveUnknownFields,"
    "XValidations";

bool is_meta(std::string_view name) { return name == "apiVersion" || name == "kind" || name == "metadata"; }

bool is_set(json::View value) {
  if (!value.exists() || value.is_null()) return false;
  if (value.kind() == json::Kind::boolean) return value.as_bool();
  if (value.is_string()) return !value.as_string().empty();
  return true;
}

// What holds for a part of the schema because of where it stands.
struct Where {
  bool defaults = true;
  std::string no_defaults_because = {};
  bool in_metadata = false;
};

class Checker {
 public:
  explicit Checker(Problems& problems) : problems_(problems) {}

  void check(const SchemaNode& schema, const FieldPath& at, const Where& where, bool root) {
    standard(schema, at, where);
    if (schema.unique_items) {
      problems_.forbidden(at.child("uniqueItems"),
                          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    additional(schema, at, where);
    for (const auto& [name, property] : schema.properties) {
      Where inside = where;
      if ((root || schema.embedded_resource) && is_meta(name)) {
        inside.in_metadata = true;
        if (root) forbid_defaults(inside, "in top-level " + std::string(name));
      }
      check(property, at.child("properties").key(name), inside, false);
    }
    if (schema.not_ != nullptr) check(*schema.not_, at.child("not"), where, false);
    all(schema.all_of, at.child("allOf"), where);
    all(schema.one_of, at.child("oneOf"), where);
    all(schema.any_of, at.child("anyOf"), where);
    if (schema.items != nullptr) check(*schema.items, at.child("items"), where, false);
    if (const json::View keep = schema.source["x-kubernetes-preserve-unknown-fields"];
        keep.kind() == json::Kind::boolean && !keep.as_bool()) {
      problems_.invalid(at.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined");
    }
    map_type(schema, at);
    list_type(schema, at);
    list_keys(schema, at);
    unique_items_of_lists(schema, at);
    rules(schema, at);
  }

 private:
  static void forbid_defaults(Where& where, std::string reason) {
    where.defaults = false;
    where.no_defaults_because = std::move(reason);
  }

  void all(const std::vector<SchemaNode>& schemas, const FieldPath& at, const Where& where) {
    for (std::size_t i = 0; i < schemas.size(); ++i) check(schemas[i], at.index(i), where, false);
  }

  void standard(const SchemaNode& schema, const FieldPath& at, const Where& where) {
    if (!schema.type.empty() && std::ranges::find(kTypes, schema.type) == kTypes.end()) {
      problems_.not_supported(at.child("type"), schema.type, {kTypes.begin(), kTypes.end()});
    }
    if (schema.default_value.exists() && !where.defaults) {
      problems_.forbidden(at.child("default"), "must not be set " + where.no_defaults_because);
    }
    const auto unsupported = [&](const char* name) {
      if (is_set(schema.source[name])) problems_.forbidden(at.child(name), std::string(name) + " is not supported");
    };
    for (const char* name : {"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"}) {
      unsupported(name);
    }
    if (schema.type == "null") {
      problems_.forbidden(at.child("type"), "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.source["items"].is_array()) {
      problems_.forbidden(at.child("items"), "items must be a schema object and not an array");
    }
    if (where.in_metadata && schema.embedded_resource) {
      problems_.forbidden(at.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
    }
  }

  void additional(const SchemaNode& schema, const FieldPath& at, const Where& where) {
    if (schema.additional == SchemaNode::Additional::none) return;
    const bool open = schema.additional == SchemaNode::Additional::allowed && schema.additional_schema == nullptr;
    if (!schema.properties.empty() && !open) {
      problems_.forbidden(at.child("additionalProperties"), "additionalProperties and properties are mutual exclusive");
    }
    if (schema.additional_schema == nullptr) return;
    Where inside = where;
    if (where.in_metadata) forbid_defaults(inside, "inside additionalProperties applying to object metadata");
    check(*schema.additional_schema, at.child("additionalProperties"), inside, false);
  }

  void need_type(const SchemaNode& schema, const FieldPath& at, std::string_view type, std::string_view extension) {
    const std::string message = "must be " + std::string(type) + " if " + std::string(extension) + " is specified";
    if (schema.type.empty()) {
      problems_.required(at.child("type"), message);
    } else {
      problems_.invalid(at.child("type"), schema.type, message);
    }
  }

  void map_type(const SchemaNode& schema, const FieldPath& at) {
    if (!schema.source.contains("x-kubernetes-map-type")) return;
    if (schema.type != "object") need_type(schema, at, "object", "x-kubernetes-map-type");
    if (schema.map_type != "atomic" && schema.map_type != "granular") {
      problems_.not_supported(at.child("x-kubernetes-map-type"), schema.map_type, {"atomic", "granular"});
    }
  }

  void list_type(const SchemaNode& schema, const FieldPath& at) {
    if (!schema.source.contains("x-kubernetes-list-type")) return;
    if (schema.type != "array") {
      need_type(schema, at, "array", "x-kubernetes-list-type");
    } else if (schema.list_type == "set" && schema.items != nullptr) {
      constexpr std::string_view kMessage = "must be atomic as item of a list with x-kubernetes-list-type=set";
      const SchemaNode& items = *schema.items;
      const json::Value shown = items.list_type.empty() ? json::Value() : json::Value(items.list_type);
      if (items.type == "array" && !items.list_type.empty() && items.list_type != "atomic") {
        problems_.invalid(at.child("items").child("x-kubernetes-list-type"), shown, kMessage);
      } else if (items.type == "object" && items.map_type != "atomic") {
        problems_.invalid(at.child("items").child("x-kubernetes-map-type"), shown, kMessage);
      }
    }
    if (schema.list_type != "atomic" && schema.list_type != "set" && schema.list_type != "map") {
      problems_.not_supported(at.child("x-kubernetes-list-type"), schema.list_type, {"atomic", "set", "map"});
    }
  }

  void list_keys(const SchemaNode& schema, const FieldPath& at) {
    if (!schema.list_map_keys.empty() && schema.list_type != "map") {
      constexpr std::string_view kMessage = "must be map if x-kubernetes-list-map-keys is non-empty";
      if (schema.list_type.empty()) {
        problems_.required(at.child("x-kubernetes-list-type"), kMessage);
      } else {
        problems_.invalid(at.child("x-kubernetes-list-type"), schema.list_type, kMessage);
      }
    }
    if (schema.list_type != "map") return;
    if (schema.list_map_keys.empty()) {
      problems_.required(at.child("x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map");
    }
    if (!schema.source.contains("items")) {
      problems_.required(at.child("items"), "must have a schema if x-kubernetes-list-type is map");
    }
    if (schema.items == nullptr) return;
    if (schema.items->type != "object") {
      problems_.invalid(at.child("items").child("type"), schema.items->type,
                        "must be object if parent array's x-kubernetes-list-type is map");
    } else {
      key_properties(schema, at);
    }
  }

  void key_properties(const SchemaNode& schema, const FieldPath& at) {
    const json::Value shown(schema.source["x-kubernetes-list-map-keys"]);
    std::set<std::string_view> seen;
    for (const std::string_view key : schema.list_map_keys) {
      const SchemaNode* property = schema.items->property(key);
      if (property == nullptr) {
        problems_.invalid(at.child("x-kubernetes-list-map-keys"), shown,
                          "entries must all be names of item properties");
      } else if (property->type == "array" || property->type == "object") {
        problems_.invalid(at.child("items").child("properties").key(key).child("type"), schema.items->type,
                          "must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (!seen.insert(key).second) {
        problems_.invalid(at.child("x-kubernetes-list-map-keys"), shown, "must not contain duplicate entries");
      }
    }
  }

  void unique_items_of_lists(const SchemaNode& schema, const FieldPath& at) {
    if (schema.items == nullptr || (schema.list_type != "set" && schema.list_type != "map")) return;
    if (schema.items->nullable) {
      problems_.forbidden(at.child("items").child("nullable"),
                          "cannot be nullable when x-kubernetes-list-type is " + std::string(schema.list_type));
    }
    if (schema.list_type != "map") return;
    const std::vector<std::string_view>& required = schema.items->required;
    for (const std::string_view key : schema.list_map_keys) {
      const SchemaNode* property = schema.items->property(key);
      if (property == nullptr) continue;
      const FieldPath place = at.child("items").child("properties").key(key);
      if (std::ranges::find(required, key) == required.end() && !property->default_value.exists()) {
        problems_.required(place.child("default"),
                           "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required "
                           "property");
      }
      if (property->nullable) {
        problems_.forbidden(place.child("nullable"),
                            "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
      }
    }
  }

  void rules(const SchemaNode& schema, const FieldPath& at) {
    std::size_t index = 0;
    for (const json::View rule : schema.rules.items()) {
      const FieldPath place = at.child("x-kubernetes-validations").index(index++);
      const auto blank = [](std::string_view text) {
        return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
      };
      if (blank(rule["rule"].string_or(""))) problems_.required(place.child("rule"), "rule is not specified");
      const std::string_view message = rule["message"].string_or("");
      if (!message.empty() && blank(message)) {
        problems_.invalid(place.child("message"), message, "must be non-empty if specified");
      }
    }
  }

  Problems& problems_;
};

// Defaults must be values of their schema, and hold nothing it does not know.
void check_defaults(const SchemaNode& schema, const FieldPath& at, bool resource, bool in_metadata,
                    Problems& problems) {
  resource = resource || schema.embedded_resource;
  if (resource) in_metadata = false;
  if (const json::View value = schema.default_value; value.exists()) {
    const FieldPath place = at.child("default");
    if (!in_metadata && prune(schema, value, resource).object != value) {
      problems.invalid(place, json::Value(value), "must not have unknown fields");
    }
    Problems found;
    if (!in_metadata) {
      const Coerced read = coerce_embedded_part(schema, value, resource, place);
      if (read.wrong) {
        found.add(read.wrong->kind, FieldPath(read.wrong->field), read.wrong->message);
      } else {
        validate_embedded_part(schema, value, resource, place, found);
      }
    }
    if (found.empty()) validate_part(schema, value, place, found);
    problems.add(found);
  }
  if (schema.items != nullptr) check_defaults(*schema.items, at.child("items"), false, in_metadata, problems);
  for (const auto& [name, property] : schema.properties) {
    check_defaults(property, at.child("properties").key(name), false, in_metadata || (resource && is_meta(name)),
                   problems);
  }
}

void check_root(const SchemaNode& schema, const FieldPath& at, Problems& problems) {
  const json::Value internal = internal_schema(schema.source);
  for (const auto& [key, value] : internal.entries()) {
    const bool empty = !is_set(value) || ((value.is_array() || value.is_object()) && value.empty());
    if (empty) continue;
    if (key == "Type") {
      if (schema.type == "object") continue;
      problems.invalid(FieldPath(at.text() + ".type"), schema.type,
                       "only \"object\" is allowed as the type at the root of the schema if the status subresource is "
                       "enabled");
      return;
    }
    if (kAtRoot.contains(key)) continue;
    std::string names(kAtRoot.text());
    std::ranges::replace(names, ',', ' ');
    problems.invalid(at, internal,
                     "only [" + names +
                         "] fields are allowed at the root of the schema if the status subresource is "
                         "enabled");
    return;
  }
}

// What upstream cannot even read as a structural schema; the checks that follow report it.
bool is_readable(json::View schema) {
  return !any_schema(schema, [](json::View part) {
    const json::View keep = part["x-kubernetes-preserve-unknown-fields"];
    for (const char* name :
         {"id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"}) {
      if (is_set(part[name])) return true;
    }
    return part["items"].is_array() || (keep.kind() == json::Kind::boolean && !keep.as_bool());
  });
}

}  // namespace

void check_definition_schema(const SchemaNode& schema, bool has_status, const FieldPath& at, Problems& problems) {
  if (has_status) check_root(schema, at, problems);
  if (schema.nullable) problems.forbidden(FieldPath(at.text() + ".nullable"), "nullable cannot be true at the root");
  if (is_readable(schema.source)) {
    Problems found;
    check_structural(schema, at, found);
    if (found.empty()) check_defaults(schema, at, true, false, found);
    problems.add(found);
  }
  Checker(problems).check(schema, at, {}, true);
}

const SchemaNode* find_by_path(const SchemaNode& schema, std::string_view path, std::string& wrong) {
  const SchemaNode* at = &schema;
  while (!path.empty()) {
    if (path[0] == '[') {
      wrong = "array notation is not allowed";
      return nullptr;
    }
    if (path[0] != '.') {
      wrong = "expected [ or . but got: " + std::string(path.substr(0, path.find_first_of(".[]")));
      if (path[0] == ']') wrong = "expected [ or . but got: ]";
      return nullptr;
    }
    path.remove_prefix(1);
    if (path.empty()) {
      wrong = "unexpected end of JSON path";
      return nullptr;
    }
    std::size_t end = path.find_first_of(".[]");
    if (end == 0) end = 1;
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(name.size());
    const SchemaNode* next = at->properties.empty() ? at->additional_schema.get() : at->property(name);
    if (next == nullptr) {
      wrong = "does not refer to a valid field";
      return nullptr;
    }
    at = next;
  }
  return at;
}

bool any_schema(json::View schema, const std::function<bool(json::View)>& found) {
  if (!schema.is_object()) return false;
  if (found(schema)) return true;
  for (const char* name : {"items", "additionalProperties", "not", "additionalItems"}) {
    if (any_schema(schema[name], found)) return true;
  }
  for (const char* name : {"items", "allOf", "anyOf", "oneOf"}) {
    for (const json::View part : schema[name].items()) {
      if (any_schema(part, found)) return true;
    }
  }
  for (const char* name : {"properties", "patternProperties", "definitions", "dependencies"}) {
    for (const auto& [key, part] : schema[name].entries()) {
      if (any_schema(part, found)) return true;
    }
  }
  return false;
}

}  // namespace flyball::apiserver::detail
