// MergeType: how a value merges, and MergeSchema: the types of one kind.
//
//   const MergeSchema pods = MergeSchema::of(reflect::type_of<kube::core::v1::Pod>());       // a built-in kind
//   const MergeSchema gadgets = MergeSchema::of_custom(crd_version["schema"]["openAPIV3Schema"]);
//   pods.root().find_field("spec")->type->find_field("containers")->type->keys;              // {"name"}
//
// A type says which forms a value may have, a scalar, a list, a map, and how the latter two come apart: an atomic one
// is owned and replaced as a whole; a list may be a set of scalars or a map by keys; a map has named fields, or others,
// or both. A type with several forms goes by the value at hand; that of a value nobody described ("deduced") has maps
// that come apart and lists that do not.
//
// Thread-safety: constant once made. Lifetime: types live as long as their schema; it may be moved.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver::merge {

struct MergeType;

enum class ScalarForm : std::uint8_t { none, numeric, string, boolean, any };

struct MergeField {
  std::string name = {};
  const MergeType* type = nullptr;
  json::Value fallback = {};  // the schema's default; null when there is none. Counts where the field is a key.
};

struct MergeType {
  ScalarForm scalar = ScalarForm::none;

  bool list = false;
  bool list_atomic = true;
  std::vector<std::string> keys = {};  // none: the items of a list that is not atomic are a set
  const MergeType* item = nullptr;

  bool map = false;
  bool map_atomic = false;
  bool map_deduced = false;             // no fields, and others of any form: a change of the schema does not reach in
  std::vector<MergeField> fields = {};  // in the order of find_field
  const MergeType* others = nullptr;    // of members that are no field; null: there may be none

  const MergeField* find_field(std::string_view field) const;
};

class MergeSchema {
 public:
  // A built-in kind, or any built-in type.
  static MergeSchema of(const reflect::Type& type);
  // A custom resource, by the structural schema of its version; absent or null for one that has none.
  // `preserve_unknown` is the CRD's spec.preserveUnknownFields.
  static MergeSchema of_custom(json::View schema, bool preserve_unknown = false);
  // Any object at all.
  static MergeSchema deduced();

  const MergeType& root() const { return *root_; }
  // An object of the kind in which nothing is set, as Go's encoder writes it: what a created object is compared with.
  const json::Value& empty_object() const { return empty_; }

 private:
  friend class BuiltinTypes;
  friend class CustomTypes;
  MergeSchema();
  MergeType& add();

  // On the heap: types point to each other.
  std::unique_ptr<std::deque<MergeType>> types_;
  const MergeType* whole_ = nullptr;    // any value, as a whole
  const MergeType* deduced_ = nullptr;  // any value, its maps member by member
  const MergeType* root_ = nullptr;
  json::Value empty_;
};

// Puts the fields in the order that find_field searches.
void sort_fields(MergeType& type);

}  // namespace flyball::apiserver::merge
