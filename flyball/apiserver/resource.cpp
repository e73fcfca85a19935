#include "flyball/apiserver/resource.hpp"

#include <algorithm>
#include <utility>

#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver {
namespace {

std::vector<std::string> texts(const reflect::Words& words) {
  std::vector<std::string> list;
  for (const std::string_view word : words) list.emplace_back(word);
  return list;
}

// Kinds that are served under two groups and lie in one place.
std::string shelf_of(std::string_view group, std::string_view plural) {
  if (group == "events.k8s.io") return "events";
  return GroupName{std::string(group), std::string(plural)}.text();
}

ServedSubresource subresource_of(const reflect::KindInfo& kind, const reflect::Subresource& sub) {
  ServedSubresource served{.name = std::string(sub.name), .kind = std::string(sub.kind), .verbs = texts(sub.verbs)};
  if (sub.api_version.empty() || sub.api_version == kind.api_version) return served;
  const std::size_t slash = sub.api_version.find('/');
  if (slash != std::string_view::npos) served.group = std::string(sub.api_version.substr(0, slash));
  served.version = std::string(slash == std::string_view::npos ? sub.api_version : sub.api_version.substr(slash + 1));
  return served;
}

ResourcePointer built_in(const reflect::Type& type) {
  const reflect::KindInfo& kind = *type.kind;
  auto resource = std::make_shared<Resource>();
  resource->group = kind.group;
  resource->version = kind.version;
  resource->kind = kind.kind;
  resource->plural = kind.plural;
  resource->singular = kind.singular;
  resource->list_kind = kind.list_kind.empty() ? std::string(kind.kind) + "List" : std::string(kind.list_kind);
  resource->namespaced = kind.namespaced;
  resource->short_names = texts(kind.short_names);
  resource->categories = texts(kind.categories);
  resource->verbs = texts(kind.verbs);
  for (const reflect::Subresource& sub : kind.subresources) resource->subresources.push_back(subresource_of(kind, sub));
  resource->storage_hash = kind.storage_hash;
  resource->delete_gives_object = kind.delete_gives_object;
  resource->shelf = shelf_of(kind.group, kind.plural);
  resource->type = &type;
  resource->rules = find_rules(type);
  if (resource->rules != nullptr) resource->traits = resource->rules->traits();
  if (kind.kind == "CustomResourceDefinition") {
    resource->traits.generation = true;
    resource->traits.unconditional_update = false;
  }
  return resource;
}

}  // namespace

bool Resource::serves(std::string_view verb) const { return std::ranges::find(verbs, verb) != verbs.end(); }

const ServedSubresource* Resource::subresource(std::string_view wanted) const {
  const auto found = std::ranges::find(subresources, wanted, &ServedSubresource::name);
  return found == subresources.end() ? nullptr : &*found;
}

Registry::Registry() {
  for (const reflect::TypeRef type : kube::served_kinds()) {
    // As a server that is told nothing else: what is alpha or beta is off.
    const std::string_view version = type().kind->version;
    if (version.find("alpha") != std::string_view::npos || version.find("beta") != std::string_view::npos) continue;
    built_in_.push_back(built_in(type()));
  }
}

std::vector<ResourcePointer> Registry::all() const {
  std::vector<ResourcePointer> resources = built_in_;
  const MutexLock lock(mutex_);
  for (const auto& [name, versions] : custom_) resources.insert(resources.end(), versions.begin(), versions.end());
  return resources;
}

ResourcePointer Registry::find(std::string_view group, std::string_view version, std::string_view plural) const {
  for (const ResourcePointer& one : built_in_) {
    if (one->plural == plural && one->group == group && one->version == version) return one;
  }
  const MutexLock lock(mutex_);
  const auto found = custom_.find({std::string(group), std::string(plural)});
  if (found == custom_.end()) return nullptr;
  const auto one = std::ranges::find(found->second, version, [](const auto& resource) { return resource->version; });
  return one == found->second.end() ? nullptr : *one;
}

ResourcePointer Registry::find_any(std::string_view group, std::string_view plural) const {
  for (const ResourcePointer& one : built_in_) {
    if (one->plural == plural && one->group == group) return one;
  }
  const MutexLock lock(mutex_);
  const auto found = custom_.find({std::string(group), std::string(plural)});
  return found == custom_.end() || found->second.empty() ? nullptr : found->second.front();
}

bool Registry::is_built_in(std::string_view group) const {
  return std::ranges::any_of(built_in_, [&](const ResourcePointer& one) { return one->group == group; });
}

ResourcePointer Registry::find_kind(std::string_view group, std::string_view version, std::string_view kind) const {
  for (const ResourcePointer& one : all()) {
    if (one->kind == kind && one->group == group && one->version == version) return one;
  }
  return nullptr;
}

ResourcePointer Registry::storage_of(const Resource& resource) const {
  if (resource.shelf == "events" && !resource.group.empty()) return find("", "v1", "events");
  if (resource.is_custom()) {
    ResourcePointer stored = find(resource.group, resource.storage_version, resource.plural);
    return stored != nullptr ? stored : std::make_shared<Resource>(resource);
  }
  // Built-in groups have their preferred version first.
  return find_any(resource.group, resource.plural);
}

std::vector<GroupVersion> Registry::group_versions() const {
  std::vector<GroupVersion> list;
  for (const ResourcePointer& one : all()) {
    const auto same = [&](const GroupVersion& gv) { return gv.group == one->group && gv.version == one->version; };
    auto found = std::ranges::find_if(list, same);
    if (found == list.end()) found = list.insert(list.end(), {.group = one->group, .version = one->version});
    found->resources.push_back(one);
  }
  return list;
}

void Registry::serve(const std::string& group, const std::string& plural, std::vector<ResourcePointer> versions) {
  const MutexLock lock(mutex_);
  ++generation_;
  if (versions.empty()) {
    custom_.erase({group, plural});
  } else {
    custom_[{group, plural}] = std::move(versions);
  }
}

std::uint64_t Registry::generation() const {
  const MutexLock lock(mutex_);
  return generation_;
}

}  // namespace flyball::apiserver
