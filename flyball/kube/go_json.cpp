#include "flyball/kube/go_json.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/text_writer.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/kube/raw_json.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::kube {
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

const void* member(const void* object, const Field& field) {
  return static_cast<const std::byte*>(object) + field.offset;
}

// The protobuf side of a struct's fields, by their place in the struct. A struct has at most 64: Type::set_fields.
struct Protos {
  std::array<const ProtoField*, 64> of;  // where `known` has a bit
  std::uint64_t known = 0;
  std::uint64_t shown = 0;  // those Go writes even when nothing is set

  void add(const ProtoMessage& message) {
    for (const ProtoField& proto : message.fields) {
      if (proto.type == ProtoType::inlined) {
        add(*proto.inlined);
        continue;
      }
      of[proto.field] = &proto;
      known |= std::uint64_t{1} << proto.field;
      if (!proto.go_omits) shown |= std::uint64_t{1} << proto.field;
    }
  }
};

// Whether JSON text is as our writer would write it, seen without parsing: most of managedFields, which has objects and
// strings only. What needs a closer look is said to be not.
bool is_plain(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      if (c != '{' && c != '}' && c != ':' && c != ',') return false;
    } else if (c == '\\') {
      ++i;
      if (i == text.size() || (text[i] != '"' && text[i] != '\\')) return false;
    } else if (c < 0x20 || c == 0x7f || c == '<' || c == '>' || c == '&') {
      return false;
    }
  }
  return true;
}

class GoWriter {
 public:
  explicit GoWriter(json::TextWriter& to) : to_(to) {}

  void members(const Type& type, const void* object) {
    Protos protos;
    protos.add(*type.proto);
    const std::uint64_t set = type.set_fields != nullptr ? type.set_fields(object) : 0;
    for (std::uint64_t left = (set | protos.shown) & protos.known; left != 0; left &= left - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(left));
      const Field& field = type.fields[at];
      write_member(*protos.of[at], field, member(object, field), (set >> at & 1) != 0);
    }
  }

 private:
  void write_member(const ProtoField& proto, const Field& field, const void* value, bool set) {
    const Type& type = field.type();
    if (proto.count == ProtoCount::always) {
      to_.plain_key(field.name);
      return one(proto.type, type, value);
    }
    if (!set || reflect::is_empty(type, value)) {
      if (!proto.go_omits) to_.plain_key(field.name).null();
      return;
    }
    to_.plain_key(field.name);
    switch (proto.count) {
      case ProtoCount::list: return list(proto.type, type, value);
      case ProtoCount::map: return map(proto.type, type, value);
      default: break;
    }
    if (type.shape == Shape::optional) return one(proto.type, type.element(), type.ops.get(value));
    one(proto.type, type, value);
  }

  void one(ProtoType proto, const Type& type, const void* value) {
    switch (proto) {
      case ProtoType::message: return message(type, value);
      case ProtoType::raw: return raw(type, value);
      case ProtoType::float64:
        if (!std::isfinite(as<double>(value))) throw InputError({}, {}, "expected a finite number");
        break;
      default: break;
    }
    reflect::encode(type, value, to_);
  }

  void message(const Type& type, const void* value) {
    if (type.either) return either(type, value);
    to_.begin_object();
    members(type, value);
    to_.end_object();
  }

  void list(ProtoType proto, const Type& type, const void* value) {
    const Type& element = type.element();
    const std::size_t count = type.ops.count(value);
    to_.begin_array();
    for (std::size_t i = 0; i < count; ++i) one(proto, element, type.ops.element(value, i));
    to_.end_array();
  }

  void map(ProtoType proto, const Type& type, const void* value) {
    struct Around {
      GoWriter& writer;
      ProtoType proto;
      const Type& element;
    } around{*this, proto, type.element()};
    to_.begin_object();
    type.ops.each(value, &around, [](void* of, std::string_view key, const void* entry) {
      const Around& it = *static_cast<Around*>(of);
      it.writer.to_.key(key);
      it.writer.one(it.proto, it.element, entry);
    });
    to_.end_object();
  }

  void raw(const Type& type, const void* value) {
    if (type.shape == Shape::json) {
      to_.value(as<json::Value>(value));
      return;
    }
    const auto& json = as<RawJson>(value);
    json.check();
    if (json.empty()) {
      to_.null();
    } else if (is_plain(json.text())) {
      to_.raw(json.text());
    } else {
      to_.value(json.value());
    }
  }

  // The list or the object, whichever is there; a flag when there is no object.
  void either(const Type& type, const void* value) {
    const std::size_t boxed = type.fields[0].type().shape == Shape::optional ? 0 : 1;
    const Field& field = type.fields[boxed];
    const Field& other = type.fields[1 - boxed];
    const Type& other_type = other.type();
    const bool is_list = other_type.shape == Shape::list;
    if (is_list && other_type.ops.count(member(value, other)) != 0) {
      const bool messages = other_type.element().shape == Shape::structure;
      return list(messages ? ProtoType::message : ProtoType::string, other_type, member(value, other));
    }
    if (const void* object = field.type().ops.get(member(value, field))) {
      message(field.type().element(), object);
    } else if (is_list) {
      to_.null();
    } else {
      to_.boolean(as<bool>(member(value, other)));
    }
  }

  json::TextWriter& to_;
};

void write_document(const Type& type, const void* value, std::string& to) {
  json::TextWriter writer(to);
  writer.begin_object();
  writer.plain_key("apiVersion").string(type.kind->api_version);
  writer.plain_key("kind").string(type.kind->kind);
  GoWriter(writer).members(type, value);
  writer.end_object();
  writer.finish();
}

}  // namespace

std::string to_go_json(const Type& type, const void* value) {
  std::string text;
  try {
    write_document(type, value, text);
  } catch (const InputError&) {
    // The long way says where.
    message_to_json(encode_message(type, value), type);
    throw;
  }
  return text;
}

}  // namespace flyball::kube
