// What the generated tables are written with. Private to the room.
#pragma once

#include <cstddef>

#include "flyball/kube/flag.hpp"
#include "flyball/kube/scalars.hpp"
#include "flyball/reflect/type.hpp"

// offsetof of a struct with std:: members is what every compiler we know supports and some warn about.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace flyball::reflect {

constexpr Field field(std::string_view name, std::size_t offset, TypeRef type, bool required, Omit omit,
                      const FieldFacts* facts = nullptr) {
  Field made;
  made.name = name;
  made.offset = static_cast<std::uint32_t>(offset);
  made.type = type;
  made.required = required;
  made.omit = omit;
  made.facts = facts;
  return made;
}

// Of sub-objects and JSON values only the codecs know.
template <class T>
[[gnu::always_inline]] inline bool may_be_set(const T& field) {
  if constexpr (std::is_arithmetic_v<T>) {
    return field != 0;
  } else if constexpr (requires { Scalar<T>::empty(field); }) {
    return !Scalar<T>::empty(field);
  } else if constexpr (requires { field.has_value(); }) {
    return field.has_value();
  } else if constexpr (requires { field.max_size(); }) {
    return !field.empty();
  } else {
    return true;
  }
}

// For Type::set_fields.
template <class... Ts>
[[gnu::always_inline]] inline std::uint64_t bits_of(const Ts&... fields) {
  static_assert(sizeof...(Ts) <= 64);
  std::uint64_t bits = 0;
  unsigned at = 0;
  (..., (bits |= std::uint64_t{may_be_set(fields)} << at++));
  return bits;
}

template <class T>
constexpr Operations operations_of_kind() {
  Operations ops;
  ops.make = []() -> void* { return new T(); };
  ops.destroy = [](void* object) { delete static_cast<T*>(object); };
  return ops;
}

// Every table uses these: made once, in scalars.cpp.
extern template const Type& type_of<std::string>();
extern template const Type& type_of<std::vector<std::string>>();
extern template const Type& type_of<std::map<std::string, std::string>>();
extern template const Type& type_of<std::optional<std::string>>();
extern template const Type& type_of<std::optional<std::int32_t>>();
extern template const Type& type_of<std::optional<std::int64_t>>();
extern template const Type& type_of<std::optional<bool>>();
extern template const Type& type_of<kube::Quantity>();
extern template const Type& type_of<std::map<std::string, kube::Quantity>>();
extern template const Type& type_of<kube::Time>();
extern template const Type& type_of<std::optional<kube::Time>>();
extern template const Type& type_of<kube::IntOrString>();

}  // namespace flyball::reflect
