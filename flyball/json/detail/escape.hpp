// The escapes of JSON strings. Private to the room.
#pragma once

#include <cstdint>

namespace flyball::json {

inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The four digits behind \u, or -1.
inline int hex4(const char* at, const char* end) {
  if (end - at < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(at[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// Writes a code point as UTF-8 and returns the place behind it.
inline char* put_utf8(std::uint32_t point, char* to) {
  const auto put = [&to](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | (point >> 6));
    put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3f));
    put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3f));
    put(0x80 | ((point >> 6) & 0x3f));
    put(0x80 | (point & 0x3f));
  }
  return to;
}

// With `from` behind a backslash: moves it over the escape and writes what it stands for, at most four bytes and never
// more than the escape took. False when it is no escape.
inline bool decode_escape(const char*& from, const char* end, char*& to) {
  if (from == end) return false;
  const char letter = *from++;
  switch (letter) {
    case '"':
    case '\\':
    case '/': *to++ = letter; return true;
    case 'b': *to++ = '\b'; return true;
    case 'f': *to++ = '\f'; return true;
    case 'n': *to++ = '\n'; return true;
    case 'r': *to++ = '\r'; return true;
    case 't': *to++ = '\t'; return true;
    case 'u': break;
    default: return false;
  }
  const int digits = hex4(from, end);
  if (digits < 0) return false;
  from += 4;
  auto point = static_cast<std::uint32_t>(digits);
  if (point >= 0xd800 && point < 0xe000) {
    // A high surrogate and a low one make one character; anything else is replaced, as Go does.
    const bool pair = point < 0xdc00 && end - from >= 6 && from[0] == '\\' && from[1] == 'u';
    const int low = pair ? hex4(from + 2, end) : -1;
    if (low >= 0xdc00 && low < 0xe000) {
      point = 0x10000 + ((point - 0xd800) << 10) + (static_cast<std::uint32_t>(low) - 0xdc00);
      from += 6;
    } else {
      point = 0xfffd;
    }
  }
  to = put_utf8(point, to);
  return true;
}

}  // namespace flyball::json
