// The compile-time half of FLYBALL_DESCRIBE: collects fields and attributes and checks them. Private to the room.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "flyball/reflect/detail/mistakes.hpp"
#include "flyball/reflect/detail/pattern.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::reflect::detail {

// A trailing underscore is there for the compiler, a namespace for the program: neither is part of the name.
constexpr std::string_view field_name(std::string_view name) {
  if (const auto colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  if (name.size() > 1 && name.back() == '_') name.remove_suffix(1);
  return name;
}

// One entry of a description with its attributes.
template <std::size_t N, bool IsSelf = false>
struct Definition {
  static constexpr std::size_t kAttributes = N;
  static constexpr bool kSelf = IsSelf;
  Field field;
  std::array<Attribute, N> attributes;
};

template <class T>
inline constexpr std::size_t kCountOf = 1;
template <std::size_t N>
inline constexpr std::size_t kCountOf<AttributeList<N>> = N;

template <std::size_t N>
constexpr void add(std::array<Attribute, N>& to, std::size_t& at, const Attribute& attribute) {
  to[at++] = attribute;
}
template <std::size_t N, std::size_t M>
constexpr void add(std::array<Attribute, N>& to, std::size_t& at, const AttributeList<M>& list) {
  for (const auto& attribute : list.attributes) to[at++] = attribute;
}

template <class... Attributes>
constexpr auto collect(const Attributes&... attributes) {
  std::array<Attribute, (std::size_t{0} + ... + kCountOf<Attributes>)> all{};
  [[maybe_unused]] std::size_t at = 0;
  (..., add(all, at, attributes));
  return all;
}

// What a C++ type is to an attribute.
enum class Category : std::uint8_t { boolean, integer, real, string, list, map, structure, json, scalar, variant };

template <class T>
struct Categorize {
  static constexpr bool kOptional = false;
  using Element = void;
  using Inner = T;
  static constexpr Category category() {
    if constexpr (std::is_same_v<T, bool>)
      return Category::boolean;
    else if constexpr (std::is_integral_v<T>)
      return Category::integer;
    else if constexpr (std::is_floating_point_v<T>)
      return Category::real;
    else if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>)
      return Category::string;
    else if constexpr (std::is_same_v<T, json::Value>)
      return Category::json;
    else if constexpr (requires { Scalar<T>::kSchema; })
      return Category::scalar;
    else
      return Category::structure;
  }
};
template <class T>
  requires Wrapped<T>
struct Categorize<T> : Categorize<WrappedMember<T>> {};
template <class T>
struct Categorize<std::optional<T>> : Categorize<T> {
  static constexpr bool kOptional = true;
};
template <class T>
struct Categorize<Box<T>> {
  // T may be incomplete here, and only structs are boxed.
  static constexpr bool kOptional = true;
  using Element = void;
  using Inner = T;
  static constexpr Category category() { return Category::structure; }
};
template <class T>
struct Categorize<std::vector<T>> {
  static constexpr bool kOptional = false;
  using Element = T;
  using Inner = std::vector<T>;
  static constexpr Category category() { return Category::list; }
};
template <class T, class Compare>
struct Categorize<std::map<std::string, T, Compare>> {
  static constexpr bool kOptional = false;
  using Element = T;
  using Inner = void;
  static constexpr Category category() { return Category::map; }
};
template <class... Ts>
struct Categorize<std::variant<Ts...>> {
  static constexpr bool kOptional = false;
  using Element = void;
  using Inner = std::variant<Ts...>;
  static constexpr std::size_t kNames = (std::size_t{0} + ... + (std::is_same_v<Ts, std::monostate> ? 0 : 1));
  static constexpr Category category() { return Category::variant; }
};

constexpr const Attribute* find(std::span<const Attribute> all, AttributeKind kind, int level) {
  for (const auto& attribute : all) {
    if (attribute.kind == kind && attribute.level == level) return &attribute;
  }
  return nullptr;
}

constexpr bool is_whole(double number) {
  return number >= -9e15 && number <= 9e15 && static_cast<double>(static_cast<std::int64_t>(number)) == number;
}

constexpr void check_regular_expression(std::string_view pattern) {
  if (pattern.empty()) mistake::pattern_is_empty();
  switch (check_pattern(pattern)) {
    case PatternProblem::none: break;
    case PatternProblem::brackets: mistake::pattern_has_unbalanced_brackets(); break;
    case PatternProblem::nothing_to_repeat: mistake::pattern_repeats_nothing_or_too_often(); break;
    case PatternProblem::unknown_to_go: mistake::pattern_looks_around_or_back_which_kubernetes_does_not_know(); break;
  }
}

constexpr bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const auto word : words) {
    if (word == text) return true;
  }
  return false;
}

