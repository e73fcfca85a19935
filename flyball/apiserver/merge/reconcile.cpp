#include <utility>

#include "flyball/apiserver/merge/operations.hpp"

namespace flyball::apiserver::merge {

namespace {

struct Reconciled {
  bool whole = false;  // the owner now owns the value as a whole, and nothing below it
  bool same = true;
  FieldSet set = {};
};

Reconciled level(const FieldSet* set, const MergeType& type, bool is_leaf);

FieldSet below(const FieldSet& set, const MergeType& type, bool map, bool& same) {
  FieldSet result;
  for (const FieldSet::Entry& entry : set.entries()) {
    const MergeType* child = type.item;
    if (map) {
      const MergeField* field = entry.element.is_field() ? type.find_field(entry.element.name()) : nullptr;
      child = field != nullptr ? field->type : type.others;
    }
    Reconciled part;
    if (child != nullptr) part = level(entry.below.get(), *child, entry.member && entry.below == nullptr);
    same = same && part.same;
    if (part.whole) {
      result.append(entry.element, true, {});
    } else if (part.same) {
      result.append(entry.element, entry.member, entry.below == nullptr ? FieldSet() : *entry.below);
    } else {
      result.append(entry.element, entry.member, std::move(part.set));
    }
  }
  return result;
}

Reconciled level(const FieldSet* set, const MergeType& type, bool is_leaf) {
  const bool list = !type.map && type.scalar == ScalarForm::none && type.list;
  if (!type.map && !list) return {};
  if (type.map && type.map_deduced) return {};
  if (!is_leaf && (type.map ? type.map_atomic : type.list_atomic)) {
    const bool something = list || set != nullptr;
    return {.whole = something, .same = !something};
  }
  if (set == nullptr) return {};
  Reconciled result;
  result.set = below(*set, type, type.map, result.same);
  return result;
}

}  // namespace

FieldSet reconcile(const FieldSet& set, const MergeType& type) {
  Reconciled result = level(&set, type, false);
  return result.same || result.whole ? set : std::move(result.set);
}

}  // namespace flyball::apiserver::merge
