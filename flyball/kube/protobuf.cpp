#include "flyball/kube/protobuf.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/wire.hpp"

namespace flyball::kube {

namespace detail {

std::string FieldPath::text() const {
  if (outer == nullptr) return std::string(name);
  const std::string before = outer->text();
  return before.empty() ? std::string(name) : before + "." + std::string(name);
}

void FieldPath::fail(std::string problem) const { throw InputError({}, text(), std::move(problem)); }

}  // namespace detail

using detail::BackWriter;
using detail::FieldPath;
using detail::WireField;
using detail::WireReader;

Envelope open_envelope(std::string_view bytes) {
  const FieldPath top{.name = "the protobuf envelope"};
  if (!is_protobuf(bytes)) top.fail("expected the bytes k8s\\0, found something else");
  Envelope envelope;
  WireReader reader(bytes.substr(kProtobufMagic.size()));
  WireField field;
  while (reader.next(field)) {
    if (field.number == 2) envelope.object = field.bytes;
    if (field.number == 3) envelope.content_encoding = field.bytes;
    if (field.number == 4) envelope.content_type = field.bytes;
    if (field.number != 1) continue;
    WireReader type_meta(field.bytes);
    WireField word;
    while (type_meta.next(word)) {
      if (word.number == 1) envelope.api_version = word.bytes;
      if (word.number == 2) envelope.kind = word.bytes;
    }
    if (type_meta.failed()) top.fail("its kind is cut off or damaged");
  }
  if (reader.failed()) top.fail("it is cut off or damaged");
  if (!envelope.content_encoding.empty()) {
    top.fail("expected no content encoding, found \"" + std::string(envelope.content_encoding) + "\"");
  }
  return envelope;
}

namespace {

void write_envelope_head(const Envelope& envelope, BackWriter& to) {
  const std::size_t end = to.size();
  to.bytes_field(2, envelope.kind);
  to.bytes_field(1, envelope.api_version);
  to.close(1, end);
  to.put(kProtobufMagic);
}

void write_envelope_tail(const Envelope& envelope, BackWriter& to) {
  to.bytes_field(4, envelope.content_type);
  to.bytes_field(3, envelope.content_encoding);
}

}  // namespace

std::string seal_envelope(const Envelope& envelope) {
  BackWriter to(envelope.object.size() + 128);
  write_envelope_tail(envelope, to);
  to.bytes_field(2, envelope.object);
  write_envelope_head(envelope, to);
  return to.finish();
}

namespace detail {
void write_message(const reflect::Type& type, const void* value, BackWriter& to);
void read_message(std::string_view bytes, const reflect::Type& type, void* to, const FieldPath& path);
}  // namespace detail

std::string encode_message(const reflect::Type& type, const void* value) {
  BackWriter to;
  detail::write_message(type, value, to);
  return to.finish();
}

void decode_message(std::string_view bytes, const reflect::Type& type, void* to) {
  detail::read_message(bytes, type, to, {});
}

std::string to_protobuf(const reflect::Type& type, const void* value) {
  Envelope envelope;
  if (type.kind != nullptr) envelope = {.api_version = type.kind->api_version, .kind = type.kind->kind};
  BackWriter to;
  write_envelope_tail(envelope, to);
  const std::size_t end = to.size();
  detail::write_message(type, value, to);
  to.close(2, end);
  write_envelope_head(envelope, to);
  return to.finish();
}

void from_protobuf(std::string_view bytes, const reflect::Type& type, void* to) {
  const Envelope envelope = open_envelope(bytes);
  const reflect::KindInfo* kind = type.kind;
  const bool right = kind == nullptr || envelope.kind.empty() ||
                     (envelope.kind == kind->kind && (kind->any_group || envelope.api_version == kind->api_version));
  if (!right) {
    FieldPath{.name = "the protobuf envelope"}.fail(
        "expected " + std::string(kind->api_version) + " " + std::string(kind->kind) + ", found " +
        std::string(envelope.api_version) + " " + std::string(envelope.kind));
  }
  decode_message(envelope.object, type, to);
}

}  // namespace flyball::kube
