#include "flyball/runtime/owned_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "flyball/json/parse.hpp"

namespace flyball::runtime {
namespace {

using kube::meta::v1::ManagedFieldsEntry;

bool is_leaf(json::View owned) { return owned.empty() || (owned.size() == 1 && owned.contains(".")); }

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

// How well an element fits the keys: 0 when it has another value of one. A key that it leaves out has its default,
// which is not known here, so an element that says all of them fits better.
std::size_t fit(json::View element, json::View keys) {
  std::size_t fits = 1;
  if (!element.is_object()) return 0;
  for (const auto& [name, value] : keys.entries()) {
    const json::View member = element[name];
    if (!member.exists()) continue;
    if (member != value) return 0;
    ++fits;
  }
  return fits;
}

std::vector<json::View>::iterator best_fit(std::vector<json::View>& elements, json::View keys) {
  const auto best = std::ranges::max_element(elements, {}, [&](json::View element) { return fit(element, keys); });
  return best != elements.end() && fit(*best, keys) > 0 ? best : elements.end();
}

bool same_list(json::View owned, json::View wanted) {
  std::vector<json::View> left;
  for (const json::View element : wanted.items()) left.push_back(element);
  for (const auto& [name, below] : owned.entries()) {
    if (name == ".") continue;
    const bool by_value = name.starts_with("v:");
    if (!by_value && !name.starts_with("k:")) return false;
    const json::Value key = json::parse(name.substr(2));
    const auto found = by_value ? std::ranges::find(left, json::View(key)) : best_fit(left, key);
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
