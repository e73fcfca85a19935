// Resource: one thing the server serves, in one version: /apis/apps/v1/deployments. And the Registry of all of them.
//
//   Registry registry;                                             // every built-in kind
//   std::shared_ptr<const Resource> pods = registry.find("", "v1", "pods");
//   registry.serve({...});                                         // what a CustomResourceDefinition adds
//
// Thread-safety: a Resource is constant; the Registry may be used from any thread.
// Lifetime: whoever holds a Resource keeps it, also when the registry no longer serves it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver {

class CustomKind;
class KindTable;

struct ServedSubresource {
  std::string name = {};  // "scale"
  std::string group = {};
  std::string version = {};
  std::string kind = {};
  std::vector<std::string> verbs = {};
};

struct Resource {
  std::string group = {};
  std::string version = {};
  std::string kind = {};
  std::string plural = {};
  std::string singular = {};
  std::string list_kind = {};
  bool namespaced = true;
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<std::string> verbs = {};
  std::vector<ServedSubresource> subresources = {};
  std::string storage_hash = {};
  bool delete_gives_object = false;

  // Where its objects lie in the store, whatever the version: "deployments.apps".
  std::string shelf = {};
  // A built-in kind: its table, and its rules (null: the usual ones). The stored version's table may be another's.
  const reflect::Type* type = nullptr;
  const Rules* rules = nullptr;
  Traits traits = {};
  // Or a custom one.
  std::shared_ptr<const CustomKind> custom = {};
  std::string storage_version = {};  // of a custom one; empty: this one
  // What kubectl prints; null for objects that have no table.
  std::shared_ptr<const KindTable> custom_table = {};
  std::vector<std::string> selectable = {};  // a custom one's fields for selectors

  std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  GroupName group_resource() const { return {group, plural}; }
  GroupName group_kind() const { return {group, kind}; }
  bool serves(std::string_view verb) const;
  const ServedSubresource* subresource(std::string_view name) const;
  bool is_custom() const noexcept { return custom != nullptr; }
};
using ResourcePointer = std::shared_ptr<const Resource>;

// One version of a group, with what it serves, in the order of discovery.
struct GroupVersion {
  std::string group = {};
  std::string version = {};
  std::vector<ResourcePointer> resources = {};
};

class Registry {
 public:
  // With every built-in resource.
  Registry();

  // Null when there is none.
  ResourcePointer find(std::string_view group, std::string_view version, std::string_view plural) const;
  // Any served version of a group's resource.
  ResourcePointer find_any(std::string_view group, std::string_view plural) const;
  // Any resource of that kind.
  ResourcePointer find_kind(std::string_view group, std::string_view version, std::string_view kind) const;
  // A group that the server has of itself.
  bool is_built_in(std::string_view group) const;
  // The version in which its objects are stored: itself, for most.
  ResourcePointer storage_of(const Resource& resource) const;
  // In the order of discovery: built-in groups by preference, custom ones behind them by name.
  std::vector<GroupVersion> group_versions() const;
  std::vector<ResourcePointer> all() const;

  // All served versions of one custom resource, replacing what was served of it before; none takes it away.
  void serve(const std::string& group, const std::string& plural, std::vector<ResourcePointer> versions);

  // Goes up with every change: the ETag of discovery.
  std::uint64_t generation() const;

 private:
  mutable Mutex mutex_;
  std::vector<ResourcePointer> built_in_;  // constant after construction
  // By group and plural.
  std::map<std::pair<std::string, std::string>, std::vector<ResourcePointer>> custom_ FLYBALL_GUARDED_BY(mutex_);
  std::uint64_t generation_ FLYBALL_GUARDED_BY(mutex_) = 1;
};

}  // namespace flyball::apiserver
