// Makes the Type of every C++ type that type.hpp lists. Included by type.hpp only.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "flyball/reflect/type.hpp"

namespace flyball::reflect::detail {

template <class T>
concept Described = requires { flyball_describe(Tag<T>{}); };
template <class T>
concept DescribedEnum = std::is_enum_v<T> && requires { flyball_enum(Tag<T>{}); };
template <class T>
concept Wrapped = requires { flyball_wrap(Tag<T>{}); };
template <class T>
concept HasScalar = requires { Scalar<T>::kSchema; };

// What flyball_describe returns: fields and attributes of one struct, in arrays of their own.
template <std::size_t Fields, std::size_t Attributes, std::size_t Own>
struct Description {
  std::string_view name;
  std::array<Field, Fields> fields;
  std::array<std::uint16_t, Fields> sorted;
  std::array<Attribute, Attributes> attributes;
};

template <class T>
inline constexpr auto kDescriptionOf = flyball_describe(Tag<T>{});
template <class T>
inline constexpr auto kEnumOf = flyball_enum(Tag<T>{});
template <class T>
inline constexpr auto kWrappingOf = flyball_wrap(Tag<T>{});

// What flyball_wrap returns: the member that stands for the whole, and the attributes.
template <class TheOwner, class TheMember, TheMember TheOwner::* At, std::size_t Attributes>
struct Wrapping {
  using Member = TheMember;
  static constexpr TheMember TheOwner::* kAt = At;
  std::string_view name;
  std::array<Attribute, Attributes> attributes;
};
template <class T>
using WrappedMember = typename decltype(flyball_wrap(Tag<T>{}))::Member;

template <class T>
struct Make {
  static_assert(Described<T> || DescribedEnum<T> || Wrapped<T> || HasScalar<T>,
                "this type has no description: write FLYBALL_DESCRIBE, FLYBALL_ENUM or FLYBALL_WRAP after its "
                "definition, or specialise flyball::reflect::Scalar");

  static constexpr Type make() {
    if constexpr (HasScalar<T>) {
      return make_scalar();
    } else if constexpr (DescribedEnum<T>) {
      return make_enum();
    } else if constexpr (Wrapped<T>) {
      return make_wrapped();
    } else {
      return make_struct(kDescriptionOf<T>);
    }
  }

  static constexpr Type make_scalar() {
    Type type{.shape = Shape::scalar, .name = Scalar<T>::kName, .schema = Scalar<T>::kSchema};
    type.ops.decode = [](json::Reader& from, void* to) { Scalar<T>::decode(from, *static_cast<T*>(to)); };
    type.ops.encode = [](const void* from, json::TextWriter& to) {
      Scalar<T>::encode(*static_cast<const T*>(from), to);
    };
    type.ops.empty = [](const void* of) { return Scalar<T>::empty(*static_cast<const T*>(of)); };
    type.ops.equal = [](const void* a, const void* b) {
      return *static_cast<const T*>(a) == *static_cast<const T*>(b);
    };
    return type;
  }

  static constexpr Type make_enum() {
    Type type{.shape = Shape::enumeration, .name = kEnumOf<T>.name, .values = kEnumOf<T>.values};
    type.ops.enum_value = [](const void* of) { return static_cast<std::int64_t>(*static_cast<const T*>(of)); };
    type.ops.set_enum = [](void* of, std::int64_t value) { *static_cast<T*>(of) = static_cast<T>(value); };
    return type;
  }

  static constexpr Type make_wrapped() {
    Type type{.shape = Shape::wrapped,
              .name = kWrappingOf<T>.name,
              .element = &type_of<WrappedMember<T>>,
              .attributes = kWrappingOf<T>.attributes,
              .own_attributes = static_cast<std::uint16_t>(kWrappingOf<T>.attributes.size())};
    type.ops.get = [](const void* of) -> const void* { return &(static_cast<const T*>(of)->*kWrappingOf<T>.kAt); };
    type.ops.emplace = [](void* of) -> void* { return &(static_cast<T*>(of)->*kWrappingOf<T>.kAt); };
    return type;
  }

