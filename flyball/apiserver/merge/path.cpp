#include "flyball/apiserver/merge/path.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver::merge {

namespace {

using json::Kind;
using json::View;

std::strong_ordering order_of(double a, double b) {
  if (a < b) return std::strong_ordering::less;
  return a > b ? std::strong_ordering::greater : std::strong_ordering::equal;
}

int rank(Kind kind) {
  switch (kind) {
    case Kind::integer:
    case Kind::number: return 0;
    case Kind::string: return 1;
    case Kind::boolean: return 2;
    case Kind::array: return 3;
    case Kind::object: return 4;
    case Kind::null:
    case Kind::absent: return 5;
  }
  return 5;
}

std::vector<json::Entry> sorted_entries(View object) {
  std::vector<json::Entry> entries;
  entries.reserve(object.size());
  for (const json::Entry entry : object.entries()) entries.push_back(entry);
  std::ranges::stable_sort(entries, {}, &json::Entry::key);
  return entries;
}

std::strong_ordering compare_lists(View a, View b) {
  const auto left = a.items();
  const auto right = b.items();
  auto i = left.begin();
  auto j = right.begin();
  for (; i != left.end() && j != right.end(); ++i, ++j) {
    if (const auto order = compare_values(*i, *j); order != 0) return order;
  }
  return left.size() <=> right.size();
}

// Member by member; of two that agree as far as they go, the shorter comes first.
std::strong_ordering compare_members(const auto& left, const auto& right) {
  auto i = left.begin();
  auto j = right.begin();
  for (; i != left.end() && j != right.end(); ++i, ++j) {
    const json::Entry a = *i;
    const json::Entry b = *j;
    if (const auto order = a.key <=> b.key; order != 0) return order;
    if (const auto order = compare_values(a.value, b.value); order != 0) return order;
  }
  return left.size() <=> right.size();
}

std::strong_ordering compare_objects(View a, View b) { return compare_members(sorted_entries(a), sorted_entries(b)); }

bool has_sorted_keys(View object) {
  const json::Entries entries = object.entries();
  return std::ranges::is_sorted(entries, {}, [](const json::Entry& entry) { return entry.key; });
}

// As Go prints a double with %v: with an exponent below 1e-4 and from a million on.
std::string number_text(double number) {
  constexpr int kSmallestPlain = -4;
  constexpr int kFirstWithExponent = 6;
  const int exponent = number == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(number))));
  const bool plain = exponent >= kSmallestPlain && exponent < kFirstWithExponent;
  char text[64];
  const auto form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {text, std::to_chars(text, text + sizeof text, number, form).ptr};
}

void append_value(View value, std::string& to) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null: to += "null"; return;
    case Kind::boolean: to += value.as_bool() ? "true" : "false"; return;
    case Kind::integer: to += std::to_string(value.as_int()); return;
    case Kind::number: to += number_text(value.as_double()); return;
    case Kind::string: to += kube::go::quote(value.as_string()); return;
    case Kind::array: {
      to += '[';
      bool first = true;
      for (const View item : value.items()) {
        if (!std::exchange(first, false)) to += ',';
        append_value(item, to);
      }
      to += ']';
      return;
    }
    case Kind::object:
      for (const auto& [key, member] : sorted_entries(value)) {
        to += key;
        to += '=';
        append_value(member, to);
      }
      return;
  }
}

}  // namespace

std::strong_ordering compare_values(View a, View b) {
  const int left = rank(a.kind());
  const int right = rank(b.kind());
  if (left != right) return left <=> right;
  switch (a.kind()) {
    case Kind::integer:
      if (b.kind() == Kind::integer) return a.as_int() <=> b.as_int();
      return order_of(a.as_double(), b.as_double());
    case Kind::number: return order_of(a.as_double(), b.as_double());
    case Kind::string: return a.as_string() <=> b.as_string();
    case Kind::boolean: return static_cast<int>(a.as_bool()) <=> static_cast<int>(b.as_bool());
    case Kind::array: return compare_lists(a, b);
    case Kind::object: return compare_objects(a, b);
    case Kind::null:
    case Kind::absent: break;
  }
  return std::strong_ordering::equal;
}

PathElement PathElement::field(std::string_view name) {
  PathElement element(Kind::field);
  element.name_ = name;
  return element;
}

