#include "flyball/apiserver/detail/unchanged.hpp"

#include <algorithm>

namespace flyball::apiserver::detail {
namespace {

bool is_scalar(json::View value) {
  return value.exists() && !value.is_null() && !value.is_array() && !value.is_object();
}

bool same_keys(const SchemaNode& schema, json::View a, json::View b) {
  return std::ranges::all_of(schema.list_map_keys, [&](std::string_view key) {
    return is_scalar(a[key]) && a[key].kind() == b[key].kind() && a[key] == b[key];
  });
}

bool is_unchanged_list(const Former& list) {
  if (list.value.size() != list.old.size()) return false;
  for (const json::View item : list.value.items()) {
    const std::optional<Former> former = former_item(list, item);
    if (!former) return list.schema->list_type != "map" && list.value == list.old;
    if (!is_unchanged(*former)) return false;
  }
  return true;
}

bool is_unchanged_object(const Former& object) {
  if (object.value.size() != object.old.size()) return false;
  for (const auto& [name, member] : object.value.entries()) {
    const std::optional<Former> former = former_member(object, name);
    if (!former || !is_unchanged(*former)) return false;
  }
  return true;
}

}  // namespace

std::optional<Former> former_member(const Former& object, std::string_view name) {
  const json::View value = object.value[name];
  const json::View old = object.old[name];
  const SchemaNode* schema = object.schema->member(name);
  if (!value.exists() || !old.exists() || schema == nullptr) return std::nullopt;
  return Former{.schema = schema, .value = value, .old = old};
}

std::optional<Former> former_item(const Former& list, json::View item) {
  const SchemaNode& schema = *list.schema;
  if (schema.list_type != "map" || schema.list_map_keys.empty() || schema.items == nullptr) return std::nullopt;
  if (!item.is_object()) return std::nullopt;
  for (const json::View old : list.old.items()) {
    if (!old.is_object() || !same_keys(schema, item, old)) continue;
    return Former{.schema = schema.items.get(), .value = item, .old = old};
  }
  return std::nullopt;
}

bool is_unchanged(const Former& part) {
  if (part.value.is_array() && part.old.is_array()) return is_unchanged_list(part);
  if (part.value.is_object() && part.old.is_object()) return is_unchanged_object(part);
  return part.value.kind() == part.old.kind() && part.value == part.old;
}

}  // namespace flyball::apiserver::detail
