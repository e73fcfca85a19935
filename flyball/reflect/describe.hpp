// FLYBALL_DESCRIBE: say once what a struct's fields are; codec, strict decoding, OpenAPI schema and CRD follow from it.
//
//   struct MemcachedSpec {
//     int32_t size = 1;
//     std::string image = "memcached:1.6";
//   };
//   FLYBALL_DESCRIBE(MemcachedSpec,
//       (size, "How many memcached pods to run.", minimum(1), maximum(10)),
//       (image, "The image every pod runs."))
//
//   enum class Mode { primary, replica };
//   FLYBALL_ENUM(Mode, (primary, "Primary"), (replica, "Replica"))
//
//   struct Percent {                  // on the wire a plain number, and between 0 and 100 wherever it is used
//     int32_t value = 0;
//   };
//   FLYBALL_WRAP(Percent, value, minimum(0), maximum(100))
//
// It stands behind the definition, in the same namespace. Each entry is a field, its documentation and its attributes
// (attributes.hpp). An entry named `self` speaks of the struct itself. A trailing underscore keeps a field clear of
// C++'s keywords and is not part of its name on the wire: `template_` is "template".
//
// Presence: a field with an initialiser that is not zero has that default; std::optional, Box, lists, maps, structs
// and bools may be left out; every other field is required, unless it says `optional`. Status objects require nothing.
//
// Mistakes are compile errors that end in a name like
// `flyball::reflect::mistake::minimum_is_greater_than_maximum()`.
#pragma once

#include "flyball/reflect/attributes.hpp"
#include "flyball/reflect/detail/describe.hpp"
#include "flyball/reflect/detail/for_each.hpp"
#include "flyball/reflect/type.hpp"

// offsetof of a struct with std:: members is what every compiler we know supports and some warn about.
#define FLYBALL_DESCRIBE(TYPE, ...)                                                                                    \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"")                              \
      [[maybe_unused]] constexpr auto                                                                                  \
      flyball_describe(::flyball::reflect::Tag<TYPE>) {                                                                \
    FLYBALL_DETAIL_USE_ATTRIBUTES                                                                                      \
    return ::flyball::reflect::detail::describe(::flyball::reflect::detail::field_name(#TYPE) __VA_OPT__(, )           \
                                                    FLYBALL_DETAIL_FOR_EACH(FLYBALL_DETAIL_FIELD, TYPE, __VA_ARGS__)); \
  }                                                                                                                    \
  static_assert(flyball_describe(::flyball::reflect::Tag<TYPE>{}).fields.max_size() < 65536);                          \
  _Pragma("GCC diagnostic pop")

#define FLYBALL_ENUM(TYPE, ...)                                                                    \
  [[maybe_unused]] constexpr auto flyball_enum(::flyball::reflect::Tag<TYPE>) {                    \
    return ::flyball::reflect::detail::describe_enum(                                              \
        #TYPE, std::array{FLYBALL_DETAIL_FOR_EACH(FLYBALL_DETAIL_ENUM_VALUE, TYPE, __VA_ARGS__)}); \
  }                                                                                                \
  static_assert(flyball_enum(::flyball::reflect::Tag<TYPE>{}).values.max_size() > 0);

#define FLYBALL_WRAP(TYPE, MEMBER, ...)                                                   \
  [[maybe_unused]] constexpr auto flyball_wrap(::flyball::reflect::Tag<TYPE>) {           \
    FLYBALL_DETAIL_USE_ATTRIBUTES                                                         \
    return ::flyball::reflect::detail::wrap<TYPE, decltype(TYPE::MEMBER), &TYPE::MEMBER>( \
        ::flyball::reflect::detail::field_name(#TYPE) __VA_OPT__(, ) __VA_ARGS__);        \
  }                                                                                       \
  static_assert(flyball_wrap(::flyball::reflect::Tag<TYPE>{}).attributes.max_size() < 65536);
