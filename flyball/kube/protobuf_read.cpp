// Protobuf to typed struct.
#include <algorithm>
#include <bit>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/detail/codec_words.hpp"
#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/raw_json.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::kube::detail {

void read_message(std::string_view bytes, const reflect::Type& type, void* to, const FieldPath& path);

namespace {

using reflect::Field;
using reflect::ProtoCount;
using reflect::ProtoField;
using reflect::ProtoMessage;
using reflect::ProtoType;
using reflect::Shape;
using reflect::Type;

template <class T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

void read_words(std::string_view bytes, std::vector<std::string>& to, const FieldPath& path) {
  WireReader reader(bytes);
  WireField field;
  while (reader.next(field)) {
    if (field.number == 1) to.emplace_back(field.bytes);
  }
  if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
}

json::Value read_raw(std::string_view bytes, const FieldPath& path) {
  const std::string_view text = read_first_bytes(bytes, path);
  if (text.empty()) return {};
  if (is_protobuf(text)) path.fail("holds an object in protobuf; only kube::protobuf_to_json reads such a one");
  try {
    return json::parse(text, {.duplicates = json::Duplicates::last_wins});
  } catch (const InputError& error) {
    path.fail("expected JSON: " + error.problem());
  }
}

// Go writes what is empty too; most of a message's texts are.
void read_text(std::string_view bytes, std::string& to) {
  if (!bytes.empty() || !to.empty()) to.assign(bytes);
}

void read_number(ProtoType proto, std::uint64_t number, void* to) {
  switch (proto) {
    case ProtoType::boolean: as<bool>(to) = number != 0; return;
    case ProtoType::int32: as<std::int32_t>(to) = static_cast<std::int32_t>(number); return;
    case ProtoType::int64: as<std::int64_t>(to) = static_cast<std::int64_t>(number); return;
    default: as<double>(to) = std::bit_cast<double>(number); return;
  }
}

void read_one(ProtoType proto, const Type& type, void* to, const WireField& field, const FieldPath& path) {
  if (field.wire != wire_of(proto)) path.fail("has a wire type that is not the field's");
  switch (proto) {
    case ProtoType::string: return read_text(field.bytes, as<std::string>(to));
    case ProtoType::bytes: as<Bytes>(to).str().assign(field.bytes); return;
    case ProtoType::boolean:
    case ProtoType::int32:
    case ProtoType::int64:
    case ProtoType::float64: return read_number(proto, field.number_value, to);
    case ProtoType::message: return read_message(field.bytes, type, to, path);
    case ProtoType::words: return read_words(field.bytes, as<std::vector<std::string>>(to), path);
    case ProtoType::quantity: as<Quantity>(to) = read_quantity(field.bytes, path); return;
    case ProtoType::int_or_string: as<IntOrString>(to) = read_int_or_string(field.bytes, path); return;
    case ProtoType::time: as<Time>(to) = read_time(field.bytes, path); return;
    case ProtoType::micro_time: as<MicroTime>(to) = read_micro_time(field.bytes, path); return;
    case ProtoType::duration: as<Duration>(to) = read_duration(field.bytes, path); return;
    case ProtoType::raw:
      if (type.shape == Shape::json) {
        as<json::Value>(to) = read_raw(field.bytes, path);
      } else {
        as<RawJson>(to) = RawJson::unchecked(read_first_bytes(field.bytes, path));
      }
      return;
    case ProtoType::inlined: return;  // read_fields
  }
}

void read_map_entry(const ProtoField& proto, const Type& type, void* map, std::string_view bytes,
                    const FieldPath& path) {
  WireReader reader(bytes);
  WireField field;
  std::string_view key;
  WireField value;
  while (reader.next(field)) {
    if (field.number == 1) key = field.bytes;
    if (field.number == 2) value = field;
  }
  if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
  void* to = type.ops.insert(map, key);
  if (value.number != 0) read_one(proto.type, type.element(), to, value, path);
}

// A list of numbers may come packed into one field.
void read_packed(const ProtoField& proto, const Type& type, void* list, std::string_view bytes, const FieldPath& path) {
  WireReader reader(bytes);
  std::uint64_t number = 0;
  while (reader.next_varint(number)) read_number(proto.type, number, type.ops.append(list));
  if (reader.failed()) path.fail("the packed list is cut off or damaged");
}

void read_field(const ProtoField& proto, const Type& type, void* to, const WireField& field, const FieldPath& path) {
  switch (proto.count) {
    case ProtoCount::always: return read_one(proto.type, type, to, field, path);
    case ProtoCount::when_set:
      if (type.shape != Shape::optional) return read_one(proto.type, type, to, field, path);
      if (const void* present = type.ops.get(to)) {
        return read_one(proto.type, type.element(), const_cast<void*>(present), field, path);
      }
      return read_one(proto.type, type.element(), type.ops.emplace(to), field, path);
    case ProtoCount::list:
      if (field.wire == Wire::bytes && wire_of(proto.type) == Wire::varint) {
        return read_packed(proto, type, to, field.bytes, path);
      }
      return read_one(proto.type, type.element(), type.ops.append(to), field, path);
    case ProtoCount::map:
      if (field.wire != Wire::bytes) path.fail("has a wire type that is not the field's");
      return read_map_entry(proto, type, to, field.bytes, path);
  }
}

void read_fields(std::string_view bytes, const ProtoMessage& message, const Type& type, void* object,
                 const FieldPath& path) {
  if (path.depth > kMaxDepth) path.fail("messages stand within each other more than 500 levels deep");
  WireReader reader(bytes);
  WireField field;
  std::size_t hint = 0;
  while (reader.next(field)) {
    const ProtoField* proto = find_number(message, field.number, hint);
    if (proto == nullptr) continue;
    void* to = static_cast<std::byte*>(object) + proto->offset;
    if (proto->count == ProtoCount::always && proto->type == ProtoType::string && field.wire == Wire::bytes) {
      read_text(field.bytes, as<std::string>(to));
      continue;
    }
    if (proto->type == ProtoType::inlined) {
      if (field.wire != Wire::bytes) path.fail("has a wire type that is not the field's");
      read_fields(field.bytes, *proto->inlined, type, object, path);
      continue;
    }
    const Field& where = type.fields[proto->field];
    const Type& what = where.type();
    if (proto->count == ProtoCount::list && what.ops.count(to) == 0)
      what.ops.reserve(to, 1 + reader.count(field.number));
    read_field(*proto, what, to, field, {&path, where.name, path.depth + 1});
  }
  if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
}

}  // namespace

void read_message(std::string_view bytes, const Type& type, void* to, const FieldPath& path) {
  if (type.proto == nullptr) FieldPath{.name = type.name}.fail("has no protobuf form");
  read_fields(bytes, *type.proto, type, to, path);
}

}  // namespace flyball::kube::detail