// NOLINTNEXTLINE(readability-function-size): one case per attribute
constexpr void check_one(const Attribute& attribute, Category category) {
  using K = AttributeKind;
  const bool number = category == Category::integer || category == Category::real;
  const bool string = category == Category::string || category == Category::scalar;
  switch (attribute.kind) {
    case K::multiple_of:
      if (attribute.number <= 0) mistake::multiple_of_must_be_greater_than_zero();
      [[fallthrough]];
    case K::minimum:
    case K::maximum:
    case K::exclusive_minimum:
    case K::exclusive_maximum:
      if (!number) mistake::minimum_and_its_kin_apply_to_numbers();
      if (category == Category::integer && !is_whole(attribute.number)) {
        mistake::a_bound_of_an_integer_must_be_a_whole_number();
      }
      break;
    case K::pattern:
      check_regular_expression(attribute.text);
      if (!string) mistake::min_length_and_its_kin_apply_to_strings();
      break;
    case K::min_length:
    case K::max_length:
      if (attribute.number < 0 || !is_whole(attribute.number))
        mistake::a_count_must_be_a_whole_number_of_zero_or_more();
      [[fallthrough]];
    case K::allowed:
      if (!string) mistake::min_length_and_its_kin_apply_to_strings();
      break;
    case K::min_items:
    case K::max_items:
      if (attribute.number < 0 || !is_whole(attribute.number))
        mistake::a_count_must_be_a_whole_number_of_zero_or_more();
      [[fallthrough]];
    case K::unique_items:
      if (category != Category::list) mistake::min_items_and_its_kin_apply_to_lists();
      break;
    case K::min_properties:
    case K::max_properties:
      if (attribute.number < 0 || !is_whole(attribute.number))
        mistake::a_count_must_be_a_whole_number_of_zero_or_more();
      if (category != Category::map && category != Category::structure) {
        mistake::min_properties_and_its_kin_apply_to_maps_and_structs();
      }
      break;
    case K::list_type:
      if (category != Category::list) mistake::min_items_and_its_kin_apply_to_lists();
      if (!is_one_of(attribute.text, {"atomic", "set", "map"})) mistake::list_type_must_be_atomic_set_or_map();
      break;
    case K::map_type:
      if (category != Category::map || !is_one_of(attribute.text, {"granular", "atomic"})) {
        mistake::map_type_applies_to_maps_and_must_be_granular_or_atomic();
      }
      break;
    case K::struct_type:
      if (category != Category::structure || !is_one_of(attribute.text, {"granular", "atomic"})) {
        mistake::struct_type_applies_to_structs_and_must_be_granular_or_atomic();
      }
      break;
    case K::rule:
      if (attribute.text.empty()) mistake::rule_is_empty();
      if (!is_one_of(attribute.options.reason,
                     {"", "FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"})) {
        mistake::rule_reason_is_not_one_of_the_four_kubernetes_knows();
      }
      break;
    case K::preserve_unknown:
      if (category != Category::structure && category != Category::map && category != Category::json) {
        mistake::preserve_unknown_applies_to_structs_maps_and_json();
      }
      break;
    case K::embedded_resource:
      if (category != Category::structure && category != Category::json) {
        mistake::embedded_resource_applies_to_structs_and_json();
      }
      break;
    case K::int_or_string:
      if (category != Category::json) mistake::int_or_string_applies_to_json();
      break;
    case K::inlined:
      if (category != Category::structure) mistake::inlined_applies_to_structs();
      break;
    case K::json_name:
      if (attribute.text.empty()) mistake::json_name_is_empty();
      break;
    default: break;
  }
}

constexpr void check_pairs(std::span<const Attribute> all, int level) {
  using K = AttributeKind;
  const auto ordered = [&](K low, K high) {
    const auto* a = find(all, low, level);
    const auto* b = find(all, high, level);
    return a == nullptr || b == nullptr || a->number <= b->number;
  };
  if (!ordered(K::minimum, K::maximum) || !ordered(K::exclusive_minimum, K::maximum) ||
      !ordered(K::minimum, K::exclusive_maximum)) {
    mistake::minimum_is_greater_than_maximum();
  }
  if (!ordered(K::min_length, K::max_length)) mistake::min_length_is_greater_than_max_length();
  if (!ordered(K::min_items, K::max_items)) mistake::min_items_is_greater_than_max_items();
  if (!ordered(K::min_properties, K::max_properties)) mistake::min_properties_is_greater_than_max_properties();
  const auto* list_type = find(all, K::list_type, level);
  const auto* key = find(all, K::list_map_key, level);
  const bool is_map = list_type != nullptr && list_type->text == "map";
  if (is_map && key == nullptr) mistake::list_type_map_needs_list_map_key();
  if (!is_map && key != nullptr) mistake::list_map_key_needs_list_type_map();
  for (const auto& one : all) {
    if (one.level != level || one.kind == K::rule || one.kind == K::exactly_one_of || one.kind == K::at_most_one_of ||
        one.kind == K::at_least_one_of) {
      continue;
    }
    if (find(all, one.kind, level) != &one) mistake::the_same_attribute_is_given_twice();
  }
}

