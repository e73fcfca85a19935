// What the walks over values share: which of a type's forms a value has, and the steps to the items of a list.
// Private to merge.
//
// Thread-safety: pure functions. Lifetime: views live as long as the values they look into.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/apiserver/merge/path.hpp"

namespace flyball::apiserver::merge {

// The forms left when the value has decided; all of the type's for null, for nothing, and for a form it may not have.
struct Forms {
  bool map = false;
  bool scalar = false;
  bool list = false;
  friend bool operator==(const Forms&, const Forms&) = default;
};
Forms forms_of(const MergeType& type, json::View value);

// The type of a member; null when the type knows none of that name.
inline const MergeType* member_type(const MergeType& type, std::string_view name) {
  const MergeField* field = type.find_field(name);
  return field != nullptr ? field->type : type.others;
}

// The step to an item of a list that is not atomic; when there is none, why.
struct ItemElement {
  std::optional<PathElement> element = {};
  std::string problem = {};
};
ItemElement item_element(const MergeType& list, json::View item);
// Why an item has no step, without making the step; empty when it has one.
std::string item_problem(const MergeType& list, json::View item);

// The items of a list by their steps. Items without one are left out.
struct Item {
  PathElement element;
  json::View value;
};
std::vector<Item> items_of(const MergeType& list, json::View value);
// The same in the order of their steps, equal ones in the order they stand.
std::vector<Item> sorted_items_of(const MergeType& list, json::View value);

// The members of an object, found by name quickly however many there are.
class Members {
 public:
  explicit Members(json::View object);
  json::View operator[](std::string_view name) const;

 private:
  json::View object_;
  std::vector<json::Entry> sorted_;  // only of large objects
  // Objects that belong together have their members in the same order: the next one asked for is likely the next.
  mutable json::Entries::iterator next_;
};

}  // namespace flyball::apiserver::merge
