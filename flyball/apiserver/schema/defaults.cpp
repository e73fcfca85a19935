#include "flyball/apiserver/schema/defaults.hpp"

#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

bool is_forbidden_null(json::View value, const SchemaNode& schema) { return value.is_null() && !schema.nullable; }

class Defaults {
 public:
  Defaults(Nulls nulls, json::Builder& to) : keep_(nulls == Nulls::keep), to_(to) {}

  void apply(json::View value, const SchemaNode* schema) {
    if (value.is_object()) return object(value, schema);
    if (value.is_array()) return array(value, schema == nullptr ? nullptr : schema->items.get());
    to_.value(value);
  }

 private:
  void object(json::View value, const SchemaNode* schema) {
    to_.begin_object();
    for (const auto& [key, member] : value.entries()) {
      const SchemaNode* described = schema == nullptr ? nullptr : schema->member(key);
      const bool forbidden = described != nullptr && is_forbidden_null(member, *described);
      if (forbidden && described->default_value.exists()) {
        to_.key(key);
        apply(described->default_value, described);
      } else if (!forbidden || keep_) {
        to_.key(key);
        apply(member, described);
      }
    }
    if (schema != nullptr) add_missing(value, *schema);
    to_.end();
  }

  void add_missing(json::View value, const SchemaNode& schema) {
    for (const auto& [name, property] : schema.properties) {
      if (!property.default_value.exists() || value.contains(name)) continue;
      to_.key(name);
      apply(property.default_value, &property);
    }
  }

  void array(json::View value, const SchemaNode* items) {
    to_.begin_array();
    for (const json::View item : value.items()) {
      const bool replaced = items != nullptr && is_forbidden_null(item, *items) && items->default_value.exists();
      apply(replaced ? items->default_value : item, items);
    }
    to_.end();
  }

  bool keep_;
  json::Builder& to_;
};

}  // namespace

json::Value apply_defaults(const Schema& schema, json::View object, Nulls nulls) {
  json::Builder builder(object.encoded_size());
  Defaults(nulls, builder).apply(object, &schema.root());
  return builder.finish();
}

}  // namespace flyball::apiserver
