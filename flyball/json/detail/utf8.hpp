// UTF-8: checking and measuring. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flyball::json {

// The length of the valid UTF-8 sequence at `at`, 0 when it is not one. Overlong forms, surrogates and code points
// beyond U+10FFFF are not valid.
inline std::size_t utf8_length(const char* at, const char* end) {
  const auto byte = [at](std::size_t i) { return static_cast<std::uint8_t>(at[i]); };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const auto left = static_cast<std::size_t>(end - at);
  if (left == 0) return 0;
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return left >= 2 && follows(1) ? 2 : 0;
  if (first < 0xf0) {
    if (left < 3 || !follows(1) || !follows(2)) return 0;
    const bool overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first > 0xf4 || left < 4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  const bool overlong = first == 0xf0 && byte(1) < 0x90;
  const bool beyond = first == 0xf4 && byte(1) >= 0x90;
  return overlong || beyond ? 0 : 4;
}

// The code point of one valid sequence.
inline std::uint32_t utf8_point(std::string_view sequence) {
  const auto first = static_cast<std::uint8_t>(sequence.front());
  std::uint32_t point = sequence.size() == 1 ? first : first & (0x7fU >> sequence.size());
  for (const char next : sequence.substr(1)) point = (point << 6) | (static_cast<std::uint8_t>(next) & 0x3fU);
  return point;
}

}  // namespace flyball::json
