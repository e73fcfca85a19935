#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/detail/codec_words.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::kube {

namespace {

using detail::FieldPath;
using detail::Wire;
using detail::WireField;
using detail::WireReader;
using reflect::ProtoCount;
using reflect::ProtoField;
using reflect::ProtoMessage;
using reflect::ProtoType;
using reflect::Shape;
using reflect::Type;

// The fields of one message, sorted by their place in the struct: inlined ones are flat there.
struct Contents {
  struct Piece {
    std::uint16_t field;
    WireField value;
  };
  std::vector<const ProtoField*> protos;  // per field of the struct; null when protobuf does not have it
  std::vector<Piece> pieces;
  std::string unknown;
};

const Type& inner_type(const Type& type) {
  const bool wraps = type.shape == Shape::optional || type.shape == Shape::list || type.shape == Shape::map;
  return wraps ? type.element() : type;
}

class Transcoder {
 public:
  Transcoder(json::Builder& to, const ToJsonOptions& options) : to_(to), options_(options) {}

  void message(std::string_view bytes, const Type& type, const FieldPath& path) {
    if (type.proto == nullptr) FieldPath{.name = type.name}.fail("has no protobuf form");
    const Contents contents = collect(bytes, type, path);
    if (type.either) return either(contents, type, path);
    to_.begin_object();
    members(contents, type, path);
    to_.end();
  }

  void document(std::string_view bytes, const Type& type, const Envelope& envelope) {
    const FieldPath top;
    const Contents contents = collect(bytes, type, top);
    to_.begin_object();
    to_.key("kind").string(envelope.kind);
    to_.key("apiVersion").string(envelope.api_version);
    members(contents, type, top);
    to_.end();
  }

 private:
  static void add_protos(const ProtoMessage& message, std::vector<const ProtoField*>& to) {
    for (const ProtoField& proto : message.fields) {
      if (proto.type == ProtoType::inlined) {
        add_protos(*proto.inlined, to);
      } else {
        to[proto.field] = &proto;
      }
    }
  }

  Contents collect(std::string_view bytes, const Type& type, const FieldPath& path) const {
    if (path.depth > detail::kMaxDepth) path.fail("messages stand within each other more than 500 levels deep");
    Contents contents;
    contents.protos.resize(type.fields.size());
    add_protos(*type.proto, contents.protos);
    add_pieces(bytes, *type.proto, contents, contents.unknown, path);
    std::ranges::stable_sort(contents.pieces, {}, &Contents::Piece::field);
    return contents;
  }

  void add_pieces(std::string_view bytes, const ProtoMessage& message, Contents& to, std::string& unknown,
                  const FieldPath& path) const {
    WireReader reader(bytes);
    WireField field;
    std::size_t hint = 0;
    while (reader.next(field)) {
      const ProtoField* proto = detail::find_number(message, field.number, hint);
      if (proto == nullptr) {
        unknown += field.whole;
      } else if (proto->type != ProtoType::inlined) {
        to.pieces.push_back({proto->field, field});
      } else {
        // What is unknown in there goes into a message of the same number: protobuf merges the two when reading.
        std::string inner;
        if (field.wire != Wire::bytes) path.fail("has a wire type that is not the field's");
        add_pieces(field.bytes, *proto->inlined, to, inner, path);
        if (!inner.empty()) {
          detail::BackWriter wrapped;
          wrapped.bytes_field(proto->number, inner);
          unknown += wrapped.finish();
        }
      }
    }
    if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
  }

  void members(const Contents& contents, const Type& type, const FieldPath& path) {
    auto piece = contents.pieces.begin();
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      const auto first = piece;
      while (piece != contents.pieces.end() && piece->field == i) ++piece;
      if (contents.protos[i] == nullptr) continue;
      const reflect::Field& field = type.fields[i];
      member(*contents.protos[i], field, {first, piece}, {&path, field.name, path.depth + 1});
    }
    if (options_.keep_unknown && !contents.unknown.empty()) to_.key(kUnknownFields).string(to_base64(contents.unknown));
  }

  using Pieces = std::span<const Contents::Piece>;

