#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/forms.hpp"
#include "flyball/apiserver/merge/operations.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

// What a value brings: whether its own path is a member, and what is below.
struct Part {
  bool self = false;
  FieldSet below = {};
};

Part part_of(View value, const MergeType& type);

Part items_part(View list, const MergeType& type) {
  Part part;
  const std::vector<Item> items = sorted_items_of(type, list);
  for (auto at = items.begin(); at != items.end();) {
    const auto next = std::find_if(at, items.end(), [&](const Item& item) { return item.element != at->element; });
    const bool once = next - at == 1;
    part.below.append(at->element, true, once ? part_of(at->value, *type.item).below : FieldSet());
    at = next;
  }
  return part;
}

Part members_part(View map, const MergeType& type) {
  std::vector<json::Entry> sorted;
  sorted.reserve(map.size());
  for (const json::Entry entry : map.entries()) sorted.push_back(entry);
  std::ranges::sort(sorted, {}, &json::Entry::key);
  Part part;
  for (const auto& [name, value] : sorted) {
    const MergeField* field = type.find_field(name);
    const MergeType* member = field != nullptr ? field->type : type.others;
    if (member == nullptr) continue;
    Part child = part_of(value, *member);
    const bool nothing = value.is_null() || (value.is_object() && value.empty());
    part.below.append(PathElement::field(name), child.self || nothing || field == nullptr, std::move(child.below));
  }
  return part;
}

Part part_of(View value, const MergeType& type) {
  const Forms forms = forms_of(type, value);
  if (forms.map) {
    if (type.map_atomic) return {.self = true};
    return value.is_object() ? members_part(value, type) : Part();
  }
  if (forms.scalar) return {.self = true};
  if (!forms.list) return {};
  if (type.list_atomic) return {.self = true};
  return value.is_array() ? items_part(value, type) : Part();
}

}  // namespace

FieldSet fields_of(View value, const MergeType& type) { return part_of(value, type).below; }

}  // namespace flyball::apiserver::merge
