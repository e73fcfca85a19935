#include "flyball/apiserver/schema/go_print.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

enum class Verb : char { value, string, syntax };

std::vector<json::Entry> sorted_entries(json::View object) {
  std::vector<json::Entry> entries;
  entries.reserve(object.size());
  for (const json::Entry entry : object.entries()) entries.push_back(entry);
  std::ranges::sort(entries, {}, &json::Entry::key);
  return entries;
}

std::string bare(json::View value) {
  switch (value.kind()) {
    case json::Kind::boolean: return value.as_bool() ? "true" : "false";
    case json::Kind::integer: return std::to_string(value.as_int());
    case json::Kind::number: return go_float(value.as_double());
    case json::Kind::string: return std::string(value.as_string());
    default: return "<nil>";
  }
}

std::string scalar(json::View value, Verb verb) {
  if (value.is_string()) {
    return verb == Verb::syntax ? kube::go::quote(value.as_string()) : std::string(value.as_string());
  }
  if (verb != Verb::string) return bare(value);
  if (value.is_null()) return "%!s(<nil>)";
  return "%!s(" + std::string(go_type(value)) + "=" + bare(value) + ")";
}

void print(json::View value, Verb verb, std::string& to) {
  const bool syntax = verb == Verb::syntax;
  const std::string_view between = syntax ? ", " : " ";
  if (value.is_object()) {
    to.append(syntax ? "map[string]interface {}{" : "map[");
    bool first = true;
    for (const auto& [key, member] : sorted_entries(value)) {
      if (!std::exchange(first, false)) to.append(between);
      to.append(syntax ? kube::go::quote(key) : std::string(key)).push_back(':');
      print(member, verb, to);
    }
    to.push_back(syntax ? '}' : ']');
  } else if (value.is_array()) {
    to.append(syntax ? "[]interface {}{" : "[");
    bool first = true;
    for (const json::View element : value.items()) {
      if (!std::exchange(first, false)) to.append(between);
      print(element, verb, to);
    }
    to.push_back(syntax ? '}' : ']');
  } else {
    to.append(scalar(value, verb));
  }
}

std::string printed(json::View value, Verb verb) {
  std::string text;
  print(value, verb, text);
  return text;
}

}  // namespace

std::string go_print(json::View value) { return printed(value, Verb::value); }
std::string go_print_string(json::View value) { return printed(value, Verb::string); }
std::string go_syntax(json::View value) { return value.is_null() ? "interface {}(nil)" : printed(value, Verb::syntax); }

std::string go_quote(std::string_view text) { return kube::go::quote(text); }
std::size_t go_character_size(std::string_view text) { return kube::go::character_size(text); }

std::string go_float(double value) {
  std::array<char, 400> text{};
  const double size = std::fabs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e6);
  const auto form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, form);
  return {text.data(), end.ptr};
}

std::string_view go_type(json::View value) {
  switch (value.kind()) {
    case json::Kind::boolean: return "bool";
    case json::Kind::integer: return "int64";
    case json::Kind::number: return "float64";
    case json::Kind::string: return "string";
    case json::Kind::array: return "[]interface {}";
    case json::Kind::object: return "map[string]interface {}";
    default: return "%!s(<nil>)";
  }
}

}  // namespace flyball::apiserver
