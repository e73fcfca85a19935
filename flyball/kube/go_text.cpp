#include "flyball/kube/go_text.hpp"

#include <algorithm>
#include <limits>

namespace flyball::kube::go {

namespace {

constexpr char kHex[] = "0123456789abcdef";

struct Character {
  char32_t code = 0;
  std::size_t size = 0;  // 0: not UTF-8
};

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return {};
  char32_t code = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, size};
}

bool is_printable(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  // Controls, spaces other than U+0020, formatting characters, private use, noncharacters.
  constexpr Range kHidden[] = {
      {0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x1680, 0x1680},
      {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},
      {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF},
  };
  return std::ranges::none_of(kHidden, [c](Range range) { return c >= range.first && c <= range.last; });
}

void append_hex(std::string& out, char32_t code, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kHex[(code >> shift) & 0xF];
}

void append_hidden(std::string& out, char32_t code) {
  constexpr std::string_view kNamed = "\a\b\f\n\r\t\v";
  constexpr std::string_view kNames = "abfnrtv";
  const std::size_t named = code < 0x80 ? kNamed.find(static_cast<char>(code)) : std::string_view::npos;
  if (named != std::string_view::npos) {
    out += {'\\', kNames[named]};
  } else if (code < 0x80) {
    out += "\\x";
    append_hex(out, code, 2);
  } else {
    out += code < 0x10000 ? "\\u" : "\\U";
    append_hex(out, code, code < 0x10000 ? 4 : 8);
  }
}

}  // namespace

ParsedInt parse_int64(std::string_view text) {
  using Limits = std::numeric_limits<std::int64_t>;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return {0, IntError::syntax};
  const ParsedInt out_of_range{negative ? Limits::min() : Limits::max(), IntError::range};
  // Unsigned, and from left to right, because what stands first decides which of two mistakes Go names.
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {0, IntError::syntax};
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (__builtin_mul_overflow(value, 10U, &value) || __builtin_add_overflow(value, digit, &value)) return out_of_range;
  }
  constexpr auto kMax = static_cast<std::uint64_t>(Limits::max());
  if (value > kMax + (negative ? 1 : 0)) return out_of_range;
  return {static_cast<std::int64_t>(negative ? 0 - value : value), IntError::none};
}

std::string_view describe(IntError error) { return error == IntError::range ? "value out of range" : "invalid syntax"; }

std::string quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Character c = decode(text);
    if (c.size == 0) {
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(text[0]), 2);
    } else if (c.code == '"' || c.code == '\\') {
      out += {'\\', text[0]};
    } else if (is_printable(c.code)) {
      out += text.substr(0, c.size);
    } else {
      append_hidden(out, c.code);
    }
    text.remove_prefix(std::max<std::size_t>(c.size, 1));
  }
  return out + '"';
}

std::size_t character_size(std::string_view text) { return std::max<std::size_t>(decode(text).size, 1); }

}  // namespace flyball::kube::go
