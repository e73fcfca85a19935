// The protobuf forms of Kubernetes' own words, and looking up fields: what both protobuf readers share. Private to the
// room.
#pragma once

#include <cstddef>
#include <string_view>

#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/reflect/facts.hpp"

namespace flyball::kube::detail {

// How a value of that type is sent.
constexpr Wire wire_of(reflect::ProtoType type) {
  switch (type) {
    case reflect::ProtoType::boolean:
    case reflect::ProtoType::int32:
    case reflect::ProtoType::int64: return Wire::varint;
    case reflect::ProtoType::float64: return Wire::fixed64;
    default: return Wire::bytes;
  }
}

// Writers send fields by ascending number, and lists item after item: the search goes on where the last one ended.
inline const reflect::ProtoField* find_number(const reflect::ProtoMessage& message, std::uint32_t number,
                                              std::size_t& hint) {
  const reflect::ProtoField* fields = message.fields.data();
  const std::size_t count = message.fields.size();
  if (hint == count || fields[hint].number > number) hint = 0;
  while (hint != count && fields[hint].number < number) ++hint;
  return hint != count && fields[hint].number == number ? &fields[hint] : nullptr;
}

// The bytes of field 1; empty when there is none.
std::string_view read_first_bytes(std::string_view message, const FieldPath& path);

Quantity read_quantity(std::string_view message, const FieldPath& path);
IntOrString read_int_or_string(std::string_view message, const FieldPath& path);
Time read_time(std::string_view message, const FieldPath& path);
MicroTime read_micro_time(std::string_view message, const FieldPath& path);
Duration read_duration(std::string_view message, const FieldPath& path);

}  // namespace flyball::kube::detail
