#include "flyball/apiserver/detail/strategic_lists.hpp"

#include <algorithm>
#include <string>

#include "flyball/apiserver/schema/go_print.hpp"

namespace flyball::apiserver::detail {
namespace {

constexpr std::string_view kGoMap = "map[string]interface {}";
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

bool is_container(json::View value) { return value.is_object() || value.is_array(); }

bool is_deletion(json::View item) {
  const json::View directive = item[kPatchMarker];
  return directive.is_string() && directive.as_string() == "delete";
}

std::string printed(const List& items) {
  std::string text = "[";
  for (const json::View item : items) text.append(text.size() == 1 ? "" : " ").append(go_print(item));
  return text + "]";
}

std::size_t position(const List& in, json::View item, std::string_view merge_key, json::Kind kind) {
  const bool objects = kind == json::Kind::object;
  const json::View wanted = objects ? item[merge_key] : item;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (same(wanted, objects ? in[i][merge_key] : in[i])) return i;
  }
  return kNowhere;
}

void check_merge_keys(const List& items, std::string_view merge_key) {
  for (const json::View item : items) {
    if (!item.is_object()) fail_kind(kGoMap, item);
    if (!item.contains(merge_key)) fail_no_merge_key(item, merge_key);
  }
}

struct Ranked {
  json::View item;
  std::size_t rank = kNowhere;
};

// An item without a rank counts as smaller than every other, and every other as smaller than it. Upstream sorts by that
// too; what comes out depends on the algorithm, so the same one is used here.
void insertion_sort(std::vector<Ranked>& items) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    for (std::size_t j = i; j > 0; --j) {
      const bool known = items[j].rank != kNowhere && items[j - 1].rank != kNowhere;
      if (known && items[j].rank >= items[j - 1].rank) break;
      std::swap(items[j], items[j - 1]);
    }
  }
}

List sorted(const List& items, const List& order, std::string_view merge_key, json::Kind kind) {
  if (kind == json::Kind::object) {
    check_merge_keys(items, merge_key);
    check_merge_keys(order, merge_key);
  }
  std::vector<Ranked> kept;
  List deletions;
  for (const json::View item : items) {
    if (kind == json::Kind::object && is_deletion(item)) {
      deletions.push_back(item);
    } else {
      kept.push_back({.item = item, .rank = position(order, item, merge_key, kind)});
    }
  }
  if (std::ranges::any_of(kept, [](const Ranked& one) { return one.rank == kNowhere; })) {
    insertion_sort(kept);
  } else {
    std::ranges::stable_sort(kept, {}, &Ranked::rank);
  }
  List result;
  result.reserve(items.size());
  for (const Ranked& one : kept) result.push_back(one.item);
  result.insert(result.end(), deletions.begin(), deletions.end());
  return result;
}

}  // namespace

void fail(const std::string& message) { throw StrategicMergeError(500, message); }

void fail_kind(std::string_view expected, json::View found) {
  fail("expected a " + std::string(expected) + ", but received a " + std::string(go_type(found)));
}

void fail_no_merge_key(json::View item, std::string_view merge_key) {
  fail("map: " + go_print(item) + " does not contain declared merge key: " + std::string(merge_key));
}

void fail_element_order() { throw StrategicMergeError(400, "invalid patch format of setElementOrder list"); }

List list_of(json::View array) {
  List list;
  list.reserve(array.size());
  for (const json::View item : array.items()) list.push_back(item);
  return list;
}

bool same(json::View a, json::View b) {
  if (a.kind() != b.kind()) return false;
  if (is_container(a)) fail("runtime error: comparing uncomparable type " + std::string(go_type(a)));
  return a == b;
}

json::Kind element_kind(const List& first, const List& second) {
  json::Kind kind = json::Kind::absent;
  for (const List* list : {&first, &second}) {
    for (const json::View item : *list) {
      if (kind == json::Kind::absent) {
        kind = item.kind();
        if (kind == json::Kind::array) throw StrategicMergeError(422, "lists of lists are not supported");
        if (kind == json::Kind::null) fail("runtime error: invalid memory address or nil pointer dereference");
      } else if (kind != item.kind()) {
        fail("list element types are not identical: [" + printed(first) + " " + printed(second) + "]");
      }
    }
  }
  if (kind == json::Kind::absent) fail("no elements in any of the given slices");
  return kind;
}

std::size_t find_item(const List& items, std::size_t count, std::string_view merge_key, json::View value) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!items[i].is_object()) fail("value for key " + std::to_string(i) + " is not a map");
    const json::View key = items[i][merge_key];
    if (key.exists() && same(key, value)) return i;
  }
  return items.size();
}

std::pair<List, List> partition(const List& items, const List& by, std::string_view merge_key) {
  std::pair<List, List> parts;
  if (!merge_key.empty()) {
    for (const json::View item : items) {
      if (!item.is_object()) fail_kind(kGoMap, item);
      const json::View key = item[merge_key];
      if (!key.exists()) fail_no_merge_key(item, merge_key);
      const bool found = find_item(by, by.size(), merge_key, key) < by.size();
      (found ? parts.first : parts.second).push_back(item);
    }
    return parts;
  }
  for (const List* list : {&by, &items}) {
    for (const json::View item : *list) {
      if (is_container(item)) fail("runtime error: hash of unhashable type " + std::string(go_type(item)));
    }
  }
  for (const json::View item : items) {
    const bool found = std::ranges::any_of(by, [&](json::View other) { return same(item, other); });
    (found ? parts.first : parts.second).push_back(item);
  }
  return parts;
}

List in_order(List patch, List server_only, const List& patch_order, const List& server_order,
              std::string_view merge_key, json::Kind kind) {
  patch = sorted(patch, patch_order, merge_key, kind);
  server_only = sorted(server_only, server_order, merge_key, kind);
  List all;
  all.reserve(patch.size() + server_only.size());
  auto ours = patch.begin();
  for (const json::View item : server_only) {
    const std::size_t place = position(server_order, item, merge_key, kind);
    for (; ours != patch.end(); ++ours) {
      const std::size_t other = position(server_order, *ours, merge_key, kind);
      if (place != kNowhere && other != kNowhere && place < other) break;
      all.push_back(*ours);
    }
    all.push_back(item);
  }
  all.insert(all.end(), ours, patch.end());
  return all;
}

void check_order(const List& patch, const List& order, std::string_view merge_key) {
  if (order.empty() || patch.empty()) return;
  List kept;
  for (const json::View item : patch) {
    if (!merge_key.empty() && !item.is_object()) fail_kind(kGoMap, item);
    if (merge_key.empty() || !is_deletion(item)) kept.push_back(item);
  }
  std::size_t next = 0;
  std::size_t at = 0;
  while (next < kept.size() && at < order.size()) {
    if (kept[next].contains(kPatchMarker)) {
      ++next;
      continue;
    }
    bool equal = false;
    if (merge_key.empty()) {
      equal = same(kept[next], order[at]);
    } else {
      if (!order[at].is_object()) fail_kind(kGoMap, order[at]);
      for (const json::View item : {kept[next], order[at]}) {
        if (!item.contains(merge_key)) fail_no_merge_key(item, merge_key);
      }
      equal = same(kept[next][merge_key], order[at][merge_key]);
    }
    if (equal) ++next;
    ++at;
  }
  if (next < kept.size() && at >= order.size()) {
    fail("The order in patch list:\n" + printed(patch) + "\n doesn't match $setElementOrder list:\n" + printed(order) +
         "\n");
  }
}

}  // namespace flyball::apiserver::detail