PathElement PathElement::key(const json::Value& keys) {
  PathElement element(Kind::key);
  if (has_sorted_keys(keys)) {
    element.content_ = keys;
    return element;
  }
  json::Builder sorted;
  sorted.begin_object();
  for (const auto& [name, value] : sorted_entries(keys)) sorted.key(name).value(value);
  sorted.end();
  element.content_ = sorted.finish();
  return element;
}

PathElement PathElement::value(json::Value scalar) {
  PathElement element(Kind::value);
  element.content_ = std::move(scalar);
  return element;
}

PathElement PathElement::index(std::int64_t index) {
  PathElement element(Kind::index);
  element.content_ = json::Value(index);
  return element;
}

std::strong_ordering operator<=>(const PathElement& a, const PathElement& b) {
  if (a.kind_ != b.kind_) return a.kind_ <=> b.kind_;
  if (a.kind_ == PathElement::Kind::field) return a.name_ <=> b.name_;
  if (a.kind_ == PathElement::Kind::key) return compare_members(a.content_.entries(), b.content_.entries());
  return compare_values(a.content_, b.content_);
}

std::string to_string(const PathElement& element) {
  std::string text;
  switch (element.kind()) {
    case PathElement::Kind::field: return text.append(".").append(element.name());
    case PathElement::Kind::key: {
      text += '[';
      bool first = true;
      for (const auto [name, value] : element.content().entries()) {
        if (!std::exchange(first, false)) text += ',';
        text += name;
        text += '=';
        append_value(value, text);
      }
      break;
    }
    case PathElement::Kind::value:
      text += "[=";
      append_value(element.content(), text);
      break;
    case PathElement::Kind::index:
      text += '[';
      append_value(element.content(), text);
      break;
  }
  return text += ']';
}

std::string to_string(const Path& path) {
  std::string text;
  for (const PathElement& element : path) text += to_string(element);
  return text;
}

void append_text(const PathElement& element, std::string& to) {
  switch (element.kind()) {
    case PathElement::Kind::field: to.append("f:").append(element.name()); return;
    case PathElement::Kind::key: to += "k:"; break;
    case PathElement::Kind::value: to += "v:"; break;
    case PathElement::Kind::index: to += "i:"; break;
  }
  json::write(element.content(), to);
}

std::string to_text(const PathElement& element) {
  std::string text;
  append_text(element, text);
  return text;
}

namespace {

void put_with_doubles(View value, json::Builder& to) {
  if (value.is_int()) {
    to.number(value.as_double());
  } else if (value.is_array()) {
    to.begin_array();
    for (const View item : value.items()) put_with_doubles(item, to);
    to.end();
  } else if (value.is_object()) {
    to.begin_object();
    for (const auto [key, member] : value.entries()) put_with_doubles(member, to.key(key));
    to.end();
  } else {
    to.value(value);
  }
}

bool has_integers(View value) {
  if (value.is_array()) return std::ranges::any_of(value.items(), has_integers);
  if (!value.is_object()) return value.is_int();
  return std::ranges::any_of(value.entries(), [](const json::Entry& entry) { return has_integers(entry.value); });
}

json::Value read_json(std::string_view text) {
  try {
    json::Value value = json::parse(text, {.duplicates = json::Duplicates::last_wins});
    if (!has_integers(value)) return value;
    json::Builder doubles;
    put_with_doubles(value, doubles);
    return doubles.finish();
  } catch (const InputError& e) {
    throw FieldsError("parsing key as path element: " + std::string(e.what()));
  }
}

PathElement read_key(std::string_view text) {
  json::Value keys = read_json(text);
  if (keys.is_null()) keys = json::object();
  if (!keys.is_object())
    throw FieldsError("parsing key as path element: expected an object of keys: " + std::string(text));
  return PathElement::key(keys);
}

PathElement read_index(std::string_view text) {
  std::int64_t index = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (problem != std::errc() || end != text.data() + text.size()) {
    throw FieldsError("parsing key as path element: expected an index: " + std::string(text));
  }
  return PathElement::index(index);
}

}  // namespace

std::optional<PathElement> path_element_from(std::string_view text) {
  if (text.size() < 2) throw FieldsError("parsing key as path element: key must be 2 characters long:");
  if (text[1] != ':') throw FieldsError("parsing key as path element: missing colon: " + std::string(text));
  const std::string_view content = text.substr(2);
  switch (text[0]) {
    case 'f': return PathElement::field(content);
    case 'k': return read_key(content);
    case 'v': return PathElement::value(read_json(content));
    case 'i': return read_index(content);
    default: return std::nullopt;
  }
}

}  // namespace flyball::apiserver::merge
