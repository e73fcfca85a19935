#include "flyball/apiserver/merge/forms.hpp"

#include <algorithm>

#include "flyball/json/builder.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver::merge {

using json::Kind;
using json::View;

Forms forms_of(const MergeType& type, View value) {
  switch (value.kind()) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::number:
    case Kind::string:
      if (type.scalar != ScalarForm::none) return {.scalar = true};
      break;
    case Kind::array:
      if (type.list) return {.list = true};
      break;
    case Kind::object:
      if (type.map) return {.map = true};
      break;
    case Kind::null:
    case Kind::absent: break;
  }
  return {.map = type.map, .scalar = type.scalar != ScalarForm::none, .list = type.list};
}

namespace {

std::string quoted_words(const std::vector<std::string>& words) {
  std::string text = "[";
  for (const std::string& word : words) {
    if (text.size() > 1) text += ' ';
    text += kube::go::quote(word);
  }
  return text += ']';
}

// The value of a key, or its default; absent when there is neither: an item without the key is another item.
View key_of(const MergeType& list, const std::string& key, View item) {
  if (const View value = item[key]) return value;
  const MergeField* field = list.item->find_field(key);
  return field == nullptr || field->fallback.is_null() ? View() : View(field->fallback);
}

std::string keyed_problem(const MergeType& list, View item) {
  if (item.is_null()) return "associative list with keys may not have a null element";
  if (!item.is_object()) return "associative list with keys may not have non-map elements";
  if (std::ranges::any_of(list.keys, [&](const std::string& key) { return key_of(list, key, item).exists(); }))
    return {};
  return "associative list with keys has an element that omits all key fields " + quoted_words(list.keys) +
         " (and doesn't have default values for any key fields)";
}

std::string_view set_problem(View item) {
  switch (item.kind()) {
    case Kind::object: return "associative list without keys has an element that's a map type";
    case Kind::array: return "not supported: associative list with lists as elements";
    case Kind::null: return "associative list without keys has an element that's an explicit null";
    default: return {};
  }
}

}  // namespace

std::string item_problem(const MergeType& list, View item) {
  return list.keys.empty() ? std::string(set_problem(item)) : keyed_problem(list, item);
}

ItemElement item_element(const MergeType& list, View item) {
  if (std::string problem = item_problem(list, item); !problem.empty()) return {.problem = std::move(problem)};
  if (list.keys.empty()) return {.element = PathElement::value(json::Value(item))};
  json::Builder keys;
  keys.begin_object();
  for (const std::string& key : list.keys) {
    if (const View value = key_of(list, key, item)) keys.key(key).value(value);
  }
  keys.end();
  return {.element = PathElement::key(keys.finish())};
}

std::vector<Item> items_of(const MergeType& list, View value) {
  std::vector<Item> items;
  items.reserve(value.size());
  for (const View item : value.items()) {
    ItemElement found = item_element(list, item);
    if (found.element) items.push_back({*std::move(found.element), item});
  }
  return items;
}

std::vector<Item> sorted_items_of(const MergeType& list, View value) {
  std::vector<Item> items = items_of(list, value);
  const auto before = [](const Item& a, const Item& b) { return a.element < b.element; };
  if (!std::ranges::is_sorted(items, before)) std::ranges::stable_sort(items, before);
  return items;
}

Members::Members(View object) : object_(object), next_(object.entries().begin()) {
  constexpr std::size_t kFewMembers = 32;
  if (object.size() <= kFewMembers) return;
  sorted_.reserve(object.size());
  for (const json::Entry entry : object.entries()) sorted_.push_back(entry);
  std::ranges::sort(sorted_, {}, &json::Entry::key);
}

View Members::operator[](std::string_view name) const {
  if (next_ != object_.entries().end()) {
    if (const json::Entry entry = *next_; entry.key == name) {
      ++next_;
      return entry.value;
    }
  }
  if (sorted_.empty()) return object_[name];
  const auto at = std::ranges::lower_bound(sorted_, name, {}, &json::Entry::key);
  return at != sorted_.end() && at->key == name ? at->value : View();
}

}  // namespace flyball::apiserver::merge
