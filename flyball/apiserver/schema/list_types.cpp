#include <algorithm>
#include <unordered_map>
#include <vector>

#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

struct SameKind {
  bool operator()(const json::Value& a, const json::Value& b) const { return a.kind() == b.kind() && a == b; }
};

// Each value that appears again is reported once, where it does so first.
void check_unique(const std::vector<json::Value>& values, const FieldPath& at, Problems& problems) {
  std::unordered_map<json::Value, int, std::hash<json::Value>, SameKind> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (++seen[values[i]] == 2) problems.duplicate(at.index(i), values[i]);
  }
}

json::Value keys_of(const SchemaNode& schema, json::View item) {
  json::Builder keys;
  keys.begin_object();
  std::vector<std::string_view> names = schema.list_map_keys;
  std::ranges::sort(names);
  for (const std::string_view name : names) {
    if (item.contains(name)) keys.key(name).value(item[name]);
  }
  return keys.end().finish();
}

void check_map(const SchemaNode& schema, json::View list, const FieldPath& at, Problems& problems) {
  std::vector<json::Value> keys;
  for (const json::View item : list.items()) {
    if (!item.is_null() && !item.is_object()) {
      return problems.invalid(at.index(keys.size()), json::Value(item),
                              "must be an object for an array of list-type map");
    }
    keys.push_back(keys_of(schema, item));
  }
  check_unique(keys, at, problems);
}

void check_part(const SchemaNode& schema, json::View value, const FieldPath& at, Problems& problems) {
  if (value.is_object()) {
    if (schema.additional_schema != nullptr) {
      for (const auto& [name, member] : value.entries()) {
        check_part(*schema.additional_schema, member, at.key(name), problems);
      }
    }
    for (const auto& [name, property] : schema.properties) {
      if (const json::View member = value[name]; member.exists()) {
        check_part(property, member, at.child(name), problems);
      }
    }
  } else if (value.is_array()) {
    if (schema.list_type == "set") {
      std::vector<json::Value> items;
      for (const json::View item : value.items()) items.emplace_back(item);
      check_unique(items, at, problems);
    } else if (schema.list_type == "map") {
      check_map(schema, value, at, problems);
    }
    if (schema.items == nullptr) return;
    std::size_t index = 0;
    for (const json::View item : value.items()) check_part(*schema.items, item, at.index(index++), problems);
  }
}

}  // namespace

void validate_lists(const Schema& schema, json::View object, Problems& problems) {
  check_part(schema.root(), object, {}, problems);
}

}  // namespace flyball::apiserver
