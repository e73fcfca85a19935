#include "flyball/reflect/encode.hpp"

#include <bit>

namespace flyball::reflect {

namespace {

const void* member(const void* object, const Field& field) {
  return static_cast<const std::byte*>(object) + field.offset;
}

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

// The type a wrapped one stands for.
const Type& inside(const Type& type) { return type.shape == Shape::wrapped ? inside(type.element()) : type; }

// The field of the lowest bit: Type::set_fields.
const Field& first_of(const Type& type, std::uint64_t bits) {
  return type.fields[static_cast<std::size_t>(std::countr_zero(bits))];
}

// Whether the owner's initialiser gives a sub-object more than its own type does: then that is its default.
bool is_filled_in(const Type& owner, const Field& field) {
  const Type& type = field.type();
  if (owner.ops.prototype == nullptr || type.ops.prototype == nullptr) return false;
  return !equal(type, member(owner.ops.prototype(), field), type.ops.prototype());
}

// Left out of the encoding of its object.
bool is_omitted(const Type& owner, const Field& field, const Type& type, const void* value) {
  if (!is_empty(type, value)) return false;
  // A plain sub-object in which nothing is set says nothing, whatever Go does: an apply must not claim it.
  if (field.omit != Omit::by_rule) return field.omit == Omit::when_empty || type.shape == Shape::structure;
  return !is_required(owner, field) && is_empty(type, member(owner.ops.prototype(), field));
}

std::string_view alternative_name(const Type& owner, const Field& field, int index) {
  for (const Attribute& attribute : owner.attributes_of(field)) {
    if (attribute.kind == AttributeKind::alternatives) return attribute.words[static_cast<std::size_t>(index)];
  }
  return {};
}

void encode_members(const Type& type, const void* object, json::TextWriter& to);

void encode_member(const Type& owner, const Field& field, const void* object, json::TextWriter& to) {
  const void* value = member(object, field);
  const Type& type = field.type();
  if (field.inlined) {
    const void* inner = type.shape == Shape::optional ? type.ops.get(value) : value;
    if (inner != nullptr) encode_members(type.shape == Shape::optional ? type.element() : type, inner, to);
    return;
  }
  if (is_omitted(owner, field, type, value)) return;
  to.key(field.name);
  if (type.shape != Shape::variant) return encode(type, value, to);
  to.begin_object();
  if (const int active = type.ops.active(value); active >= 0) {
    to.key(alternative_name(owner, field, active));
    encode(type.alternatives[static_cast<std::size_t>(active)](), type.ops.alternative(value), to);
  }
  to.end_object();
}

void encode_members(const Type& type, const void* object, json::TextWriter& to) {
  if (type.set_fields == nullptr) {
    for (const Field& field : type.fields) encode_member(type, field, object, to);
    return;
  }
  for (std::uint64_t left = type.set_fields(object); left != 0; left &= left - 1) {
    const Field& field = first_of(type, left);
    const void* value = member(object, field);
    const Type& inner = field.type();
    if ((inner.shape == Shape::structure || inner.shape == Shape::json) && is_omitted(type, field, inner, value)) {
      continue;
    }
    encode(inner, value, to.plain_key(field.name));
  }
}

// The list or the object, whichever is set; a flag when there is no object.
void encode_either(const Type& type, const void* value, json::TextWriter& to) {
  const bool boxed_first = type.fields[0].type().shape == Shape::optional;
  const Field& boxed = type.fields[boxed_first ? 0 : 1];
  const Field& other = type.fields[boxed_first ? 1 : 0];
  const Type& other_type = other.type();
  const bool is_flag = other_type.shape == Shape::boolean;
  const bool has_object = boxed.type().ops.get(member(value, boxed)) != nullptr;
  const bool has_other = is_flag ? !has_object : !is_empty(other_type, member(value, other));
  if (has_other) return encode(other_type, member(value, other), to);
  encode(boxed.type(), member(value, boxed), to);
}

void encode_list(const Type& type, const void* list, json::TextWriter& to) {
  const Type& element = type.element();
  to.begin_array();
  const std::size_t count = type.ops.count(list);
  for (std::size_t i = 0; i < count; ++i) encode(element, type.ops.element(list, i), to);
  to.end_array();
}

void encode_map(const Type& type, const void* map, json::TextWriter& to) {
  struct Context {
    const Type& element;
    json::TextWriter& to;
  } context{type.element(), to};
  to.begin_object();
  type.ops.each(map, &context, [](void* of, std::string_view key, const void* value) {
    const auto& [element, writer] = *static_cast<Context*>(of);
    encode(element, value, writer.key(key));
  });
  to.end_object();
}

void encode_enum(const Type& type, const void* value, json::TextWriter& to) {
  const std::int64_t number = type.ops.enum_value(value);
  for (const EnumValue& one : type.values) {
    if (one.value == number) {
      to.string(one.name);
      return;
    }
  }
  throw Error("the value " + std::to_string(number) + " of the enum " + std::string(type.name) +
              " has no name in its FLYBALL_ENUM");
}

}  // namespace

void encode(const Type& type, const void* value, json::TextWriter& to) {
  switch (type.shape) {
    case Shape::boolean: to.boolean(as<bool>(value)); break;
    case Shape::int32: to.integer(as<std::int32_t>(value)); break;
    case Shape::int64: to.integer(as<std::int64_t>(value)); break;
    case Shape::uint32: to.integer(as<std::uint32_t>(value)); break;
    case Shape::uint64: to.unsigned_integer(as<std::uint64_t>(value)); break;
    case Shape::float32: to.number(static_cast<double>(as<float>(value))); break;
    case Shape::float64: to.number(as<double>(value)); break;
    case Shape::string: to.string(as<std::string>(value)); break;
    case Shape::json: to.value(as<json::Value>(value)); break;
    case Shape::enumeration: encode_enum(type, value, to); break;
    case Shape::scalar: type.ops.encode(value, to); break;
    case Shape::optional:
      if (const void* inner = type.ops.get(value)) {
        encode(type.element(), inner, to);
      } else {
        to.null();
      }
      break;
    case Shape::wrapped: encode(type.element(), type.ops.get(value), to); break;
    case Shape::list: encode_list(type, value, to); break;
    case Shape::map: encode_map(type, value, to); break;
    case Shape::structure:
      if (type.either) return encode_either(type, value, to);
      to.begin_object();
      encode_members(type, value, to);
      to.end_object();
      break;
    case Shape::variant:
      // Its alternatives have names only as a field: encode_member.
      throw Error("a variant can only be encoded as a field of a described struct");
  }
}

void encode_document(const Type& type, const void* value, json::TextWriter& to) {
  if (type.kind == nullptr) return encode(type, value, to);
  to.begin_object();
  to.plain_key("apiVersion").string(type.kind->api_version);
  to.plain_key("kind").string(type.kind->kind);
  encode_members(type, value, to);
  to.end_object();
}

bool is_empty(const Type& type, const void* value) {
  switch (type.shape) {
    case Shape::boolean: return !as<bool>(value);
    case Shape::int32: return as<std::int32_t>(value) == 0;
    case Shape::int64: return as<std::int64_t>(value) == 0;
    case Shape::uint32: return as<std::uint32_t>(value) == 0;
    case Shape::uint64: return as<std::uint64_t>(value) == 0;
    case Shape::float32: return as<float>(value) == 0;
    case Shape::float64: return as<double>(value) == 0;
    case Shape::string: return as<std::string>(value).empty();
    case Shape::json: return !as<json::Value>(value).exists() || as<json::Value>(value).is_null();
    // An enum has no zero of its own: its first value is as good as any other.
    case Shape::enumeration: return false;
    case Shape::scalar: return type.ops.empty(value);
    case Shape::optional: return type.ops.get(value) == nullptr;
    case Shape::list:
    case Shape::map: return type.ops.count(value) == 0;
    case Shape::variant: return type.ops.active(value) < 0;
    case Shape::wrapped: return is_empty(type.element(), type.ops.get(value));
    case Shape::structure: break;
  }
  if (type.set_fields != nullptr) {
    // A built-in struct is empty when all in it is, even if Go would write some of it.
    for (std::uint64_t left = type.set_fields(value); left != 0; left &= left - 1) {
      const Field& field = first_of(type, left);
      if (!is_empty(field.type(), member(value, field))) return false;
    }
    return true;
  }
  for (const Field& field : type.fields) {
    const void* at = member(value, field);
    const Type& inner = field.type();
    if (!(field.inlined ? is_empty(inner, at) : is_omitted(type, field, inner, at))) return false;
  }
  return true;
}

bool is_required(const Type& owner, const Field& field) {
  if (field.required || field.optional || field.inlined) return field.required;
  const Type& type = field.type();
  switch (inside(type).shape) {
    case Shape::boolean:
    case Shape::json:
    case Shape::optional:
    case Shape::list:
    case Shape::map:
    case Shape::variant:
    case Shape::enumeration: return false;  // an enum's initial value is its default
    case Shape::structure: {
      // A sub-object is required when something in it is.
      for (const Field& inner : type.fields) {
        if (is_required(type, inner)) return !is_filled_in(owner, field);
      }
      return false;
    }
    default: break;
  }
  return field.omit == Omit::by_rule && is_empty(type, member(owner.ops.prototype(), field));
}

bool equal(const Type& type, const void* a, const void* b) {
  std::string first;
  std::string second;
  json::TextWriter to_first(first);
  json::TextWriter to_second(second);
  encode(type, a, to_first);
  encode(type, b, to_second);
  to_first.finish();
  to_second.finish();
  return first == second;
}

}  // namespace flyball::reflect
