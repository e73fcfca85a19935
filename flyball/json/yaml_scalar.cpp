#include "flyball/json/detail/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "flyball/json/write.hpp"

namespace flyball::json::yaml {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 10> kTagNames = {
    "a plain value", "!!str", "!!bool", "!!int", "!!float", "!!null", "!!timestamp", "!!binary", "!!merge", "a tag"};

// The words of YAML 1.1, in exactly these spellings.
constexpr std::array<std::string_view, 11> kTrue = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                    "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kFalse = {"n",     "N",     "no",  "No",  "NO", "false",
                                                     "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> kNan = {".nan", ".NaN", ".NAN"};
constexpr std::array<std::string_view, 3> kInfinity = {".inf", ".Inf", ".INF"};

bool among(const auto& words, std::string_view text) { return std::ranges::find(words, text) != words.end(); }

Scalar of_bool(bool value) { return {.tag = Tag::boolean, .boolean = value}; }
Scalar of_double(double value) { return {.tag = Tag::floating, .floating = value}; }

std::optional<Scalar> resolve_word(std::string_view text) {
  if (text.size() > 5) return std::nullopt;
  if (among(kTrue, text)) return of_bool(true);
  if (among(kFalse, text)) return of_bool(false);
  if (among(kNull, text)) return Scalar{.tag = Tag::null};
  if (among(kNan, text)) return of_double(std::numeric_limits<double>::quiet_NaN());
  const bool sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  if (among(kInfinity, text.substr(sign ? 1 : 0))) {
    const double infinity = std::numeric_limits<double>::infinity();
    return of_double(text[0] == '-' ? -infinity : infinity);
  }
  return std::nullopt;
}

// All of `digits`, in that base, with the sign given: int64 first, uint64 where there was no sign at all.
std::optional<Scalar> whole_number(std::string_view digits, int base, char sign) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [ptr, ec] = std::from_chars(digits.data(), end, value, base);
  if (ec != std::errc() || ptr != end) return std::nullopt;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  Scalar scalar{.tag = Tag::integer};
  if (value < kLimit || (sign == '-' && value == kLimit)) {
    scalar.integer = static_cast<std::int64_t>(sign == '-' ? 0 - value : value);
  } else if (sign == 0) {
    scalar.is_unsigned = true;
    scalar.floating = static_cast<double>(value);
  } else {
    return std::nullopt;
  }
  return scalar;
}

// An integer with Go's prefixes: 0x, 0b, 0o and a leading 0 for octal. Underscores are gone already.
std::optional<Scalar> resolve_integer(std::string_view text) {
  char sign = 0;
  std::string_view digits = text;
  if (digits[0] == '+' || digits[0] == '-') {
    sign = digits[0];
    digits.remove_prefix(1);
  }
  if (digits.size() < 2 || digits[0] != '0') return whole_number(digits, 10, sign);
  const char mark = static_cast<char>(digits[1] | 0x20);
  if (mark == 'x') return whole_number(digits.substr(2), 16, sign);
  if (mark == 'o') return whole_number(digits.substr(2), 8, sign);
  if (mark != 'b') return whole_number(digits.substr(1), 8, sign);
  // goyaml looks at what follows 0b a second time, and then lets a sign pass.
  std::string_view bits = digits.substr(2);
  if (sign == 0 && digits[1] == 'b' && !bits.empty() && (bits[0] == '+' || bits[0] == '-')) {
    sign = bits[0];
    bits.remove_prefix(1);
  }
  return whole_number(bits, 2, sign);
}

// [-+]? ( .digits | digits [. digits*] ) ( [eE] [-+]? digits )?
bool looks_like_float(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0 && whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// Too large is no number at all, and so a string, as in Go.
std::optional<Scalar> resolve_float(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range) {
    // from_chars leaves the value alone; strtod's answer tells the very small from the very large.
    value = std::strtod(std::string(text).c_str(), nullptr);
    if (!std::isfinite(value)) return std::nullopt;
  }
  return of_double(value);
}

// Go's float syntax lets an underscore stand between two digits.
std::optional<std::string> without_separators(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return plain;
}

