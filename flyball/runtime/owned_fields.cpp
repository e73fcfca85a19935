#include "flyball/runtime/owned_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "flyball/json/parse.hpp"

namespace flyball::runtime {
namespace {

using kube::meta::v1::ManagedFieldsEntry;

bool is_leaf(json::View owned) { return owned.size() == 0 || (owned.size() == 1 && owned.contains(".")); }

bool same(json::View owned, json::View wanted);

bool same_object(json::View owned, json::View wanted) {
  std::size_t members = 0;
  for (const auto& [name, below] : owned.entries()) {
    if (name == ".") continue;
    if (!name.starts_with("f:")) return false;
    const json::View member = wanted[name.substr(2)];
    if (!member.exists() || !same(below, member)) return false;
    ++members;
  }
  return members == wanted.size();
}

// Keys that an element leaves out have their defaults.
bool has_keys(json::View element, json::View keys) {
  return std::ranges::all_of(keys.entries(), [&](const auto& key) {
    const json::View member = element[key.key];
    return !member.exists() || member == key.value;
  });
}

bool same_list(json::View owned, json::View wanted) {
  std::vector<json::View> left;
  for (const json::View element : wanted.items()) left.push_back(element);
  for (const auto& [name, below] : owned.entries()) {
    if (name == ".") continue;
    const bool by_value = name.starts_with("v:");
    if (!by_value && !name.starts_with("k:")) return false;
    const json::Value key = json::parse(name.substr(2));
    const auto found = std::ranges::find_if(left, [&](json::View element) {
      if (by_value) return element == json::View(key);
      return element.is_object() && has_keys(element, key);
    });
    if (found == left.end() || (!by_value && !same(below, *found))) return false;
    left.erase(found);
  }
  return left.empty();
}

bool same(json::View owned, json::View wanted) {
  if (is_leaf(owned)) return true;
  if (wanted.is_object()) return same_object(owned, wanted);
  return wanted.is_array() && same_list(owned, wanted);
}

// Everybody says these, and nobody owns them.
bool is_identity(std::string_view name) { return name == "apiVersion" || name == "kind" || name == "status"; }
bool is_name(std::string_view name) {
  return name == "name" || name == "namespace" || name == "creationTimestamp" || name == "resourceVersion" ||
         name == "uid" || name == "generation";
}

bool same_metadata(json::View owned, json::View wanted) {
  std::size_t members = 0;
  for (const auto& [name, below] : owned.entries()) {
    if (name == ".") continue;
    const json::View member = wanted[name.substr(2)];
    if (!member.exists() || !same(below, member)) return false;
    ++members;
  }
  const auto counted = std::ranges::count_if(wanted.entries(), [](const auto& one) { return !is_name(one.key); });
  return std::cmp_equal(members, counted);
}

bool same_whole(json::View owned, json::View wanted) {
  for (const auto& [name, member] : wanted.entries()) {
    if (is_identity(name)) continue;
    const json::View below = owned["f:" + std::string(name)];
    if (name == "metadata") {
      if (!same_metadata(below, member)) return false;
      continue;
    }
    if (!below.exists() || !same(below, member)) return false;
  }
  return std::ranges::all_of(owned.entries(), [&](const auto& one) { return wanted.contains(one.key.substr(2)); });
}

const ManagedFieldsEntry* entry_of(const kube::meta::v1::ObjectMeta& stored, std::string_view manager,
                                   std::string_view api_version) {
  const auto found = std::ranges::find_if(stored.managedFields, [&](const ManagedFieldsEntry& entry) {
    return entry.manager == manager && entry.operation == "Apply" && entry.subresource.empty();
  });
  return found != stored.managedFields.end() && found->apiVersion == api_version ? &*found : nullptr;
}

}  // namespace

bool owns_exactly(const kube::meta::v1::ObjectMeta& stored, std::string_view manager, std::string_view api_version,
                  json::View desired) {
  const ManagedFieldsEntry* entry = entry_of(stored, manager, api_version);
  return entry != nullptr && same_whole(json::parse(entry->fieldsV1.text()), desired);
}

}  // namespace flyball::runtime
