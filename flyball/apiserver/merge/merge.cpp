#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/forms.hpp"
#include "flyball/apiserver/merge/operations.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

// Finds items of a list by their step.
class ItemIndex {
 public:
  explicit ItemIndex(const std::vector<Item>& items) {
    sorted_.reserve(items.size());
    for (const Item& item : items) sorted_.push_back(&item);
    std::ranges::stable_sort(sorted_, [](const Item* a, const Item* b) { return a->element < b->element; });
  }

  bool has(const PathElement& element) const { return find(element) != sorted_.end(); }

  // Where in `items`, of which this is the index, the first such item stands.
  std::size_t position(const PathElement& element, const std::vector<Item>& items) const {
    return static_cast<std::size_t>(*find(element) - items.data());
  }

  // Absent when there is none; null when it stands twice: such items are not merged into.
  View operator[](const PathElement& element) const {
    const auto at = find(element);
    if (at == sorted_.end()) return {};
    const auto next = at + 1;
    if (next != sorted_.end() && (*next)->element == element) return kNull;
    return (*at)->value;
  }

 private:
  std::vector<const Item*>::const_iterator find(const PathElement& element) const {
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), element,
                                     [](const Item* item, const PathElement& e) { return item->element < e; });
    return at != sorted_.end() && (*at)->element == element ? at : sorted_.end();
  }

  inline static const json::Value kNull;
  std::vector<const Item*> sorted_;
};

void merge_value(View live, View applied, const MergeType& type, json::Builder& to);

// Two lists by keys, laid over each other. Live's order holds as far as the applied one does not contradict it: of the
// items that both have, the applied order wins; those that only live has keep their place among them.
class ListMerge {
 public:
  ListMerge(View live, View applied, const MergeType& type, json::Builder& to)
      : type_(*type.item),
        live_(items_of(type, live)),
        applied_(items_of(type, applied)),
        live_index_(live_),
        applied_index_(applied_),
        to_(to) {
    for (const Item& item : applied_) {
      if (live_index_.has(item.element)) shared_.push_back(&item.element);
    }
  }

  void run() {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < live_.size() || j < applied_.size()) {
      if (i < live_.size() && j < applied_.size()) {
        const PathElement& element = live_[i].element;
        if (element == applied_[j].element) {
          put_applied(j);
          ++next_shared_;
          ++i;
          ++j;
          continue;
        }
        // An item of both, but not the one whose turn it is.
        if (applied_index_.has(element) && next_shared_ < shared_.size() && *shared_[next_shared_] != element) {
          ++i;
          continue;
        }
      }
      if (i < live_.size()) {
        const Item& item = live_[i];
        if (!applied_index_.has(item.element)) {
          to_.value(item.value);
          ++i;
          continue;
        }
        if (is_put(item.element)) ++i;
      }
      if (j < applied_.size()) {
        put_applied(j);
        if (next_shared_ < shared_.size() && *shared_[next_shared_] == applied_[j].element) ++next_shared_;
        ++j;
      }
    }
  }

 private:
  void put_applied(std::size_t j) {
    const Item& item = applied_[j];
    merge_value(live_index_[item.element], item.value, type_, to_);
    put_ = std::max(put_, j + 1);
  }

  // The applied items are put in their order, so that the first `put_` of them are.
  bool is_put(const PathElement& element) const { return applied_index_.position(element, applied_) < put_; }

  const MergeType& type_;
  const std::vector<Item> live_;
  const std::vector<Item> applied_;
  const ItemIndex live_index_;
  const ItemIndex applied_index_;
  json::Builder& to_;
  std::vector<const PathElement*> shared_;  // the items of both, in the applied order
  std::size_t next_shared_ = 0;
  std::size_t put_ = 0;
};

void merge_maps(View live, View applied, const MergeType& type, json::Builder& to) {
  const Members live_members(live);
  const Members applied_members(applied);
  to.begin_object();
  for (const auto [name, value] : live.entries()) {
    const MergeType* member = member_type(type, name);
    if (member != nullptr) merge_value(value, applied_members[name], *member, to.key(name));
  }
  for (const auto [name, value] : applied.entries()) {
    const MergeType* member = member_type(type, name);
    if (member != nullptr && !live_members[name]) merge_value(View(), value, *member, to.key(name));
  }
  to.end();
}

void merge_value(View live, View applied, const MergeType& type, json::Builder& to) {
  if (!applied || !live) {
    to.value(applied ? applied : live);
    return;
  }
  const Forms forms = forms_of(type, applied);
  if (forms.map && !type.map_atomic) {
    const View live_map = live.is_object() ? live : View();
    const View applied_map = applied.is_object() ? applied : View();
    if (!live_map.empty() || !applied_map.empty()) return merge_maps(live_map, applied_map, type, to);
  } else if (!forms.map && !forms.scalar && forms.list && !type.list_atomic) {
    const View live_list = live.is_array() ? live : View();
    const View applied_list = applied.is_array() ? applied : View();
    if (!live_list.empty() || !applied_list.empty()) {
      to.begin_array();
      ListMerge(live_list, applied_list, type, to).run();
      to.end();
      return;
    }
  }
  to.value(applied);
}

}  // namespace

json::Value merge(View live, View applied, const MergeType& type) {
  json::Builder builder(live.encoded_size() + applied.encoded_size());
  merge_value(live, applied, type, builder);
  return builder.finish();
}

}  // namespace flyball::apiserver::merge