template <class Element, class Owner>
constexpr void check_list_map_key(std::span<const Attribute> all, int level) {
  const auto* keys = find(all, AttributeKind::list_map_key, level);
  if (keys == nullptr) return;
  if constexpr (!requires { flyball_describe(Tag<Element>{}); }) {
    // The table of a built-in type is not here to look at: its keys are checked when the schema is made.
    constexpr bool kBuiltIn = std::is_aggregate_v<Element> && !HasScalar<Element> && !Wrapped<Element>;
    if (!kBuiltIn) mistake::list_map_key_applies_to_lists_of_structs();
  } else if constexpr (!std::is_same_v<Element, Owner>) {  // a list of the struct itself is not described yet
    for (std::size_t i = 0; i < keys->word_count; ++i) {
      bool known = false;
      for (const auto& field : kDescriptionOf<Element>.fields) known = known || field.name == keys->words[i];
      if (!known) mistake::list_map_key_is_not_a_field_of_the_element();
    }
  }
}

template <class T>
inline constexpr bool kIsVariant = false;
template <class... Ts>
inline constexpr bool kIsVariant<std::variant<Ts...>> = true;

// Only a field has the attribute that names a variant's alternatives, so a variant cannot be inside something else.
template <class T>
constexpr void check_variant_inside() {
  using Element = typename Categorize<T>::Element;
  if constexpr (Categorize<T>::kOptional) {
    if (kIsVariant<typename Categorize<T>::Inner>) mistake::a_variant_must_be_a_field_itself_with_monostate_for_none();
  }
  if constexpr (!std::is_void_v<Element>) {
    if (kIsVariant<Element>) mistake::a_variant_must_be_a_field_itself_with_monostate_for_none();
    check_variant_inside<Element>();
  }
}

// Checks the attributes of one level against the type of that level, then goes down to what is inside.
template <class Owner, class T>
constexpr void check_level(std::span<const Attribute> all, int level) {
  using C = Categorize<T>;
  bool deeper = false;
  for (const auto& attribute : all) {
    if (attribute.level == level) check_one(attribute, C::category());
    deeper = deeper || attribute.level > level;
  }
  check_pairs(all, level);
  check_list_map_key<typename C::Element, Owner>(all, level);
  if (!deeper) return;
  if constexpr (std::is_void_v<typename C::Element>) {
    mistake::items_applies_to_lists_and_maps();
  } else {
    check_level<Owner, typename C::Element>(all, level + 1);
  }
}

template <class T>
constexpr void check_field(std::span<const Attribute> all) {
  using K = AttributeKind;
  using C = Categorize<T>;
  const bool required = find(all, K::required, 0) != nullptr;
  if (required && find(all, K::optional, 0) != nullptr) mistake::a_field_cannot_be_both_required_and_optional();
  if (required && C::kOptional) mistake::an_optional_cannot_be_required();
  if (find(all, K::nullable, 0) != nullptr && !C::kOptional) mistake::nullable_applies_to_optional_and_box();
  for (const K kind : {K::exactly_one_of, K::at_most_one_of, K::at_least_one_of}) {
    if (find(all, kind, 0) != nullptr) mistake::one_of_belongs_to_self();
  }
  const auto* alternatives = find(all, K::alternatives, 0);
  if constexpr (C::category() == Category::variant) {
    if (alternatives == nullptr || alternatives->word_count != C::kNames) {
      mistake::alternatives_applies_to_variants_and_names_each_once();
    }
  } else if (alternatives != nullptr) {
    mistake::alternatives_applies_to_variants_and_names_each_once();
  }
}

template <class Owner, class T, class... Attributes>
constexpr auto field(std::string_view name, std::size_t offset, const Attributes&... attributes) {
  Definition<(std::size_t{0} + ... + kCountOf<Attributes>)> definition{};
  definition.attributes = collect(attributes...);
  const std::span<const Attribute> all = definition.attributes;
  check_variant_inside<T>();
  check_field<T>(all);
  check_level<Owner, T>(all, 0);
  Field& field = definition.field;
  const auto* renamed = find(all, AttributeKind::json_name, 0);
  field.name = renamed != nullptr ? renamed->text : field_name(name);
  field.offset = static_cast<std::uint32_t>(offset);
  field.type = &type_of<T>;
  field.required = find(all, AttributeKind::required, 0) != nullptr;
  field.optional = find(all, AttributeKind::optional, 0) != nullptr;
  field.inlined = find(all, AttributeKind::inlined, 0) != nullptr;
  return definition;
}