  void member(const ProtoField& proto, const reflect::Field& field, Pieces pieces, const FieldPath& path) {
    if (proto.count != ProtoCount::always && pieces.empty()) {
      if (!proto.go_omits) to_.key(field.name).null();
      return;
    }
    const Type& type = field.type();
    switch (proto.count) {
      case ProtoCount::always:
        if (proto.go_omits && is_zero(proto.type, pieces)) return;
        to_.key(field.name);
        return pieces.empty() ? zero(proto.type, type, path) : one(proto.type, inner_type(type), pieces, path);
      case ProtoCount::when_set: to_.key(field.name); return one(proto.type, inner_type(type), pieces, path);
      case ProtoCount::list: to_.key(field.name); return list(proto.type, inner_type(type), pieces, path);
      case ProtoCount::map: to_.key(field.name); return map(proto.type, inner_type(type), pieces, path);
    }
  }

  // A value field that omitempty leaves out. A repeated one is as its last; a zero time has no bytes at all.
  static bool is_zero(ProtoType proto, Pieces pieces) {
    if (pieces.empty()) return true;
    const WireField& last = pieces.back().value;
    switch (proto) {
      case ProtoType::float64: return std::bit_cast<double>(last.number_value) == 0;
      case ProtoType::int32: return static_cast<std::int32_t>(last.number_value) == 0;
      case ProtoType::boolean:
      case ProtoType::int64: return last.number_value == 0;
      default: return last.bytes.empty();
    }
  }

  void zero(ProtoType proto, const Type& type, const FieldPath& path) {
    WireField empty;
    empty.wire = detail::wire_of(proto);
    scalar(proto, type, empty, path);
  }

  // A message that stands twice is the sum of both.
  void one(ProtoType proto, const Type& type, Pieces pieces, const FieldPath& path) {
    if (proto != ProtoType::message && proto != ProtoType::words) return scalar(proto, type, pieces.back().value, path);
    if (pieces.size() == 1) return scalar(proto, type, pieces.back().value, path);
    std::string sum;
    for (const auto& piece : pieces) sum += piece.value.bytes;
    WireField merged = pieces.back().value;
    merged.bytes = sum;
    scalar(proto, type, merged, path);
  }

  void scalar(ProtoType proto, const Type& type, const WireField& field, const FieldPath& path) {
    if (field.wire != detail::wire_of(proto)) path.fail("has a wire type that is not the field's");
    switch (proto) {
      case ProtoType::string: to_.string(field.bytes); return;
      case ProtoType::bytes: to_.string(to_base64(field.bytes)); return;
      case ProtoType::boolean: to_.boolean(field.number_value != 0); return;
      case ProtoType::int32: to_.integer(static_cast<std::int32_t>(field.number_value)); return;
      case ProtoType::int64: to_.integer(static_cast<std::int64_t>(field.number_value)); return;
      case ProtoType::float64: return real(std::bit_cast<double>(field.number_value), path);
      case ProtoType::message: return message(field.bytes, type, path);
      case ProtoType::words: return words(field.bytes, path);
      case ProtoType::quantity: to_.string(detail::read_quantity(field.bytes, path).to_string()); return;
      case ProtoType::int_or_string: return int_or_string(field.bytes, path);
      case ProtoType::time: return time(detail::read_time(field.bytes, path));
      case ProtoType::micro_time: return time(detail::read_micro_time(field.bytes, path));
      case ProtoType::duration: to_.string(detail::read_duration(field.bytes, path).to_string()); return;
      case ProtoType::raw: return raw(field.bytes, path);
      case ProtoType::inlined: return;  // add_pieces
    }
  }

  void real(double value, const FieldPath& path) {
    if (!std::isfinite(value)) path.fail("expected a finite number, found one that JSON cannot hold");
    to_.number(value);
  }

  template <class T>
  void time(const T& value) {
    if (value.is_zero()) {
      to_.null();
    } else {
      to_.string(value.to_string());
    }
  }

  void int_or_string(std::string_view bytes, const FieldPath& path) {
    const IntOrString value = detail::read_int_or_string(bytes, path);
    if (value.is_string()) {
      to_.string(value.as_string());
    } else {
      to_.integer(value.as_int());
    }
  }

