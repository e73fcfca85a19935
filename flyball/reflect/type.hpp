// Type: what the codecs know of a C++ type. One table per type, made at compile time; the codecs walk the tables, so
// a hundred structs cost a hundred tables and not a hundred parsers.
//
//   const reflect::Type& type = reflect::type_of<MemcachedSpec>();
//   for (const reflect::Field& field : type.fields) print(field.name);
//
// Users never write these; FLYBALL_DESCRIBE does. Described: bool, 32- and 64-bit integers, float, double, std::string,
// json::Value (any JSON), enums with FLYBALL_ENUM, structs with FLYBALL_DESCRIBE or FLYBALL_WRAP, std::optional, Box,
// std::vector, std::map<std::string, T>, std::variant, and every type that specialises reflect::Scalar.
//
// Thread-safety: tables are constant. Lifetime: they live as long as the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/reflect/attributes.hpp"
#include "flyball/reflect/box.hpp"
#include "flyball/reflect/facts.hpp"
#include "flyball/reflect/type_ref.hpp"

namespace flyball::json {
class Reader;
class TextWriter;
}  // namespace flyball::json

namespace flyball::reflect {

enum class Shape : std::uint8_t {
  boolean,
  int32,
  int64,
  uint32,
  uint64,
  float32,
  float64,
  string,
  json,         // json::Value
  enumeration,  // FLYBALL_ENUM
  scalar,       // a type with its own text form: Scalar<T>
  optional,     // std::optional or Box
  list,
  map,
  structure,  // FLYBALL_DESCRIBE
  variant,
  wrapped,  // FLYBALL_WRAP: one member, and what is said of it wherever the type is used
};

// Types refer to each other through functions, so that a type can contain itself.
using TypeRef = const Type& (*)();

// When an empty field is left out of the encoding.
enum class Omit : std::uint8_t {
  by_rule,     // a described struct: unless it is required or its initialiser is not zero (describe.hpp)
  when_empty,  // a built-in type: Go's omitempty
  never,       // a built-in type: Go writes it always
};

struct Field {
  std::string_view name;  // on the wire
  std::uint32_t offset = 0;
  TypeRef type = nullptr;
  bool required = false;  // said so in the description; see required_in() for the whole rule
  bool optional = false;
  bool inlined = false;
  Omit omit = Omit::by_rule;
  std::uint16_t first_attribute = 0;  // into the struct's attributes
  std::uint16_t attribute_count = 0;
  const FieldFacts* facts = nullptr;  // a built-in type's field of which there is more to say
};

struct EnumValue {
  std::int64_t value = 0;
  std::string_view name;
};

using EachEntry = void (*)(void* context, std::string_view key, const void* value);

// How to get at what is inside; each shape has its own few.
struct Operations {
  // structure: an object as its initialisers leave it.
  const void* (*prototype)() = nullptr;
  // structure, described: back to that.
  void (*reset)(void* of) = nullptr;
  // structure, a built-in kind: a new object, and its end. See object.hpp.
  void* (*make)() = nullptr;
  void (*destroy)(void* object) = nullptr;
  // optional: the value or null; the value, made first. wrapped: its member.
  const void* (*get)(const void* of) = nullptr;
  void* (*emplace)(void* of) = nullptr;
  // optional, list, map, variant: back to empty.
  void (*clear)(void* of) = nullptr;
  // list.
  std::size_t (*count)(const void* of) = nullptr;
  const void* (*element)(const void* of, std::size_t index) = nullptr;
  void* (*append)(void* of) = nullptr;
  void (*reserve)(void* of, std::size_t count) = nullptr;
  // map.
  void* (*insert)(void* of, std::string_view key) = nullptr;
  void (*each)(const void* of, void* context, EachEntry entry) = nullptr;
  // enumeration.
  std::int64_t (*enum_value)(const void* of) = nullptr;
  void (*set_enum)(void* of, std::int64_t value) = nullptr;
  // variant: which alternative (of `alternatives`, -1 for std::monostate), and making one.
  int (*active)(const void* of) = nullptr;
  const void* (*alternative)(const void* of) = nullptr;
  void* (*choose)(void* of, std::size_t alternative) = nullptr;
  // scalar.
  void (*decode)(json::Reader& from, void* to) = nullptr;
  void (*encode)(const void* from, json::TextWriter& to) = nullptr;
  bool (*empty)(const void* of) = nullptr;
  bool (*equal)(const void* a, const void* b) = nullptr;
};

struct Type {
  Shape shape = Shape::string;
  std::string_view name = {};                  // of a struct, an enum or a scalar
  TypeRef element = nullptr;                   // optional, list, map, wrapped
  std::span<const Field> fields = {};          // structure
  std::span<const std::uint16_t> sorted = {};  // structure: the fields' indexes in the order of their names
  std::span<const Attribute> attributes = {};  // structure: its fields' attributes, then its own; wrapped, list
  std::uint16_t own_attributes = 0;        // structure, wrapped: how many of the attributes, at the end, are its own
  std::span<const EnumValue> values = {};  // enumeration
  std::span<const TypeRef> alternatives = {};  // variant, without std::monostate
  std::string_view schema = {};                // scalar: its OpenAPI schema as JSON
  Operations ops = {};
  const KindInfo* kind = nullptr;       // structure: a top-level kind, whose documents begin with apiVersion and kind
  const ProtoMessage* proto = nullptr;  // structure: a built-in type that has a protobuf form
  // structure, a built-in type: a bit for each field, clear where nothing is set and encodings leave that out. Most
  // fields of most objects are so, and this is how the codecs pass over them.
  std::uint64_t (*set_fields)(const void* of) = nullptr;
  std::span<const Union> unions = {};  // structure
  bool atomic = false;                 // structure: server-side apply owns it as a whole
  // structure: JSON holds either an object, which is the first field, or something else, which is the second.
  bool either = false;

  std::span<const Attribute> attributes_of(const Field& field) const {
    return attributes.subspan(field.first_attribute, field.attribute_count);
  }
  std::span<const Attribute> own() const { return attributes.last(own_attributes); }
};

// Specialise for a type that is one JSON scalar with a form of its own:
//   static constexpr std::string_view kName, kSchema (JSON);
//   static void decode(json::Reader&, T&);      // report mistakes with reader.fail(...)
//   static void encode(const T&, json::TextWriter&);
//   static bool empty(const T&);                // what Go's omitempty would leave out
template <class T>
struct Scalar;

template <class T>
struct Tag {};

}  // namespace flyball::reflect

#include "flyball/reflect/detail/type_tables.hpp"