template <class Owner, class... Attributes>
constexpr auto self(const Attributes&... attributes) {
  Definition<(std::size_t{0} + ... + kCountOf<Attributes>), true> definition{};
  definition.attributes = collect(attributes...);
  const std::span<const Attribute> all = definition.attributes;
  for (const auto& attribute : all) check_one(attribute, Category::structure);
  check_pairs(all, 0);
  return definition;
}

// A type that is one of its members, with what is said of it wherever the type is used.
template <class T, class Member, Member T::* At, class... Attributes>
constexpr auto wrap(std::string_view name, const Attributes&... attributes) {
  using K = AttributeKind;
  using C = Categorize<Member>;
  Wrapping<T, Member, At, (std::size_t{0} + ... + kCountOf<Attributes>)> wrapping{name, collect(attributes...)};
  const std::span<const Attribute> all = wrapping.attributes;
  if (C::kOptional || C::category() == Category::structure || C::category() == Category::variant) {
    mistake::wrap_applies_to_scalars_lists_and_maps();
  }
  for (const auto& attribute : all) {
    const bool of_field = attribute.kind == K::json_name || attribute.kind == K::required ||
                          attribute.kind == K::optional || attribute.kind == K::inlined ||
                          attribute.kind == K::alternatives || attribute.kind == K::nullable ||
                          attribute.kind == K::default_value || attribute.kind == K::exactly_one_of ||
                          attribute.kind == K::at_most_one_of || attribute.kind == K::at_least_one_of;
    if (attribute.level == 0 && of_field) mistake::this_attribute_belongs_to_a_field_and_not_to_a_wrapped_type();
  }
  check_variant_inside<Member>();
  check_level<T, Member>(all, 0);
  return wrapping;
}

template <std::size_t N>
constexpr void check_names(const std::array<Field, N>& fields, std::span<const Attribute> own) {
  using K = AttributeKind;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (fields[i].name == fields[j].name) mistake::two_fields_have_the_same_name();
    }
  }
  for (const auto& attribute : own) {
    if (attribute.kind != K::exactly_one_of && attribute.kind != K::at_most_one_of &&
        attribute.kind != K::at_least_one_of) {
      continue;
    }
    if (attribute.word_count < 2) mistake::one_of_needs_at_least_two_names();
    for (std::size_t i = 0; i < attribute.word_count; ++i) {
      bool known = false;
      for (const auto& field : fields) known = known || field.name == attribute.words[i];
      if (!known) mistake::one_of_names_something_that_is_not_a_field();
    }
  }
}

template <class... Definitions>
constexpr auto describe(std::string_view name, const Definitions&... definitions) {
  constexpr std::size_t kFields = (std::size_t{0} + ... + (Definitions::kSelf ? 0 : 1));
  constexpr std::size_t kAll = (std::size_t{0} + ... + Definitions::kAttributes);
  constexpr std::size_t kOwn = (std::size_t{0} + ... + (Definitions::kSelf ? Definitions::kAttributes : 0));
  Description<kFields, kAll, kOwn> result{};
  result.name = name;
  [[maybe_unused]] std::size_t fields = 0;
  [[maybe_unused]] std::size_t at = 0;
  [[maybe_unused]] const auto add_field = [&](const auto& definition) {
    if constexpr (!std::remove_cvref_t<decltype(definition)>::kSelf) {
      Field& field = result.fields[fields++];
      field = definition.field;
      field.first_attribute = static_cast<std::uint16_t>(at);
      field.attribute_count = static_cast<std::uint16_t>(definition.attributes.size());
      for (const auto& attribute : definition.attributes) result.attributes[at++] = attribute;
    }
  };
  [[maybe_unused]] const auto add_self = [&](const auto& definition) {
    if constexpr (std::remove_cvref_t<decltype(definition)>::kSelf) {
      for (const auto& attribute : definition.attributes) result.attributes[at++] = attribute;
    }
  };
  (..., add_field(definitions));
  (..., add_self(definitions));
  check_names(result.fields, std::span<const Attribute>(result.attributes).last(kOwn));

  // The fields' indexes in the order of their names: an insertion sort is fine for what people write.
  for (std::size_t i = 0; i < kFields; ++i) {
    std::size_t j = i;
    for (; j != 0 && result.fields[i].name < result.fields[result.sorted[j - 1]].name; --j) {
      result.sorted[j] = result.sorted[j - 1];
    }
    result.sorted[j] = static_cast<std::uint16_t>(i);
  }
  return result;
}

template <std::size_t N>
struct EnumDescription {
  std::string_view name;
  std::array<EnumValue, N> values;
};

template <std::size_t N>
constexpr EnumDescription<N> describe_enum(std::string_view name, const std::array<EnumValue, N>& values) {
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (values[i].name == values[j].name) mistake::two_enum_values_have_the_same_name();
    }
  }
  return {field_name(name), values};
}

}  // namespace flyball::reflect::detail
