// The preprocessor half of FLYBALL_DESCRIBE. Private to the room.
//
// FLYBALL_DETAIL_FOR_EACH(M, T, (a), (b)) is M(T, (a)), M(T, (b)): up to 256 entries by re-scanning.
#pragma once

#define FLYBALL_DETAIL_PARENS ()
#define FLYBALL_DETAIL_EXPAND(...) \
  FLYBALL_DETAIL_EXPAND4(FLYBALL_DETAIL_EXPAND4(FLYBALL_DETAIL_EXPAND4(FLYBALL_DETAIL_EXPAND4(__VA_ARGS__))))
#define FLYBALL_DETAIL_EXPAND4(...) \
  FLYBALL_DETAIL_EXPAND3(FLYBALL_DETAIL_EXPAND3(FLYBALL_DETAIL_EXPAND3(FLYBALL_DETAIL_EXPAND3(__VA_ARGS__))))
#define FLYBALL_DETAIL_EXPAND3(...) \
  FLYBALL_DETAIL_EXPAND2(FLYBALL_DETAIL_EXPAND2(FLYBALL_DETAIL_EXPAND2(FLYBALL_DETAIL_EXPAND2(__VA_ARGS__))))
#define FLYBALL_DETAIL_EXPAND2(...) \
  FLYBALL_DETAIL_EXPAND1(FLYBALL_DETAIL_EXPAND1(FLYBALL_DETAIL_EXPAND1(FLYBALL_DETAIL_EXPAND1(__VA_ARGS__))))
#define FLYBALL_DETAIL_EXPAND1(...) __VA_ARGS__

#define FLYBALL_DETAIL_FOR_EACH(MACRO, TYPE, ...) \
  __VA_OPT__(FLYBALL_DETAIL_EXPAND(FLYBALL_DETAIL_FOR_EACH_STEP(MACRO, TYPE, __VA_ARGS__)))
#define FLYBALL_DETAIL_FOR_EACH_STEP(MACRO, TYPE, FIRST, ...) \
  MACRO(TYPE, FIRST)                                          \
  __VA_OPT__(, FLYBALL_DETAIL_FOR_EACH_AGAIN FLYBALL_DETAIL_PARENS(MACRO, TYPE, __VA_ARGS__))
#define FLYBALL_DETAIL_FOR_EACH_AGAIN() FLYBALL_DETAIL_FOR_EACH_STEP

#define FLYBALL_DETAIL_UNWRAP(...) __VA_ARGS__
#define FLYBALL_DETAIL_SECOND(...) FLYBALL_DETAIL_SECOND_OF(__VA_ARGS__)
#define FLYBALL_DETAIL_SECOND_OF(FIRST, SECOND, ...) SECOND
#define FLYBALL_DETAIL_JOIN(A, B) FLYBALL_DETAIL_JOIN_OF(A, B)
#define FLYBALL_DETAIL_JOIN_OF(A, B) A##B

// (name, attributes...) becomes a member's definition, (self, attributes...) that of the struct.
#define FLYBALL_DETAIL_FIELD(TYPE, ENTRY) FLYBALL_DETAIL_FIELD_1(TYPE, FLYBALL_DETAIL_UNWRAP ENTRY)
#define FLYBALL_DETAIL_FIELD_1(...) FLYBALL_DETAIL_FIELD_2(__VA_ARGS__)
#define FLYBALL_DETAIL_FIELD_2(TYPE, NAME, ...)                                                              \
  FLYBALL_DETAIL_JOIN(FLYBALL_DETAIL_FIELD_, FLYBALL_DETAIL_SECOND(FLYBALL_DETAIL_PROBE_##NAME, MEMBER, ~))( \
      TYPE, NAME __VA_OPT__(, ) __VA_ARGS__)
#define FLYBALL_DETAIL_PROBE_self ~, SELF  // NOLINT(readability-identifier-naming): what the user writes
#define FLYBALL_DETAIL_FIELD_MEMBER(TYPE, NAME, ...) \
  ::flyball::reflect::detail::field<TYPE, decltype(TYPE::NAME)>(#NAME, offsetof(TYPE, NAME) __VA_OPT__(, ) __VA_ARGS__)
#define FLYBALL_DETAIL_FIELD_SELF(TYPE, NAME, ...) ::flyball::reflect::detail::self<TYPE>(__VA_ARGS__)

#define FLYBALL_DETAIL_ENUM_VALUE(TYPE, ENTRY) FLYBALL_DETAIL_ENUM_VALUE_1(TYPE, FLYBALL_DETAIL_UNWRAP ENTRY)
#define FLYBALL_DETAIL_ENUM_VALUE_1(...) FLYBALL_DETAIL_ENUM_VALUE_2(__VA_ARGS__)
#define FLYBALL_DETAIL_ENUM_VALUE_2(TYPE, NAME, TEXT) \
  ::flyball::reflect::EnumValue { static_cast<std::int64_t>(TYPE::NAME), TEXT }

// Names declared in the block hide every other meaning they have around it.
#define FLYBALL_DETAIL_USE(NAME) using ::flyball::reflect::attributes::NAME;
#define FLYBALL_DETAIL_USE_ATTRIBUTES   \
  FLYBALL_DETAIL_USE(json_name)         \
  FLYBALL_DETAIL_USE(required)          \
  FLYBALL_DETAIL_USE(optional)          \
  FLYBALL_DETAIL_USE(nullable)          \
  FLYBALL_DETAIL_USE(inlined)           \
  FLYBALL_DETAIL_USE(alternatives)      \
  FLYBALL_DETAIL_USE(default_json)      \
  FLYBALL_DETAIL_USE(minimum)           \
  FLYBALL_DETAIL_USE(maximum)           \
  FLYBALL_DETAIL_USE(exclusive_minimum) \
  FLYBALL_DETAIL_USE(exclusive_maximum) \
  FLYBALL_DETAIL_USE(multiple_of)       \
  FLYBALL_DETAIL_USE(min_length)        \
  FLYBALL_DETAIL_USE(max_length)        \
  FLYBALL_DETAIL_USE(pattern)           \
  FLYBALL_DETAIL_USE(format)            \
  FLYBALL_DETAIL_USE(allowed)           \
  FLYBALL_DETAIL_USE(min_items)         \
  FLYBALL_DETAIL_USE(max_items)         \
  FLYBALL_DETAIL_USE(unique_items)      \
  FLYBALL_DETAIL_USE(min_properties)    \
  FLYBALL_DETAIL_USE(max_properties)    \
  FLYBALL_DETAIL_USE(list_type)         \
  FLYBALL_DETAIL_USE(list_map_key)      \
  FLYBALL_DETAIL_USE(map_type)          \
  FLYBALL_DETAIL_USE(struct_type)       \
  FLYBALL_DETAIL_USE(title)             \
  FLYBALL_DETAIL_USE(example)           \
  FLYBALL_DETAIL_USE(external_docs)     \
  FLYBALL_DETAIL_USE(rule)              \
  FLYBALL_DETAIL_USE(immutable)         \
  FLYBALL_DETAIL_USE(exactly_one_of)    \
  FLYBALL_DETAIL_USE(at_most_one_of)    \
  FLYBALL_DETAIL_USE(at_least_one_of)   \
  FLYBALL_DETAIL_USE(preserve_unknown)  \
  FLYBALL_DETAIL_USE(embedded_resource) \
  FLYBALL_DETAIL_USE(int_or_string)     \
  FLYBALL_DETAIL_USE(schemaless)        \
  FLYBALL_DETAIL_USE(items)
