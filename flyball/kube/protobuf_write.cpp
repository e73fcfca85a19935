// Typed struct to protobuf. Fields are written from the last to the first: see detail/wire.hpp.
#include <array>
#include <ranges>
#include <vector>

#include "flyball/json/write.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/raw_json.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::kube::detail {

void write_message(const reflect::Type& type, const void* value, BackWriter& to);

namespace {

using reflect::Field;
using reflect::ProtoCount;
using reflect::ProtoField;
using reflect::ProtoMessage;
using reflect::ProtoType;
using reflect::Shape;
using reflect::Type;

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

const void* member(const void* object, std::uint32_t offset) { return static_cast<const std::byte*>(object) + offset; }

void write_moment(std::int64_t seconds, std::int64_t nanos, BackWriter& to) {
  to.number_field(2, static_cast<std::uint64_t>(nanos));
  to.number_field(1, static_cast<std::uint64_t>(seconds));
}

void write_micro_time(const MicroTime& time, BackWriter& to) {
  if (time.is_zero()) return;
  std::int64_t seconds = time.unix_micros() / 1'000'000;
  std::int64_t micros = time.unix_micros() % 1'000'000;
  if (micros < 0) {
    --seconds;
    micros += 1'000'000;
  }
  write_moment(seconds, micros * 1000, to);
}

void write_int_or_string(const IntOrString& value, BackWriter& to) {
  to.bytes_field(3, value.as_string());
  to.number_field(2, static_cast<std::uint64_t>(std::int64_t{value.as_int()}));
  to.number_field(1, value.is_string() ? 1 : 0);
}

void write_raw(const json::Value& value, BackWriter& to) {
  if (!value.exists() || value.is_null()) return;
  to.bytes_field(1, json::write(value, {.escape_html = false}));
}

void write_words(const std::vector<std::string>& words, BackWriter& to) {
  for (const std::string& word : words | std::views::reverse) to.bytes_field(1, word);
}

// One value with its number.
void write_one(std::uint32_t number, ProtoType proto, const Type& type, const void* value, BackWriter& to) {
  const std::size_t end = to.size();
  switch (proto) {
    case ProtoType::string: return to.bytes_field(number, as<std::string>(value));
    case ProtoType::bytes: return to.bytes_field(number, as<Bytes>(value));
    case ProtoType::boolean: return to.number_field(number, as<bool>(value) ? 1 : 0);
    case ProtoType::int32:
      return to.number_field(number, static_cast<std::uint64_t>(std::int64_t{as<std::int32_t>(value)}));
    case ProtoType::int64: return to.number_field(number, static_cast<std::uint64_t>(as<std::int64_t>(value)));
    case ProtoType::float64: return to.double_field(number, as<double>(value));
    case ProtoType::message: write_message(type, value, to); break;
    case ProtoType::words: write_words(as<std::vector<std::string>>(value), to); break;
    case ProtoType::quantity: to.bytes_field(1, as<Quantity>(value).to_string()); break;
    case ProtoType::int_or_string: write_int_or_string(as<IntOrString>(value), to); break;
    case ProtoType::time:
      if (!as<Time>(value).is_zero()) write_moment(as<Time>(value).unix_seconds(), 0, to);
      break;
    case ProtoType::micro_time: write_micro_time(as<MicroTime>(value), to); break;
    case ProtoType::duration: to.number_field(1, static_cast<std::uint64_t>(as<Duration>(value).nanos())); break;
    case ProtoType::raw:
      if (type.shape == Shape::json) {
        write_raw(as<json::Value>(value), to);
      } else if (!as<RawJson>(value).empty()) {
        to.bytes_field(1, as<RawJson>(value).text());
      }
      break;
    case ProtoType::inlined: break;  // write_fields
  }
  to.close(number, end);
}

struct MapEntry {
  const char* key;
  std::size_t key_size;
  const void* value;
};

// A map is walked from its first entry on and written from its last: the entries of a small one are noted on the stack.
void write_map(const ProtoField& proto, const Type& type, const void* map, BackWriter& to) {
  constexpr std::size_t kSmall = 16;
  const std::size_t count = type.ops.count(map);
  std::array<MapEntry, kSmall> few;
  std::vector<MapEntry> many(count > kSmall ? count : 0);
  MapEntry* const entries = count > kSmall ? many.data() : few.data();
  MapEntry* end = entries;
  type.ops.each(map, static_cast<void*>(&end), [](void* of, std::string_view key, const void* value) {
    *(*static_cast<MapEntry**>(of))++ = {key.data(), key.size(), value};
  });
  const Type& element = type.element();
  while (end != entries) {
    --end;
    const std::size_t before = to.size();
    write_one(2, proto.type, element, end->value, to);
    to.bytes_field(1, {end->key, end->key_size});
    to.close(proto.number, before);
  }
}

void write_field(const ProtoField& proto, const Type& type, const void* value, BackWriter& to) {
  switch (proto.count) {
    case ProtoCount::always: return write_one(proto.number, proto.type, type, value, to);
    case ProtoCount::when_set:
      if (type.shape == Shape::optional) {
        if (const void* inner = type.ops.get(value)) write_one(proto.number, proto.type, type.element(), inner, to);
      } else if (!reflect::is_empty(type, value)) {
        write_one(proto.number, proto.type, type, value, to);
      }
      return;
    case ProtoCount::list: {
      const Type& element = type.element();
      for (std::size_t i = type.ops.count(value); i-- > 0;) {
        write_one(proto.number, proto.type, element, type.ops.element(value, i), to);
      }
      return;
    }
    case ProtoCount::map: return write_map(proto, type, value, to);
  }
}

// Of JSONSchemaPropsOrBool: a schema allows.
bool has_schema(const Type& type, const void* object) {
  for (const Field& field : type.fields) {
    if (field.type().shape == Shape::optional) return field.type().ops.get(member(object, field.offset)) != nullptr;
  }
  return false;
}

// `set` are the type's set_fields: the others are written only where Go writes them always.
void write_fields(const ProtoMessage& message, const Type& type, const void* object, std::uint64_t set,
                  BackWriter& to) {
  for (const ProtoField& proto : message.fields | std::views::reverse) {
    if (proto.count != ProtoCount::always && (set >> proto.field & 1) == 0) continue;
    if (proto.type == ProtoType::inlined) {
      const std::size_t end = to.size();
      write_fields(*proto.inlined, type, object, set, to);
      to.close(proto.number, end);
      continue;
    }
    const void* value = member(object, proto.offset);
    if (type.either && proto.type == ProtoType::boolean) {
      to.number_field(proto.number, as<bool>(value) || has_schema(type, object) ? 1 : 0);
    } else if (proto.type == ProtoType::string && proto.count == ProtoCount::always) {
      to.bytes_field(proto.number, as<std::string>(value));
    } else {
      write_field(proto, type.fields[proto.field].type(), value, to);
    }
  }
}

}  // namespace

void write_message(const Type& type, const void* value, BackWriter& to) {
  if (type.proto == nullptr) FieldPath{.name = type.name}.fail("has no protobuf form");
  write_fields(*type.proto, type, value, type.set_fields != nullptr ? type.set_fields(value) : 0, to);
}

}  // namespace flyball::kube::detail
