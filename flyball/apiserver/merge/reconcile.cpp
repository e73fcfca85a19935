#include <algorithm>

#include "flyball/apiserver/merge/operations.hpp"

namespace flyball::apiserver::merge {

namespace {

// What the type now says of a set's values: nothing new, that they are one whole, or that some below them are.
enum class Verdict { same, whole, below };

bool is_list(const MergeType& type) { return !type.map && type.scalar == ScalarForm::none && type.list; }

const MergeType* child_type(const MergeType& type, const PathElement& element) {
  if (!type.map) return type.item;
  const MergeField* field = element.is_field() ? type.find_field(element.name()) : nullptr;
  return field != nullptr ? field->type : type.others;
}

Verdict judge(const FieldSet* set, const MergeType& type, bool is_leaf);

Verdict judge(const FieldSet::Entry& entry, const MergeType& parent) {
  const MergeType* type = child_type(parent, entry.element);
  if (type == nullptr) return Verdict::same;
  return judge(entry.below.get(), *type, entry.member && entry.below == nullptr);
}

Verdict judge(const FieldSet* set, const MergeType& type, bool is_leaf) {
  if (type.map ? type.map_deduced : !is_list(type)) return Verdict::same;
  if (!is_leaf && (type.map ? type.map_atomic : type.list_atomic)) {
    return set != nullptr ? Verdict::whole : Verdict::same;
  }
  if (set == nullptr) return Verdict::same;
  const bool same = std::ranges::all_of(
      set->entries(), [&](const FieldSet::Entry& entry) { return judge(entry, type) == Verdict::same; });
  return same ? Verdict::same : Verdict::below;
}

FieldSet rebuilt(const FieldSet& set, const MergeType& type) {
  FieldSet result;
  for (const FieldSet::Entry& entry : set.entries()) {
    switch (judge(entry, type)) {
      case Verdict::same:
        result.append(entry.element, entry.member, entry.below == nullptr ? FieldSet() : *entry.below);
        break;
      case Verdict::whole: result.append(entry.element, true, {}); break;
      case Verdict::below:
        result.append(entry.element, entry.member, rebuilt(*entry.below, *child_type(type, entry.element)));
        break;
    }
  }
  return result;
}

}  // namespace

FieldSet reconcile(const FieldSet& set, const MergeType& type) {
  return judge(&set, type, false) == Verdict::below ? rebuilt(set, type) : set;
}

}  // namespace flyball::apiserver::merge
