// Built-in kinds as protobuf, the format in which they travel and rest: byte for byte what Go writes.
//
//   std::string body = kube::to_protobuf(pod);                       // in the envelope that servers expect
//   auto pod = kube::from_protobuf<core::Pod>(body);
//   if (kube::is_protobuf(body)) ...                                 // begins with "k8s\0"
//
// Codecs walk the same tables as JSON's (reflect/facts.hpp); nothing stands between bytes and struct. Decoding passes
// over fields that this release does not know; kube::protobuf_to_json keeps them (protobuf_json.hpp).
//
// What protobuf cannot say, in Go neither: an empty list, map or bytes is the same as none. What our structs cannot
// say: a required sub-object (`selector` of a Deployment) that is set but empty counts as not set. Messages without an
// envelope have a kind only by agreement; a top-level kind travels in one.
//
// Errors are InputErrors with the field path. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/reflect/type.hpp"

namespace flyball::kube {

// What stands around an object: its kind, and the object as bytes.
struct Envelope {
  std::string_view api_version = {};
  std::string_view kind = {};
  std::string_view object = {};
  std::string_view content_encoding = {};
  std::string_view content_type = {};
};

inline constexpr std::string_view kProtobufMagic{"k8s\0", 4};

inline bool is_protobuf(std::string_view bytes) { return bytes.starts_with(kProtobufMagic); }

// The views point into `bytes`. Throws InputError when it is not an envelope.
Envelope open_envelope(std::string_view bytes);
std::string seal_envelope(const Envelope& envelope);

// The message alone, for any built-in struct.
std::string encode_message(const reflect::Type& type, const void* value);
void decode_message(std::string_view bytes, const reflect::Type& type, void* to);

// In an envelope. It names the kind; that of a WatchEvent names none, as in Go. Decoding refuses another kind's.
std::string to_protobuf(const reflect::Type& type, const void* value);
void from_protobuf(std::string_view bytes, const reflect::Type& type, void* to);

template <class T>
std::string to_protobuf(const T& value) {
  return to_protobuf(reflect::type_of<T>(), &value);
}
template <class T>
T from_protobuf(std::string_view bytes) {
  T value{};
  from_protobuf(bytes, reflect::type_of<T>(), &value);
  return value;
}

}  // namespace flyball::kube
