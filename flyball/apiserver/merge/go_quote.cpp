#include "flyball/apiserver/merge/go_quote.hpp"

#include <cstdint>

namespace flyball::apiserver::merge {

namespace {

constexpr char kHex[] = "0123456789abcdef";

bool append_known_escape(char c, std::string& to) {
  switch (c) {
    case '"': to += "\\\""; return true;
    case '\\': to += "\\\\"; return true;
    case '\a': to += "\\a"; return true;
    case '\b': to += "\\b"; return true;
    case '\f': to += "\\f"; return true;
    case '\n': to += "\\n"; return true;
    case '\r': to += "\\r"; return true;
    case '\t': to += "\\t"; return true;
    case '\v': to += "\\v"; return true;
    default: return false;
  }
}

// The unprintable characters beyond ASCII that turn up in practice.
bool is_printable(std::uint32_t c) {
  if (c >= 0x80 && c <= 0xa0) return false;
  if (c == 0xad || c == 0x3000 || c == 0xfeff || c == 0x1680) return false;
  if (c >= 0x2000 && c <= 0x200f) return false;
  if (c >= 0x2028 && c <= 0x202f) return false;
  return c < 0x205f || c > 0x206f;
}

std::size_t sequence_length(unsigned char first) {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

std::uint32_t code_point(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = first & (0xffU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

}  // namespace

std::string go_quote(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      ++i;
      if (append_known_escape(static_cast<char>(c), quoted)) continue;
      if (c >= 0x20 && c != 0x7f) {
        quoted += static_cast<char>(c);
      } else {
        quoted.append("\\x") += kHex[c >> 4U];
        quoted += kHex[c & 0xfU];
      }
      continue;
    }
    const std::string_view sequence = text.substr(i, sequence_length(c));
    i += sequence.size();
    const std::uint32_t code = code_point(sequence);
    if (is_printable(code)) {
      quoted += sequence;
      continue;
    }
    quoted += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) quoted += kHex[(code >> shift) & 0xfU];
  }
  return quoted += '"';
}

}  // namespace flyball::apiserver::merge
