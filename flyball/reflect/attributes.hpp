// The attributes of FLYBALL_DESCRIBE: what a schema says about a field beyond its type.
//
//   (size,  "How many.",  minimum(1), maximum(10))
//   (hosts, "Who.",       min_items(1), list_type("set"), items(min_length(1)))
//   (mode,  "How.",       rule("self != 'off' || oldSelf == 'off'", {.message = "cannot be switched off"}))
//
// An attribute that does not fit its field's type, contradicts another or cannot be right is a compile error whose
// text is the name of a function in `flyball::reflect::mistake`.
//
// docs/describe.md shows every attribute beside the schema it yields.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flyball::reflect {

enum class AttributeKind : std::uint8_t {
  description,
  json_name,
  required,
  optional,
  inlined,
  alternatives,
  nullable,
  default_value,
  minimum,
  maximum,
  exclusive_minimum,
  exclusive_maximum,
  multiple_of,
  min_length,
  max_length,
  pattern,
  format,
  allowed,
  min_items,
  max_items,
  unique_items,
  min_properties,
  max_properties,
  title,
  example,
  external_docs,
  rule,
  immutable,
  exactly_one_of,
  at_most_one_of,
  at_least_one_of,
  list_type,
  list_map_key,
  map_type,
  struct_type,
  preserve_unknown,
  embedded_resource,
  int_or_string,
  schemaless,
};

// What a CEL rule may carry besides its expression.
struct RuleOptions {
  std::string_view message = {};
  std::string_view message_expression = {};
  // FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.
  std::string_view reason = {};
  // Relative to the field: ".spec.name".
  std::string_view field_path = {};
  bool optional_old_self = false;
};

inline constexpr std::size_t kMaxWords = 16;

// One attribute. Which members mean something depends on the kind.
struct Attribute {
  AttributeKind kind = AttributeKind::description;
  // How many levels of items (or map values) below the field it speaks of.
  std::uint8_t level = 0;
  bool flag = false;
  std::uint8_t word_count = 0;
  double number = 0;
  std::string_view text = {};
  RuleOptions options = {};
  std::array<std::string_view, kMaxWords> words = {};

  constexpr Attribute() = default;
  constexpr explicit Attribute(AttributeKind of) : kind(of) {}
  constexpr Attribute(AttributeKind of, double value) : kind(of), number(value) {}
  constexpr Attribute(AttributeKind of, std::string_view value) : kind(of), text(value) {}
  // A plain string in a description is the field's documentation.
  constexpr Attribute(const char* documentation) : text(documentation) {}
};

// Several attributes as one argument: what items(...) gives.
template <std::size_t N>
struct AttributeList {
  std::array<Attribute, N> attributes;
};

namespace mistake {
// Never defined: calling one in a constant expression stops the compiler with its name.
void more_than_16_words_in_one_attribute();
}  // namespace mistake

