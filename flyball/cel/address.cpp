#include "flyball/cel/detail/address.hpp"

#include <algorithm>

#include "flyball/kube/go_text.hpp"

namespace flyball::cel::detail {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string& problem) : whole_(text), problem_(problem) {}

  std::optional<Address> read() {
    for (const char c : whole_) {
      if (c == '.') return read_4();
      if (c == ':') return read_6();
      if (c == '%') return fail("missing IPv6 address");
    }
    return fail("unable to parse IP");
  }

 private:
  std::nullopt_t fail(const std::string& why, std::string_view at = {}) {
    problem_ = "ParseAddr(" + kube::go::quote(whole_) + "): " + why;
    if (!at.empty()) problem_ += " (at " + kube::go::quote(at) + ")";
    return std::nullopt;
  }

  bool fields(std::string_view text, std::uint8_t* to) {
    int value = 0;
    int digits = 0;
    int place = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c >= '0' && c <= '9') {
        if (digits == 1 && value == 0) return fail("IPv4 field has octet with leading zero"), false;
        value = value * 10 + (c - '0');
        ++digits;
        if (value > 255) return fail("IPv4 field has value >255"), false;
      } else if (c == '.') {
        if (i == 0 || i + 1 == text.size() || text[i - 1] == '.') {
          return fail("IPv4 field must have at least one digit", text.substr(i)), false;
        }
        if (place == 3) return fail("IPv4 address too long"), false;
        to[place++] = static_cast<std::uint8_t>(value);
        value = 0;
        digits = 0;
      } else {
        return fail("unexpected character", text.substr(i)), false;
      }
    }
    if (place < 3) return fail("IPv4 address too short"), false;
    to[3] = static_cast<std::uint8_t>(value);
    return true;
  }

  std::optional<Address> read_4() {
    Address address{.v4 = true};
    if (!fields(whole_, address.bytes.data())) return std::nullopt;
    return address;
  }

  static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }

  std::optional<Address> read_6() {
    std::string_view s = whole_;
    Address address;
    if (const std::size_t percent = s.find('%'); percent != std::string_view::npos) {
      if (percent + 1 == s.size()) return fail("zone must be a non-empty string");
      address.zoned = true;
      s = s.substr(0, percent);
    }
    std::optional<std::size_t> gap;
    if (s.starts_with("::")) {
      gap = 0;
      s.remove_prefix(2);
      if (s.empty()) return address;
    }
    std::size_t i = 0;
    while (i < 16) {
      std::size_t off = 0;
      unsigned group = 0;
      for (; off < s.size() && hex(s[off]) >= 0; ++off) {
        group = group << 4 | static_cast<unsigned>(hex(s[off]));
        if (off > 3) return fail("each group must have 4 or less digits", s);
      }
      if (off == 0) return fail("each colon-separated field must have at least one digit", s);
      if (off < s.size() && s[off] == '.') {
        if (!gap && i != 12) return fail("embedded IPv4 address must replace the final 2 fields of the address", s);
        if (i + 4 > 16) return fail("too many hex fields to fit an embedded IPv4 at the end of the address", s);
        if (!fields(s, address.bytes.data() + i)) return std::nullopt;
        s = {};
        i += 4;
        break;
      }
      address.bytes[i] = static_cast<std::uint8_t>(group >> 8);
      address.bytes[i + 1] = static_cast<std::uint8_t>(group);
      i += 2;
      s.remove_prefix(off);
      if (s.empty()) break;
      if (s[0] != ':') return fail("unexpected character, want colon", s);
      if (s.size() == 1) return fail("colon must be followed by more characters", s);
      s.remove_prefix(1);
      if (s[0] != ':') continue;
      if (gap) return fail("multiple :: in address", s);
      gap = i;
      s.remove_prefix(1);
      if (s.empty()) break;
    }
    if (!s.empty()) return fail("trailing garbage after address", s);
    if (i == 16) {
      if (gap) return fail("the :: must expand to at least one field of zeros");
      return address;
    }
    if (!gap) return fail("address string too short");
    const auto begin = address.bytes.begin() + static_cast<std::ptrdiff_t>(*gap);
    std::rotate(begin, address.bytes.begin() + static_cast<std::ptrdiff_t>(i), address.bytes.end());
    return address;
  }

  std::string_view whole_;
  std::string& problem_;
};

std::string group_text(unsigned group) {
  std::string text;
  do text += "0123456789abcdef"[group & 15U];
  while ((group >>= 4U) > 0);
  std::ranges::reverse(text);
  return text;
}

}  // namespace

bool Address::is_4_in_6() const {
  return !v4 && std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
         bytes[10] == 0xFF && bytes[11] == 0xFF;
}

std::string Address::text() const {
  std::string made;
  if (v4) {
    for (std::size_t i = 0; i < 4; ++i) made += (i == 0 ? "" : ".") + std::to_string(bytes[i]);
    return made;
  }
  const auto group = [&](std::size_t i) { return static_cast<unsigned>(bytes[2 * i] << 8 | bytes[2 * i + 1]); };
  std::size_t gap = 8;
  std::size_t gap_end = 8;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t end = i;
    while (end < 8 && group(end) == 0) ++end;
    if (end - i >= 2 && end - i > gap_end - gap) {
      gap = i;
      gap_end = end;
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == gap) {
      made += "::";
      i = gap_end - 1;
      continue;
    }
    if (i > 0 && !made.ends_with(':')) made += ":";
    made += group_text(group(i));
  }
  return made;
}

std::optional<Address> parse_address(std::string_view text, std::string& problem) {
  return Reader(text, problem).read();
}

}  // namespace flyball::cel::detail
