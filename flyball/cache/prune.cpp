#include "flyball/cache/prune.hpp"

#include <cstdint>
#include <optional>

#include "flyball/base/error.hpp"
#include "flyball/json/reader.hpp"

namespace flyball::cache {
namespace {

// Of every kind, and of its ObjectMeta.
constexpr std::uint64_t kMetadataField = 1;
constexpr std::uint64_t kManagedFieldsField = 17;

[[noreturn]] void damaged() { throw InputError({}, "metadata", "the protobuf message is cut off or damaged"); }

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80U) return value;
  }
  damaged();
}

void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) to += static_cast<char>(value | 0x80U);
  to += static_cast<char>(value);
}

struct WireField {
  std::uint64_t number = 0;
  std::string_view whole = {};  // with its tag
  std::string_view body = {};   // of one with a length
};

WireField take_field(std::string_view& bytes) {
  const std::string_view from = bytes;
  const std::uint64_t tag = take_varint(bytes);
  WireField field{.number = tag >> 3U};
  std::uint64_t size = 0;
  switch (tag & 7U) {
    case 0: take_varint(bytes); break;
    case 1: size = 8; break;
    case 2: size = take_varint(bytes); break;
    case 5: size = 4; break;
    default: damaged();
  }
  if (size > bytes.size()) damaged();
  field.body = bytes.substr(0, size);
  bytes.remove_prefix(size);
  field.whole = from.substr(0, from.size() - bytes.size());
  return field;
}

// Fills `to` only when something is left out.
bool prune_message(std::string_view metadata, std::string& to) {
  bool found = false;
  for (std::string_view rest = metadata; !rest.empty();) found |= take_field(rest).number == kManagedFieldsField;
  if (!found) return false;
  for (std::string_view rest = metadata; !rest.empty();) {
    const WireField field = take_field(rest);
    if (field.number != kManagedFieldsField) to += field.whole;
  }
  return true;
}

std::string_view prune_protobuf(std::string_view bytes, std::string& buffer) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t at = bytes.size() - rest.size();
    const WireField field = take_field(rest);
    if (field.number != kMetadataField) continue;
    std::string metadata;
    if (!prune_message(field.body, metadata)) return bytes;
    buffer.assign(bytes.substr(0, at));
    put_varint(buffer, (kMetadataField << 3U) | 2U);
    put_varint(buffer, metadata.size());
    buffer += metadata;
    buffer += rest;
    return buffer;
  }
  return bytes;
}

// Where the member stands, with its name and one comma.
struct Span {
  std::size_t from = 0;
  std::size_t to = 0;
};

std::optional<Span> managed_fields_in(std::string_view text, json::Reader& reader) {
  reader.begin_object();
  std::size_t after_the_one_before = reader.offset();
  bool first = true;
  while (const auto key = reader.next_member()) {
    const bool found = *key == "managedFields";
    reader.skip();
    const std::size_t end = reader.offset();
    if (!found) {
      after_the_one_before = end;
      first = false;
      continue;
    }
    // The comma before it goes with it; of the first member the one behind it.
    const std::size_t comma = text.find_first_not_of(" \t\r\n", end);
    if (first && comma != std::string_view::npos && text[comma] == ',') return Span{after_the_one_before, comma + 1};
    return Span{after_the_one_before, end};
  }
  return std::nullopt;
}

std::string_view prune_json(std::string_view text, std::string& buffer) {
  json::Reader reader(text);
  reader.begin_object();
  while (const auto key = reader.next_member()) {
    if (*key != "metadata" || reader.peek() != json::Kind::object) {
      reader.skip();
      continue;
    }
    const auto span = managed_fields_in(text, reader);
    if (!span) return text;
    buffer.assign(text.substr(0, span->from));
    buffer += text.substr(span->to);
    return buffer;
  }
  return text;
}

}  // namespace

std::string_view without_managed_fields(std::string_view bytes, client::Format format, std::string& buffer) {
  return format == client::Format::json ? prune_json(bytes, buffer) : prune_protobuf(bytes, buffer);
}

}  // namespace flyball::cache
