#include "flyball/apiserver/schema/defaults.hpp"

#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

void apply(json::View value, const SchemaNode* schema, json::Builder& to);

bool is_forbidden_null(json::View value, const SchemaNode& schema) { return value.is_null() && !schema.nullable; }

void object(json::View value, const SchemaNode* schema, json::Builder& to) {
  to.begin_object();
  for (const auto& [key, member] : value.entries()) {
    const SchemaNode* described = schema == nullptr ? nullptr : schema->member(key);
    if (described == nullptr || !is_forbidden_null(member, *described)) {
      apply(member, described, to.key(key));
    } else if (described->default_value.exists()) {
      apply(described->default_value, described, to.key(key));
    }
  }
  if (schema != nullptr) {
    for (const auto& [name, property] : schema->properties) {
      if (!property.default_value.exists() || value.contains(name)) continue;
      apply(property.default_value, &property, to.key(name));
    }
  }
  to.end();
}

void apply(json::View value, const SchemaNode* schema, json::Builder& to) {
  if (value.is_object()) {
    object(value, schema, to);
  } else if (value.is_array()) {
    const SchemaNode* items = schema == nullptr ? nullptr : schema->items.get();
    to.begin_array();
    for (const json::View item : value.items()) {
      const bool replaced = items != nullptr && is_forbidden_null(item, *items) && items->default_value.exists();
      apply(replaced ? items->default_value : item, items, to);
    }
    to.end();
  } else {
    to.value(value);
  }
}

}  // namespace

json::Value apply_defaults(const Schema& schema, json::View object) {
  json::Builder builder(object.encoded_size());
  apply(object, &schema.root(), builder);
  return builder.finish();
}

}  // namespace flyball::apiserver
