#include "flyball/apiserver/merge/merge_type.hpp"

#include <algorithm>

namespace flyball::apiserver::merge {

namespace {

// By length first: two names are rarely of one length, and then one comparison of numbers tells them apart.
bool before(std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

MergeType any_value(const MergeType& item, const MergeType& member, bool atomic) {
  MergeType type;
  type.scalar = ScalarForm::any;
  type.list = true;
  type.item = &item;
  type.map = true;
  type.map_atomic = atomic;
  type.map_deduced = !atomic;
  type.others = &member;
  return type;
}

}  // namespace

const MergeField* MergeType::find_field(std::string_view field) const {
  const auto at = std::ranges::lower_bound(fields, field, before, &MergeField::name);
  return at != fields.end() && at->name == field ? &*at : nullptr;
}

void sort_fields(MergeType& type) { std::ranges::sort(type.fields, before, &MergeField::name); }

MergeSchema::MergeSchema() : types_(std::make_unique<std::deque<MergeType>>()) {
  MergeType& whole = add();
  MergeType& deduced = add();
  whole = any_value(whole, whole, true);
  deduced = any_value(whole, deduced, false);
  whole_ = &whole;
  deduced_ = &deduced;
  root_ = &deduced;
  empty_ = json::object();
}

MergeType& MergeSchema::add() { return types_->emplace_back(); }

MergeSchema MergeSchema::deduced() { return {}; }

}  // namespace flyball::apiserver::merge
