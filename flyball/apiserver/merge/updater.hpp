// The rules of ownership: what a write, or an apply, does to the managers of an object. Private to merge.
//
// Thread-safety: none; an Updater serves one request. Lifetime: of the kind and the views it was given.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/apiserver/merge/operations.hpp"

namespace flyball::apiserver::merge {

// A value and the type it is of.
struct Typed {
  json::Value object;
  std::string api_version;
  const MergeType* type = nullptr;
};

class Updater {
 public:
  explicit Updater(const ManagedKind& kind) : kind_(kind) {}

  // Takes from all managers what changed; what changed belongs to `self`, which then has nothing else.
  void update(json::View live, json::View next, Managed& managed, const ManagerId& self) const;

  struct Applied {
    json::Value object = {};
    std::vector<Conflict> conflicts = {};  // with any, the rest means nothing
  };
  Applied apply(json::View live, json::View applied, Managed& managed, const ManagerId& self, Force force) const;

 private:
  using Versions = std::map<std::string, std::optional<Comparison>, std::less<>>;

  Typed typed(json::Value object) const;
  // Empty for a version that is no more. `doing` begins the message of the ApiError for what cannot be converted.
  std::optional<Typed> convert(const Typed& object, std::string_view api_version, std::string_view doing) const;
  void reconcile_all(const Typed& live, Managed& managed) const;
  Comparison take(const Typed& live, const Typed& next, Managed& managed, const ManagerId& self, Force force,
                  std::vector<Conflict>& conflicts) const;
  std::optional<Comparison> compare_in(const Typed& live, const Typed& next, std::string_view api_version) const;

  Typed prune(Typed merged, const Managed& managed, const Manager& last) const;
  Typed put_back_owned(const Typed& merged, Typed pruned, const Managed& managed) const;
  void put_back_version(Typed& merged, Typed& pruned, const std::string& version, const FieldSet& owned) const;
  Typed put_back_dangling(const Typed& merged, const Typed& pruned, const Manager& last) const;

  const ManagedKind& kind_;
};

}  // namespace flyball::apiserver::merge
