#include "flyball/apiserver/strategic_merge.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flyball/apiserver/detail/strategic_lists.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver {
namespace {

using detail::fail;
using detail::fail_kind;
using detail::fail_no_merge_key;
using detail::kPatchMarker;
using detail::List;
using reflect::Shape;
using reflect::Type;

constexpr std::string_view kGoList = "[]interface {}";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kDeleteFromList = "$deleteFromPrimitiveList";
constexpr std::string_view kElementOrder = "$setElementOrder";

// What the table says of a member: its type (of a list: that of its elements) and how it is merged.
struct Rule {
  const Type* type = nullptr;
  bool merge = false;
  bool replace = false;
  std::string_view merge_key = {};
};

const Type& without_pointer(const Type& type) { return type.shape == Shape::optional ? type.element() : type; }

std::string_view go_kind(const Type& type) {
  switch (type.shape) {
    case Shape::boolean: return "bool";
    case Shape::int32: return "int32";
    case Shape::int64: return "int64";
    case Shape::uint32: return "uint32";
    case Shape::uint64: return "uint64";
    case Shape::float32: return "float32";
    case Shape::float64: return "float64";
    case Shape::string:
    case Shape::enumeration: return "string";
    case Shape::list: return "slice";
    case Shape::map: return "map";
    case Shape::optional: return "ptr";
    default: return "struct";
  }
}

bool equal_fold(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

const reflect::Field* find_field(const Type& type, std::string_view name, bool exact) {
  for (const reflect::Field& field : type.fields) {
    if (field.inlined) {
      if (const reflect::Field* inner = find_field(without_pointer(field.type()), name, exact)) return inner;
    } else if (exact ? field.name == name : equal_fold(field.name, name)) {
      return &field;
    }
  }
  return nullptr;
}

Rule member_rule(const Type& owner, std::string_view name) {
  const Type& type = without_pointer(owner);
  if (type.shape != Shape::structure) {
    fail("merging an object in json but data type is not struct, instead is: " + std::string(go_kind(type)));
  }
  if (type.kind != nullptr && (name == "apiVersion" || name == "kind"))
    return {.type = &reflect::type_of<std::string>()};
  const reflect::Field* field = find_field(type, name, true);
  if (field == nullptr) field = find_field(type, name, false);
  if (field == nullptr) {
    fail("unable to find api field in struct " + std::string(type.name) + " for the json field " + go_quote(name));
  }
  Rule rule{.type = &field->type()};
  if (field->facts != nullptr) {
    rule.merge = field->facts->patch_merge;
    rule.replace = field->facts->patch_replace;
    rule.merge_key = field->facts->merge_key;
  }
  return rule;
}

Rule list_rule(const Type& owner, std::string_view name) {
  Rule rule = member_rule(owner, name);
  const Type& type = without_pointer(*rule.type);
  if (type.shape == Shape::list) {
    rule.type = &type.element();
    if (rule.type->shape == Shape::list) fail("unexpected slice of slice");
  } else if (rule.type->shape != Shape::optional) {
    fail("expected slice or array type, but got: " + std::string(go_kind(owner)));
  }
  return rule;
}

// The members of an object while it is merged.
class Members {
 public:
  explicit Members(json::View object) {
    for (const json::Entry entry : object.entries()) {
      places_.emplace(entry.key, entries_.size());
      entries_.push_back(entry);
    }
  }

  json::View find(std::string_view key) const {
    const auto place = places_.find(key);
    return place == places_.end() ? json::View() : entries_[place->second].value;
  }

  void set(std::string_view key, json::View value) {
    const auto [place, added] = places_.emplace(key, entries_.size());
    if (added) {
      entries_.push_back({.key = key, .value = value});
    } else {
      entries_[place->second].value = value;
    }
  }

  void erase(std::string_view key) {
    if (places_.contains(key)) set(key, {});
  }

  // With what was erased, whose value is absent.
  const std::vector<json::Entry>& entries() const { return entries_; }

  json::Value build() const {
    json::Builder builder;
    builder.begin_object();
    for (const auto& [key, value] : entries_) {
      if (value.exists()) builder.key(key).value(value);
    }
    return builder.end().finish();
  }

 private:
  std::vector<json::Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

class Merger {
 public:
  json::View merge(json::View original, json::View patch, const Type& type) {
    if (const json::View directive = patch[kPatchMarker]; directive.exists()) return directed(directive, patch);
    Members result(original);
    Members changes(patch);
    retain_keys(result, changes);
    merge_ordered_lists(result, changes, type);
    for (const auto& [key, value] : changes.entries()) {
      if (value.exists()) merge_member(result, key, value, type);
    }
    return keep(result.build());
  }

 private:
  // Views live as long as this.
  json::View keep(json::Value value) { return made_.emplace_back(std::move(value)); }

  json::View keep(const List& items) {
    json::Builder builder;
    builder.begin_array();
    for (const json::View item : items) builder.value(item);
    return keep(builder.end().finish());
  }

  json::View directed(json::View directive, json::View patch) {
    const std::string_view word = directive.string_or("");
    if (word == "delete") return keep(json::object());
    if (word != "replace") fail("unknown patch type: " + go_print_string(directive) + " in map: " + go_print(patch));
    Members rest(patch);
    rest.erase(kPatchMarker);
    return keep(rest.build());
  }

  static void retain_keys(Members& result, Members& changes) {
    const json::View keys = changes.find(kRetainKeys);
    if (!keys.exists()) return;
    changes.erase(kRetainKeys);
    const auto wrong = [] { throw StrategicMergeError(400, "invalid patch format of retainKeys"); };
    if (!keys.is_array()) wrong();
    std::unordered_set<std::string_view> retained;
    for (const json::View key : keys.items()) {
      if (key.is_object() || key.is_array()) {
        fail("runtime error: hash of unhashable type " + std::string(go_type(key)));
      }
      if (key.is_string()) retained.insert(key.as_string());
    }
    for (const auto& [key, value] : changes.entries()) {
      const bool directive = key.starts_with(kDeleteFromList) || key.starts_with(kElementOrder);
      if (value.exists() && !value.is_null() && !directive && !retained.contains(key)) wrong();
    }
    const std::vector<json::Entry> before = result.entries();
    for (const auto& [key, value] : before) {
      if (!retained.contains(key)) result.erase(key);
    }
  }

  static std::string_view behind_prefix(std::string_view key, std::string_view prefix, std::string_view complaint) {
    const std::size_t slash = key.find('/');
    if (slash != prefix.size()) throw StrategicMergeError(400, std::string(complaint));
    return key.substr(slash + 1);
  }

  void merge_ordered_lists(Members& result, Members& changes, const Type& type) {
    const std::vector<json::Entry> before = changes.entries();
    for (const auto& [key, order] : before) {
      if (!order.exists() || !key.starts_with(kElementOrder)) continue;
      changes.erase(key);
      if (!order.is_array()) fail_kind(kGoList, order);
      merge_ordered_list(result, changes, type, detail::list_of(order),
                         behind_prefix(key, kElementOrder, "invalid patch format of setElementOrder list"));
    }
  }

  void merge_ordered_list(Members& result, Members& changes, const Type& type, const List& order,
                          std::string_view key) {
    const json::View original = result.find(key);
    const json::View patch = changes.find(key);
    for (const json::View list : {original, patch}) {
      if (list.exists() && !list.is_array()) fail_kind(kGoList, list);
    }
    const Rule rule = list_rule(type, key);
    List theirs = detail::list_of(original);
    const List ours = detail::list_of(patch);
    detail::check_order(ours, order, rule.merge_key);
    List merged = theirs;
    if (!original.exists() && !patch.exists()) return;
    if (!original.exists()) {
      merged = detail::list_of(cleaned(patch, false));
    } else if (patch.exists()) {
      merged = rule.merge ? merge_lists(theirs, ours, rule, false) : ours;
    }
    auto [in_patch, server_only] = detail::partition(merged, order, rule.merge_key);
    const json::Kind kind = detail::element_kind(theirs, ours);
    result.set(key, keep(detail::in_order(in_patch, server_only, order, theirs, rule.merge_key, kind)));
    changes.erase(key);
  }

  void merge_member(Members& result, std::string_view key, json::View value, const Type& type) {
    const bool deletes = key.starts_with(kDeleteFromList);
    if (deletes) {
      const auto list = behind_prefix(key, kDeleteFromList, "invalid patch format of primitive list");
      if (!list.empty()) key = list;
    }
    if (value.is_null()) return result.erase(key);
    const json::View original = result.find(key);
    if (original.kind() != value.kind()) {
      if (!deletes) result.set(key, cleaned(value, true));
    } else if (value.is_object()) {
      const Rule rule = member_rule(type, key);
      result.set(key, rule.replace ? value : merge(original, value, *rule.type));
    } else if (value.is_array()) {
      const Rule rule = list_rule(type, key);
      if (!rule.merge && !deletes) return result.set(key, value);
      List theirs = detail::list_of(original);
      result.set(key, keep(merge_lists(theirs, detail::list_of(value), rule, deletes)));
    } else {
      result.set(key, value);
    }
  }

  // A value that is new: without the parts that only direct, and, when asked, without nulls. Absent when the whole
  // value only directs.
  json::View cleaned(json::View value, bool drop_nulls) {
    if (value.is_object()) {
      const json::View directive = value[kPatchMarker];
      if (directive.exists() && !(drop_nulls && directive.is_null())) return {};
      Members members(value);
      for (const json::Entry entry : value.entries()) {
        const bool dropped = drop_nulls && entry.value.is_null();
        members.set(entry.key, dropped ? json::View() : cleaned(entry.value, drop_nulls));
      }
      return keep(members.build());
    }
    if (!value.is_array()) return value;
    List items;
    for (const json::View item : value.items()) {
      if (const json::View clean = cleaned(item, drop_nulls); clean.exists()) items.push_back(clean);
    }
    return keep(items);
  }

  // Upstream edits `original` in place, and what is left in it later decides on the order: so is it here.
  List merge_lists(List& original, const List& patch, const Rule& rule, bool deletes) {
    if (original.empty() && patch.empty()) return original;
    const json::Kind kind = detail::element_kind(original, patch);
    if (kind != json::Kind::object) {
      if (deletes) return without(original, patch);
      return placed(merge_scalars(original, patch), original, patch, rule, kind);
    }
    if (rule.merge_key.empty()) {
      fail("cannot merge lists without merge key for " + std::string(go_kind(*rule.type)));
    }
    std::size_t count = original.size();
    bool replace = false;
    const List items = direct_items(original, count, patch, rule.merge_key, replace);
    if (replace) return placed(items, items, {}, rule, kind);
    const List server_order(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(count));
    return placed(merge_items(original, count, items, rule), server_order, items, rule, kind);
  }

  static List placed(const List& merged, const List& server_order, const List& patch, const Rule& rule,
                     json::Kind kind) {
    auto [in_patch, server_only] = detail::partition(merged, patch, rule.merge_key);
    return detail::in_order(in_patch, server_only, patch, server_order, rule.merge_key, kind);
  }

  static List without(const List& items, const List& deleted) {
    List kept;
    for (const json::View item : items) {
      if (std::ranges::none_of(deleted, [&](json::View other) { return detail::same(item, other); })) {
        kept.push_back(item);
      }
    }
    return kept;
  }

  static List merge_scalars(const List& original, const List& patch) {
    List both = original;
    both.insert(both.end(), patch.begin(), patch.end());
    for (std::size_t i = 0; i < both.size(); ++i) {
      for (std::size_t j = i + 1; j < both.size();) {
        if (!detail::same(both[i], both[j])) {
          ++j;
          continue;
        }
        both[j] = both.back();
        both.pop_back();
      }
    }
    return both;
  }

  // Does what items of the patch direct, to the first `count` of the original; gives back the other items.
  static List direct_items(List& original, std::size_t& count, const List& patch, std::string_view merge_key,
                           bool& replace) {
    List items;
    for (const json::View item : patch) {
      const json::View directive = item[kPatchMarker];
      if (!directive.exists()) {
        items.push_back(item);
        continue;
      }
      const std::string_view word = directive.string_or("");
      if (word == "delete") {
        const json::View value = item[merge_key];
        if (!value.exists()) fail_no_merge_key(item, merge_key);
        delete_items(original, count, merge_key, value);
      } else if (word == "replace") {
        replace = true;
      } else if (word == "merge") {
        fail("merging lists cannot yet be specified in the patch");
      } else {
        fail("unknown patch type: " + go_print_string(directive) + " in map: " + go_print(item));
      }
    }
    return items;
  }

  static void delete_items(List& original, std::size_t& count, std::string_view merge_key, json::View value) {
    for (;;) {
      const std::size_t at = detail::find_item(original, count, merge_key, value);
      if (at >= count) return;
      const auto place = original.begin() + static_cast<std::ptrdiff_t>(at);
      std::copy(place + 1, original.begin() + static_cast<std::ptrdiff_t>(count), place);
      --count;
    }
  }

  List merge_items(List& original, std::size_t count, const List& items, const Rule& rule) {
    const std::size_t shown = original.size();
    for (const json::View item : items) {
      const json::View value = item[rule.merge_key];
      if (!value.exists()) fail_no_merge_key(item, rule.merge_key);
      const std::size_t at = detail::find_item(original, count, rule.merge_key, value);
      if (at < count) {
        original[at] = merge(original[at], item, *rule.type);
      } else if (count < original.size()) {
        original[count++] = item;
      } else {
        original.push_back(item);
        ++count;
      }
    }
    const List merged(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(count));
    original.resize(shown);
    return merged;
  }

  std::deque<json::Value> made_;
};

}  // namespace

json::Value strategic_merge(json::View original, json::View patch, const Type& type) {
  for (const json::View document : {original, patch}) {
    if (!document.is_object() && !document.is_null()) throw StrategicMergeError(400, "invalid JSON document");
  }
  Merger merger;
  return json::Value(merger.merge(original, patch, type));
}

}  // namespace flyball::apiserver
