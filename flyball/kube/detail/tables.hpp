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
