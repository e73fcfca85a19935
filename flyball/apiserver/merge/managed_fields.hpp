// metadata.managedFields, decoded: who owns which fields, since when, in which version of the kind.
//
//   Managed managed = Managed::decode(object["metadata"]["managedFields"]);         // throws FieldsError
//   if (Manager* mine = managed.find(id)) mine->fields = mine->fields | more;
//   managed.encode(builder);                                                        // sorted as upstream sorts
//
// An updater is one per manager, version and subresource; an applier one per manager and subresource, whatever version
// it applies next.
//
// Thread-safety: values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/merge/field_set.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver::merge {

struct ManagerId {
  std::string name = {};
  bool applied = false;
  std::string api_version = {};  // of an updater; empty for an applier
  std::string subresource = {};

  // The JSON that upstream knows a manager by; its order is that of conflicts in messages.
  std::string text() const;
  friend auto operator<=>(const ManagerId&, const ManagerId&) = default;
};

struct Manager {
  ManagerId id = {};
  std::string api_version = {};  // the fields are named as this version names them
  std::optional<kube::Time> time = {};
  FieldSet fields = {};
};

class Managed {
 public:
  static Managed decode(json::View managed_fields);
  // The array; nothing is written for no managers at all.
  void encode(json::Builder& to) const;
  // The same as metadata has it.
  std::vector<kube::meta::v1::ManagedFieldsEntry> entries() const;

  bool empty() const { return managers_.empty(); }
  const std::vector<Manager>& managers() const { return managers_; }
  std::vector<Manager>& managers() { return managers_; }
  Manager* find(const ManagerId& id);
  const Manager* find(const ManagerId& id) const;
  // The manager, made without fields when it is new.
  Manager& at(const ManagerId& id);
  void erase(const ManagerId& id);
  void erase_empty();
  // The oldest updaters become one for each version, "ancient-changes", so that no more than ten are left.
  void cap_updaters();

 private:
  std::vector<const Manager*> sorted() const;

  std::vector<Manager> managers_;  // each id once
};

// Whether a client asks with these managedFields to forget all owners: `[]` or `[{}]`.
bool is_reset(json::View managed_fields);

// `object` with these managedFields instead of its own; without any when there are no managers.
json::Value with_managed_fields(json::View object, const Managed& managed);
json::Value without_managed_fields(json::View object);

}  // namespace flyball::apiserver::merge