// The names a description may use. Each is a plain function, so that a description is ordinary C++.
// NOLINTBEGIN(readability-identifier-naming): the attributes without arguments read like those with
namespace attributes {

using Kind = AttributeKind;

template <class... Words>
constexpr Attribute with_words(Kind kind, Words... words) {
  Attribute attribute(kind);
  if constexpr (sizeof...(Words) > kMaxWords) mistake::more_than_16_words_in_one_attribute();
  (..., (attribute.words[attribute.word_count++] = std::string_view(words)));
  return attribute;
}

// Names and presence.
constexpr Attribute json_name(std::string_view name) { return {Kind::json_name, name}; }
inline constexpr Attribute required{Kind::required};
inline constexpr Attribute optional{Kind::optional};
inline constexpr Attribute nullable{Kind::nullable};
// The members of the sub-object stand in this object itself.
inline constexpr Attribute inlined{Kind::inlined};
// For a std::variant: the member that holds each alternative, in their order; std::monostate takes none.
template <class... Words>
constexpr Attribute alternatives(Words... words) {
  return with_words(Kind::alternatives, words...);
}
// The default as JSON text; a member initialiser that is not zero is a default by itself.
constexpr Attribute default_json(std::string_view json) { return {Kind::default_value, json}; }

// Numbers.
constexpr Attribute minimum(double bound) { return {Kind::minimum, bound}; }
constexpr Attribute maximum(double bound) { return {Kind::maximum, bound}; }
constexpr Attribute exclusive_minimum(double bound) { return {Kind::exclusive_minimum, bound}; }
constexpr Attribute exclusive_maximum(double bound) { return {Kind::exclusive_maximum, bound}; }
constexpr Attribute multiple_of(double factor) { return {Kind::multiple_of, factor}; }

// Strings.
constexpr Attribute min_length(double count) { return {Kind::min_length, count}; }
constexpr Attribute max_length(double count) { return {Kind::max_length, count}; }
constexpr Attribute pattern(std::string_view expression) { return {Kind::pattern, expression}; }
constexpr Attribute format(std::string_view name) { return {Kind::format, name}; }
template <class... Words>
constexpr Attribute allowed(Words... words) {
  return with_words(Kind::allowed, words...);
}

// Lists and maps.
constexpr Attribute min_items(double count) { return {Kind::min_items, count}; }
constexpr Attribute max_items(double count) { return {Kind::max_items, count}; }
// The same as list_type("set"): Kubernetes does not take OpenAPI's uniqueItems.
inline constexpr Attribute unique_items{Kind::unique_items};
constexpr Attribute min_properties(double count) { return {Kind::min_properties, count}; }
constexpr Attribute max_properties(double count) { return {Kind::max_properties, count}; }
// How server-side apply merges: "atomic", "set" or "map"; "granular" or "atomic".
constexpr Attribute list_type(std::string_view type) { return {Kind::list_type, type}; }
template <class... Words>
constexpr Attribute list_map_key(Words... words) {
  return with_words(Kind::list_map_key, words...);
}
constexpr Attribute map_type(std::string_view type) { return {Kind::map_type, type}; }
constexpr Attribute struct_type(std::string_view type) { return {Kind::struct_type, type}; }

// Documentation.
constexpr Attribute title(std::string_view text) { return {Kind::title, text}; }
constexpr Attribute example(std::string_view json) { return {Kind::example, json}; }
constexpr Attribute external_docs(std::string_view url) { return {Kind::external_docs, url}; }

// Rules in CEL, and the ones so common that they have a name.
constexpr Attribute rule(std::string_view expression, RuleOptions options = {}) {
  Attribute attribute(Kind::rule, expression);
  attribute.options = options;
  return attribute;
}
inline constexpr Attribute immutable{Kind::immutable};
template <class... Words>
constexpr Attribute exactly_one_of(Words... words) {
  return with_words(Kind::exactly_one_of, words...);
}
template <class... Words>
constexpr Attribute at_most_one_of(Words... words) {
  return with_words(Kind::at_most_one_of, words...);
}
template <class... Words>
constexpr Attribute at_least_one_of(Words... words) {
  return with_words(Kind::at_least_one_of, words...);
}

// Openness.
inline constexpr Attribute preserve_unknown{Kind::preserve_unknown};
inline constexpr Attribute embedded_resource{Kind::embedded_resource};
// For a json::Value that is an integer or a string; kube::IntOrString says so by itself.
inline constexpr Attribute int_or_string{Kind::int_or_string};
inline constexpr Attribute schemaless{Kind::schemaless};

// What is said of a list's elements or a map's values: items(min_length(1)), items(items(maximum(9))).
constexpr AttributeList<1> lowered(Attribute attribute) {
  ++attribute.level;
  return {{attribute}};
}
template <std::size_t N>
constexpr AttributeList<N> lowered(AttributeList<N> list) {
  for (auto& attribute : list.attributes) ++attribute.level;
  return list;
}
template <class... Attributes>
constexpr auto items(Attributes... attributes) {
  constexpr std::size_t kCount = (0 + ... + sizeof(decltype(lowered(attributes)))) / sizeof(Attribute);
  AttributeList<kCount> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& list) {
    for (const auto& attribute : list.attributes) all.attributes[at++] = attribute;
  };
  (..., append(lowered(attributes)));
  return all;
}

}  // namespace attributes
// NOLINTEND(readability-identifier-naming)
}  // namespace flyball::reflect