  void words(std::string_view bytes, const FieldPath& path) {
    WireReader reader(bytes);
    WireField field;
    to_.begin_array();
    while (reader.next(field)) {
      if (field.number == 1) to_.string(field.bytes);
    }
    to_.end();
    if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
  }

  // JSON, or, in a watch event, an object in an envelope of its own.
  void raw(std::string_view bytes, const FieldPath& path) {
    const std::string_view text = detail::read_first_bytes(bytes, path);
    if (text.empty()) {
      to_.null();
    } else if (is_protobuf(text)) {
      to_.value(protobuf_to_json(text, options_));
    } else {
      try {
        to_.value(json::parse(text, {.duplicates = json::Duplicates::last_wins}));
      } catch (const InputError& error) {
        path.fail("expected JSON: " + error.problem());
      }
    }
  }

  void list(ProtoType proto, const Type& type, Pieces pieces, const FieldPath& path) {
    to_.begin_array();
    for (const auto& piece : pieces) {
      if (piece.value.wire == Wire::bytes && detail::wire_of(proto) == Wire::varint) {
        WireReader packed(piece.value.bytes);
        WireField number;
        while (packed.next_varint(number.number_value)) scalar(proto, type, number, path);
        if (packed.failed()) path.fail("the packed list is cut off or damaged");
      } else {
        scalar(proto, type, piece.value, path);
      }
    }
    to_.end();
  }

  void map(ProtoType proto, const Type& type, Pieces pieces, const FieldPath& path) {
    std::map<std::string_view, WireField> entries;
    for (const auto& piece : pieces) {
      if (piece.value.wire != Wire::bytes) path.fail("has a wire type that is not the field's");
      WireReader reader(piece.value.bytes);
      WireField field;
      std::string_view key;
      WireField value;
      value.wire = detail::wire_of(proto);
      while (reader.next(field)) {
        if (field.number == 1) key = field.bytes;
        if (field.number == 2) value = field;
      }
      if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
      entries[key] = value;
    }
    to_.begin_object();
    for (const auto& [key, value] : entries) {
      to_.key(key);
      scalar(proto, type, value, path);
    }
    to_.end();
  }

  // The list or the object, whichever is there; a flag when there is no object.
  void either(const Contents& contents, const Type& type, const FieldPath& path) {
    const std::uint16_t boxed = type.fields[0].type().shape == Shape::optional ? 0 : 1;
    const std::uint16_t other = boxed == 0 ? 1 : 0;
    const auto of = [&](std::uint16_t field) {
      const auto range = std::ranges::equal_range(contents.pieces, field, {}, &Contents::Piece::field);
      return Pieces(range.begin(), range.end());
    };
    const ProtoField& proto = *contents.protos[other];
    const Type& other_type = inner_type(type.fields[other].type());
    if (proto.count == ProtoCount::list && !of(other).empty()) return list(proto.type, other_type, of(other), path);
    if (!of(boxed).empty()) return one(ProtoType::message, inner_type(type.fields[boxed].type()), of(boxed), path);
    if (proto.count == ProtoCount::list) {
      to_.null();
    } else {
      to_.boolean(!of(other).empty() && of(other).back().value.number_value != 0);
    }
  }

  json::Builder& to_;
  const ToJsonOptions& options_;
};

}  // namespace

json::Value message_to_json(std::string_view message, const Type& type, const ToJsonOptions& options) {
  json::Builder to(message.size() * 2);
  Transcoder(to, options).message(message, type, {});
  return to.finish();
}

json::Value protobuf_to_json(std::string_view bytes, const ToJsonOptions& options) {
  const Envelope envelope = open_envelope(bytes);
  if (envelope.content_type == "application/json") {
    return json::parse(envelope.object, {.duplicates = json::Duplicates::last_wins});
  }
  const Type* type = find_kind(envelope.api_version, envelope.kind);
  if (type == nullptr) {
    FieldPath{.name = "the protobuf envelope"}.fail("expected a built-in kind, found " +
                                                    std::string(envelope.api_version) + " " +
                                                    std::string(envelope.kind) + ", which travels as JSON");
  }
  json::Builder to(envelope.object.size() * 2);
  Transcoder(to, options).document(envelope.object, *type, envelope);
  return to.finish();
}

}  // namespace flyball::kube
