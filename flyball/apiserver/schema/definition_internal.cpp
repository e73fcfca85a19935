#include <algorithm>
#include <vector>

#include "flyball/apiserver/detail/definition_parts.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver::detail {
namespace {

enum class As : char {
  text,
  flag,
  any,
  schema,
  schemas,
  schema_map,
  schema_or_list,
  schema_or_flag,
  strings,
  rules,
  docs
};

struct Member {
  const char* go;
  const char* json;
  As as;
};

constexpr Member kSchemaMembers[] = {
    {"ID", "id", As::text},
    {"Schema", "$schema", As::text},
    {"Ref", "$ref", As::any},
    {"Description", "description", As::text},
    {"Type", "type", As::text},
    {"Nullable", "nullable", As::flag},
    {"Format", "format", As::text},
    {"Title", "title", As::text},
    {"Default", "default", As::any},
    {"Maximum", "maximum", As::any},
    {"ExclusiveMaximum", "exclusiveMaximum", As::flag},
    {"Minimum", "minimum", As::any},
    {"ExclusiveMinimum", "exclusiveMinimum", As::flag},
    {"MaxLength", "maxLength", As::any},
    {"MinLength", "minLength", As::any},
    {"Pattern", "pattern", As::text},
    {"MaxItems", "maxItems", As::any},
    {"MinItems", "minItems", As::any},
    {"UniqueItems", "uniqueItems", As::flag},
    {"MultipleOf", "multipleOf", As::any},
    {"Enum", "enum", As::any},
    {"MaxProperties", "maxProperties", As::any},
    {"MinProperties", "minProperties", As::any},
    {"Required", "required", As::any},
    {"Items", "items", As::schema_or_list},
    {"AllOf", "allOf", As::schemas},
    {"OneOf", "oneOf", As::schemas},
    {"AnyOf", "anyOf", As::schemas},
    {"Not", "not", As::schema},
    {"Properties", "properties", As::schema_map},
    {"AdditionalProperties", "additionalProperties", As::schema_or_flag},
    {"PatternProperties", "patternProperties", As::schema_map},
    {"Dependencies", "dependencies", As::strings},
    {"AdditionalItems", "additionalItems", As::schema_or_flag},
    {"Definitions", "definitions", As::schema_map},
    {"ExternalDocs", "externalDocs", As::docs},
    {"Example", "example", As::any},
    {"XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", As::any},
    {"XEmbeddedResource", "x-kubernetes-embedded-resource", As::flag},
    {"XIntOrString", "x-kubernetes-int-or-string", As::flag},
    {"XListMapKeys", "x-kubernetes-list-map-keys", As::any},
    {"XListType", "x-kubernetes-list-type", As::any},
    {"XMapType", "x-kubernetes-map-type", As::any},
    {"XValidations", "x-kubernetes-validations", As::rules},
};

void text(json::View value, json::Builder& to) { to.string(value.string_or("")); }
void flag(json::View value, json::Builder& to) { to.boolean(value.kind() == json::Kind::boolean && value.as_bool()); }

void write_schema(json::View schema, json::Builder& to);

void write_schemas(json::View list, json::Builder& to) {
  if (!list.is_array()) {
    to.null();
    return;
  }
  to.begin_array();
  for (const json::View schema : list.items()) write_schema(schema, to);
  to.end();
}

std::vector<json::Entry> sorted(json::View object) {
  std::vector<json::Entry> entries;
  for (const json::Entry entry : object.entries()) entries.push_back(entry);
  std::ranges::sort(entries, {}, &json::Entry::key);
  return entries;
}

void write_rule(json::View rule, json::Builder& to) {
  to.begin_object();
  text(rule["rule"], to.key("Rule"));
  text(rule["message"], to.key("Message"));
  text(rule["messageExpression"], to.key("MessageExpression"));
  to.key("Reason").value(rule["reason"]);
  text(rule["fieldPath"], to.key("FieldPath"));
  to.key("OptionalOldSelf").value(rule["optionalOldSelf"]);
  to.end();
}

void write_or_null(json::View schema, json::Builder& to) {
  if (schema.is_object()) {
    write_schema(schema, to);
  } else {
    to.null();
  }
}

void write_member(As as, json::View value, json::Builder& to) {
  if (as == As::text) return text(value, to);
  if (as == As::flag) return flag(value, to);
  if (!value.exists() || value.is_null()) {
    to.null();
    return;
  }
  switch (as) {
    case As::schema: write_or_null(value, to); break;
    case As::schemas: write_schemas(value, to); break;
    case As::schema_map:
      to.begin_object();
      for (const auto& [name, schema] : sorted(value)) write_schema(schema, to.key(name));
      to.end();
      break;
    case As::schema_or_list:
      to.begin_object();
      write_or_null(value, to.key("Schema"));
      write_schemas(value, to.key("JSONSchemas"));
      to.end();
      break;
    case As::schema_or_flag:
      to.begin_object();
      to.key("Allows").boolean(value.is_object() || (value.kind() == json::Kind::boolean && value.as_bool()));
      write_or_null(value, to.key("Schema"));
      to.end();
      break;
    case As::strings:
      to.begin_object();
      for (const auto& [name, one] : sorted(value)) {
        to.key(name).begin_object();
        write_or_null(one, to.key("Schema"));
        to.key("Property").value(one.is_array() ? one : json::View());
        to.end();
      }
      to.end();
      break;
    case As::rules:
      to.begin_array();
      for (const json::View rule : value.items()) write_rule(rule, to);
      to.end();
      break;
    case As::docs:
      to.begin_object();
      text(value["description"], to.key("Description"));
      text(value["url"], to.key("URL"));
      to.end();
      break;
    default: to.value(value); break;
  }
}

void write_schema(json::View schema, json::Builder& to) {
  to.begin_object();
  for (const Member& member : kSchemaMembers) write_member(member.as, schema[member.json], to.key(member.go));
  to.end();
}

void write_subresources(json::View subresources, json::Builder& to) {
  if (!subresources.is_object()) {
    to.null();
    return;
  }
  to.begin_object();
  to.key("Status").value(subresources["status"].is_object() ? subresources["status"] : json::View());
  const json::View scale = subresources["scale"];
  to.key("Scale");
  if (scale.is_object()) {
    to.begin_object();
    text(scale["specReplicasPath"], to.key("SpecReplicasPath"));
    text(scale["statusReplicasPath"], to.key("StatusReplicasPath"));
    to.key("LabelSelectorPath").value(scale["labelSelectorPath"]);
    to.end();
  } else {
    to.null();
  }
  to.end();
}

void write_columns(json::View columns, json::Builder& to) {
  to.begin_array();
  for (const json::View column : columns.items()) {
    to.begin_object();
    text(column["name"], to.key("Name"));
    text(column["type"], to.key("Type"));
    text(column["format"], to.key("Format"));
    text(column["description"], to.key("Description"));
    const json::View priority = column["priority"];
    to.key("Priority").integer(priority.kind() == json::Kind::integer ? priority.as_int() : 0);
    text(column["jsonPath"], to.key("JSONPath"));
    to.end();
  }
  to.end();
}

void write_version(json::View version, const Shared& shared, json::Builder& to) {
  to.begin_object();
  text(version["name"], to.key("Name"));
  flag(version["served"], to.key("Served"));
  flag(version["storage"], to.key("Storage"));
  flag(version["deprecated"], to.key("Deprecated"));
  to.key("DeprecationWarning").value(version["deprecationWarning"]);
  to.key("Schema");
  if (version["schema"].is_object() && !shared.schema) {
    to.begin_object();
    write_or_null(version["schema"]["openAPIV3Schema"], to.key("OpenAPIV3Schema"));
    to.end();
  } else {
    to.null();
  }
  write_subresources(shared.subresources ? json::View() : version["subresources"], to.key("Subresources"));
  to.key("AdditionalPrinterColumns");
  if (shared.columns || !version["additionalPrinterColumns"].is_array()) {
    to.null();
  } else {
    write_columns(version["additionalPrinterColumns"], to);
  }
  to.key("SelectableFields");
  if (shared.selectable_fields || !version["selectableFields"].is_array()) {
    to.null();
  } else {
    to.begin_array();
    for (const json::View field : version["selectableFields"].items()) {
      to.begin_object();
      text(field["jsonPath"], to.key("JSONPath"));
      to.end();
    }
    to.end();
  }
  to.end();
}

}  // namespace

json::Value internal_schema(json::View schema) {
  json::Builder builder;
  write_schema(schema, builder);
  return builder.finish();
}

json::Value internal_versions(json::View versions, const Shared& shared) {
  json::Builder builder;
  builder.begin_array();
  for (const json::View version : versions.items()) write_version(version, shared, builder);
  return builder.end().finish();
}

Shared shared_of(json::View versions) {
  const auto all_alike = [&](const char* name) {
    const json::View first = versions[0][name];
    const json::Items items = versions.items();
    return std::all_of(items.begin(), items.end(), [&](json::View version) {
      const json::View other = version[name];
      return other == first || (other.empty() && first.empty() && !other.is_object() && !first.is_object());
    });
  };
  if (versions.empty()) return {};
  return {.schema = all_alike("schema"),
          .subresources = all_alike("subresources"),
          .columns = all_alike("additionalPrinterColumns"),
          .selectable_fields = all_alike("selectableFields")};
}

}  // namespace flyball::apiserver::detail
