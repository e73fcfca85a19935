// The flat encoding behind json::Value. Private to the room: everybody else reads through json::View.
//
// A node is one tag byte and what the tag asks for; a container holds its children one after the other, so that a
// sub-value is a contiguous run of bytes that can be copied, compared and hashed without walking it.
//
//   00            null                      40..7f  the integers 0 to 63
//   01, 02        false, true               80..ff  a string of 0 to 127 bytes, the bytes follow
//   03..06        int8, int16, int32, int64, little endian
//   07            double
//   08            string, u32 length, bytes
//   09, 0a        empty array, empty object
//   0b, 0c        small array, object:  u8 size of the contents, u8 count
//   0d, 0e        large array, object: u32 size of the contents, u32 count
//
// An object's contents are pairs of key and node. A key is its length (one byte; ff and a u32 when 255 or more) and
// its bytes. Integers always take the smallest form and keys keep the order they came in.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace flyball::json::encoding {

enum Tag : std::uint8_t {
  kNull = 0x00,
  kFalse = 0x01,
  kTrue = 0x02,
  kInt8 = 0x03,
  kInt16 = 0x04,
  kInt32 = 0x05,
  kInt64 = 0x06,
  kDouble = 0x07,
  kLongString = 0x08,
  kEmptyArray = 0x09,
  kEmptyObject = 0x0a,
  kSmallArray = 0x0b,
  kSmallObject = 0x0c,
  kLargeArray = 0x0d,
  kLargeObject = 0x0e,
  kTinyInt = 0x40,      // .. 0x7f
  kShortString = 0x80,  // .. 0xff
};

inline constexpr std::uint8_t kLongKey = 0xff;
inline constexpr std::size_t kSmallHeader = 3;
inline constexpr std::size_t kLargeHeader = 9;
inline constexpr std::size_t kMaxShortString = 127;
inline constexpr std::int64_t kMaxTinyInt = 63;

template <class T>
T load(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void store(std::uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

inline bool is_object(std::uint8_t tag) { return tag == kSmallObject || tag == kLargeObject || tag == kEmptyObject; }
inline bool is_array(std::uint8_t tag) { return tag == kSmallArray || tag == kLargeArray || tag == kEmptyArray; }

// The contents of a container: from `begin` to `end`, `count` children.
struct Contents {
  const std::uint8_t* begin;
  const std::uint8_t* end;
  std::size_t count;
};

inline Contents contents(const std::uint8_t* node) {
  switch (*node) {
    case kSmallArray:
    case kSmallObject: return {node + kSmallHeader, node + kSmallHeader + node[1], node[2]};
    case kLargeArray:
    case kLargeObject: {
      const auto* begin = node + kLargeHeader;
      return {begin, begin + load<std::uint32_t>(node + 1), load<std::uint32_t>(node + 5)};
    }
    default: return {node + 1, node + 1, 0};
  }
}

// The first byte after a node.
inline const std::uint8_t* skip(const std::uint8_t* node) {
  const std::uint8_t tag = *node;
  if (tag >= kShortString) return node + 1 + (tag - kShortString);
  switch (tag) {
    case kInt8: return node + 2;
    case kInt16: return node + 3;
    case kInt32: return node + 5;
    case kInt64:
    case kDouble: return node + 9;
    case kLongString: return node + 5 + load<std::uint32_t>(node + 1);
    case kSmallArray:
    case kSmallObject: return node + kSmallHeader + node[1];
    case kLargeArray:
    case kLargeObject: return node + kLargeHeader + load<std::uint32_t>(node + 1);
    default: return node + 1;
  }
}

// Reads the key at `at` and moves `at` to the value behind it.
inline std::string_view take_key(const std::uint8_t*& at) {
  std::size_t length = *at++;
  if (length == kLongKey) {
    length = load<std::uint32_t>(at);
    at += sizeof(std::uint32_t);
  }
  const std::string_view key(reinterpret_cast<const char*>(at), length);
  at += length;
  return key;
}

inline std::string_view string_at(const std::uint8_t* node) {
  if (*node >= kShortString) {
    return {reinterpret_cast<const char*>(node + 1), static_cast<std::size_t>(*node - kShortString)};
  }
  return {reinterpret_cast<const char*>(node + 5), load<std::uint32_t>(node + 1)};
}

inline std::int64_t int_at(const std::uint8_t* node) {
  switch (*node) {
    case kInt8: return load<std::int8_t>(node + 1);
    case kInt16: return load<std::int16_t>(node + 1);
    case kInt32: return load<std::int32_t>(node + 1);
    case kInt64: return load<std::int64_t>(node + 1);
    default: return *node - kTinyInt;
  }
}

inline constexpr std::uint8_t kStaticNull[] = {kNull};

}  // namespace flyball::json::encoding