// One or two digits, at most `most`.
bool take_number(std::string_view& text, int least, int most, int* value = nullptr) {
  if (text.empty() || !is_digit(text[0])) return false;
  int number = text[0] - '0';
  const bool two = text.size() > 1 && is_digit(text[1]);
  if (two) number = number * 10 + (text[1] - '0');
  text.remove_prefix(two ? 2 : 1);
  if (value != nullptr) *value = number;
  return number >= least && number <= most;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

bool is_zone(std::string_view text) {
  if (text == "Z") return true;
  return text.size() == 6 && (text[0] == '+' || text[0] == '-') && is_digit(text[1]) && is_digit(text[2]) &&
         text[3] == ':' && is_digit(text[4]) && is_digit(text[5]) && text.substr(1, 2) <= "24" && text[4] < '6';
}

bool take_day(std::string_view& text, int year) {
  int month = 0;
  int day = 0;
  if (!take_number(text, 1, 12, &month) || !take(text, '-') || !take_number(text, 1, 31, &day)) return false;
  if (month == 2) return day <= ((year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28);
  return day <= (month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31);
}

// 2026-1-2, 2026-1-2T3:4:5.6Z, 2026-1-2 3:4:5.6
bool is_timestamp(std::string_view text) {
  if (text.size() < 5 || !std::all_of(text.begin(), text.begin() + 4, is_digit) || text[4] != '-') return false;
  int year = 0;
  std::from_chars(text.data(), text.data() + 4, year);
  text.remove_prefix(5);
  if (!take_day(text, year)) return false;
  if (text.empty()) return true;
  const char separator = text[0];
  if (separator != 'T' && separator != 't' && separator != ' ') return false;
  text.remove_prefix(1);
  if (separator == ' ') text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (!take_number(text, 0, 23) || !take(text, ':') || !take_number(text, 0, 59) || !take(text, ':') ||
      !take_number(text, 0, 59)) {
    return false;
  }
  if (text.size() > 1 && (text[0] == '.' || text[0] == ',') && is_digit(text[1])) {
    text.remove_prefix(1);
    std::size_t digits = 0;
    while (digits < text.size() && digits < 9 && is_digit(text[digits])) ++digits;
    text.remove_prefix(digits);
  }
  return separator == ' ' ? text.empty() : is_zone(text);
}

template <class T>
std::string go_g(T value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  std::array<char, 64> buffer;
  const auto print = [&](std::chars_format format) {
    return std::string(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr);
  };
  std::string text = print(std::chars_format::scientific);
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  if (exponent < -4 || exponent >= 6) return text;
  return print(std::chars_format::fixed);
}

}  // namespace

std::string_view tag_name(Tag tag) { return kTagNames[static_cast<std::size_t>(tag)]; }

Tag tag_of(std::string_view long_tag) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  if (!long_tag.starts_with(kPrefix)) return Tag::other;
  const std::string_view name = long_tag.substr(kPrefix.size());
  for (std::size_t i = 1; i + 1 < kTagNames.size(); ++i) {
    if (kTagNames[i].substr(2) == name) return static_cast<Tag>(i);
  }
  return Tag::other;
}

Scalar resolve(std::string_view text) {
  if (const auto word = resolve_word(text)) return *word;
  const char first = text[0];
  if (first == '.') {
    if (const auto plain = without_separators(text)) {
      if (const auto number = resolve_float(*plain)) return *number;
    }
    return {};
  }
  if (!is_digit(first) && first != '+' && first != '-') return {};
  if (is_timestamp(text)) return {.tag = Tag::timestamp};
  std::string plain(text);
  std::erase(plain, '_');
  if (const auto number = resolve_integer(plain)) return *number;
  if (const auto number = resolve_float(plain)) return *number;
  return {};
}

std::optional<Scalar> resolve_tagged(Tag tag, std::string_view text, Tag& found) {
  if (tag == Tag::none) return resolve(text);
  if (tag == Tag::string || tag == Tag::binary || tag == Tag::merge || tag == Tag::other) return Scalar{};
  Scalar scalar = resolve(text);
  found = scalar.tag;
  if (found == tag) return scalar;
  if (tag == Tag::floating && found == Tag::integer && !scalar.is_unsigned) {
    return of_double(static_cast<double>(scalar.integer));
  }
  return std::nullopt;
}

std::optional<std::int64_t> as_json_integer(double value) {
  std::string text;
  write_number(value, text);
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  const auto [ptr, ec] = std::from_chars(text.data(), end, integer);
  if (ec != std::errc() || ptr != end) return std::nullopt;
  return integer;
}

std::optional<std::string> key_text(const Scalar& scalar, std::string_view text) {
  switch (scalar.tag) {
    case Tag::boolean: return scalar.boolean ? "true" : "false";
    case Tag::integer:
      if (scalar.is_unsigned) return std::nullopt;
      return std::to_string(scalar.integer);
    // Go prints float keys with the precision of a float32.
    case Tag::floating: return format_g(static_cast<float>(scalar.floating));
    case Tag::null: return std::nullopt;
    default: return std::string(text);
  }
}

std::string format_g(double value) { return go_g(value); }
std::string format_g(float value) { return go_g(value); }

// [-+]? digit [digit_]* ( : [0-5]?digit )+ ( . [digit_]* )?
bool is_base60(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return false;
  if (text[0] == '+' || text[0] == '-') text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  const auto skip_digits = [&text] {
    while (!text.empty() && (is_digit(text[0]) || text[0] == '_')) text.remove_prefix(1);
  };
  skip_digits();
  if (text.empty() || text[0] != ':') return false;
  while (take(text, ':')) {
    if (!take_number(text, 0, 59)) return false;
  }
  if (take(text, '.')) skip_digits();
  return text.empty();
}

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string digits;
  for (const char c : text) {
    if (c != '\n' && c != '\r') digits += c;
  }
  if (digits.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < digits.size() && digits[digits.size() - 1 - padding] == '=') ++padding;
  digits.resize(digits.size() - padding);
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : digits) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> held) & 0xff);
  }
  return bytes;
}

}  // namespace flyball::json::yaml
