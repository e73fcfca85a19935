// The wire formats: which to ask for, which came, and objects to bytes and back.
//
//   request.headers.set("Accept", accept_header(Extent::whole, true));
//   decode_object(answer, type, &pod);
//
// Built-in kinds go as protobuf where the server speaks it, everything else as JSON. What came is decided by the
// answer's Content-Type, never by what was asked for.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "flyball/client/engine.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::client {

enum class Format : std::uint8_t { json, protobuf };

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// How much of an object is asked for.
enum class Extent : std::uint8_t { whole, metadata };

std::string_view content_type(Format format);
std::string accept_header(Extent extent, bool protobuf);
std::string accept_list_header(Extent extent, bool protobuf);

// Throws Error when the answer is neither: with the request, what it is, and how it begins.
Format format_of(const Answer& answer);

// `object` with apiVersion and kind, where it does not say what it is: an item of a built-in list does not.
json::Value with_kind(json::Value object, const GroupVersionKind& kind);

// A whole document. Protobuf needs a type that has it.
std::string encode_object(const reflect::Type& type, const void* object, Format format);
// Errors name the request.
void decode_object(const Answer& answer, const reflect::Type& type, void* to);
// One item of a list: a message without an envelope, or JSON that may lack apiVersion and kind. A dynamic value gets
// those of `kind`.
void decode_item(std::string_view item, Format format, const reflect::Type& type, const GroupVersionKind& kind,
                 void* to);

}  // namespace flyball::client