  template <std::size_t Fields, std::size_t Attributes, std::size_t Own>
  static constexpr Type make_struct(const Description<Fields, Attributes, Own>& description) {
    Type type{.shape = Shape::structure,
              .name = description.name,
              .fields = description.fields,
              .sorted = description.sorted,
              .attributes = description.attributes,
              .own_attributes = Own};
    type.ops.prototype = []() -> const void* {
      static const T prototype{};
      return &prototype;
    };
    type.ops.reset = [](void* of) { *static_cast<T*>(of) = T{}; };
    return type;
  }
};

template <Shape ShapeOf>
struct MakePlain {
  static constexpr Type make() { return {.shape = ShapeOf, .name = {}, .element = nullptr}; }
};
template <>
struct Make<bool> : MakePlain<Shape::boolean> {};
template <>
struct Make<std::int32_t> : MakePlain<Shape::int32> {};
template <>
struct Make<std::int64_t> : MakePlain<Shape::int64> {};
template <>
struct Make<std::uint32_t> : MakePlain<Shape::uint32> {};
template <>
struct Make<std::uint64_t> : MakePlain<Shape::uint64> {};
template <>
struct Make<float> : MakePlain<Shape::float32> {};
template <>
struct Make<double> : MakePlain<Shape::float64> {};
template <>
struct Make<std::string> : MakePlain<Shape::string> {};
template <>
struct Make<json::Value> : MakePlain<Shape::json> {};

template <class Optional, class T>
struct MakeOptional {
  static constexpr Type make() {
    Type type{.shape = Shape::optional, .name = {}, .element = &type_of<T>};
    type.ops.get = [](const void* of) -> const void* {
      const auto& optional = *static_cast<const Optional*>(of);
      return optional ? &*optional : nullptr;
    };
    type.ops.emplace = [](void* of) -> void* { return &static_cast<Optional*>(of)->emplace(); };
    type.ops.clear = [](void* of) { static_cast<Optional*>(of)->reset(); };
    return type;
  }
};
template <class T>
struct Make<std::optional<T>> : MakeOptional<std::optional<T>, T> {};
template <class T>
struct Make<Box<T>> : MakeOptional<Box<T>, T> {};

template <class T>
struct Make<std::vector<T>> {
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> has no addressable elements: use std::vector<std::string>, "
                "a struct or a bitmask instead");
  using List = std::vector<T>;
  static constexpr Type make() {
    Type type{.shape = Shape::list, .name = {}, .element = &type_of<T>};
    type.ops.count = [](const void* of) { return static_cast<const List*>(of)->size(); };
    type.ops.element = [](const void* of, std::size_t index) -> const void* {
      return &(*static_cast<const List*>(of))[index];
    };
    type.ops.append = [](void* of) -> void* { return &static_cast<List*>(of)->emplace_back(); };
    type.ops.reserve = [](void* of, std::size_t count) { static_cast<List*>(of)->reserve(count); };
    type.ops.clear = [](void* of) { static_cast<List*>(of)->clear(); };
    return type;
  }
};

template <class T, class Compare>
struct Make<std::map<std::string, T, Compare>> {
  using Map = std::map<std::string, T, Compare>;
  static constexpr Type make() {
    Type type{.shape = Shape::map, .name = {}, .element = &type_of<T>};
    type.ops.count = [](const void* of) { return static_cast<const Map*>(of)->size(); };
    type.ops.insert = [](void* of, std::string_view key) -> void* {
      // Writers sort their maps: most keys belong at the end.
      Map& map = *static_cast<Map*>(of);
      return &map.emplace_hint(map.end(), std::piecewise_construct, std::forward_as_tuple(key), std::tuple<>())->second;
    };
    type.ops.each = [](const void* of, void* context, EachEntry entry) {
      for (const auto& [key, value] : *static_cast<const Map*>(of)) entry(context, key, &value);
    };
    type.ops.clear = [](void* of) { static_cast<Map*>(of)->clear(); };
    return type;
  }
};

template <class... Ts>
struct Make<std::variant<Ts...>> {
  using Variant = std::variant<Ts...>;
  static constexpr bool kMayBeEmpty = std::is_same_v<std::variant_alternative_t<0, Variant>, std::monostate>;
  static constexpr std::size_t kCount = sizeof...(Ts) - (kMayBeEmpty ? 1 : 0);

  static constexpr std::array<TypeRef, kCount> alternatives() {
    std::array<TypeRef, kCount> refs{};
    std::size_t at = 0;
    const auto add = [&]<class T>(Tag<T>) {
      if constexpr (!std::is_same_v<T, std::monostate>) refs[at++] = &type_of<T>;
    };
    (..., add(Tag<Ts>{}));
    return refs;
  }
  static constexpr std::array<TypeRef, kCount> kAlternatives = alternatives();

  template <std::size_t... Is>
  static void* choose(Variant& variant, std::size_t index, std::index_sequence<Is...>) {
    void* made = nullptr;
    (..., (Is == index ? void(made = &variant.template emplace<Is>()) : void()));
    return made;
  }

  static constexpr Type make() {
    Type type{.shape = Shape::variant, .name = {}, .element = nullptr, .alternatives = kAlternatives};
    type.ops.active = [](const void* of) {
      return static_cast<int>(static_cast<const Variant*>(of)->index()) - (kMayBeEmpty ? 1 : 0);
    };
    type.ops.alternative = [](const void* of) -> const void* {
      return std::visit([](const auto& value) -> const void* { return &value; }, *static_cast<const Variant*>(of));
    };
    type.ops.choose = [](void* of, std::size_t index) -> void* {
      return choose(*static_cast<Variant*>(of), index + (kMayBeEmpty ? 1 : 0), std::index_sequence_for<Ts...>{});
    };
    type.ops.clear = [](void* of) { *static_cast<Variant*>(of) = Variant(); };
    return type;
  }
};

}  // namespace flyball::reflect::detail

namespace flyball::reflect {

template <class T>
const Type& type_of() {
  static constexpr Type kType = detail::Make<T>::make();
  return kType;
}

}  // namespace flyball::reflect
