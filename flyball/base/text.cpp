#include "flyball/base/text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace flyball {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the UTF-8 sequence at the start of `text`; 0 when there is none. Overlong forms, surrogates and code
// points past U+10FFFF are none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
    out += c;
    return;
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u00";
  out += kHex[static_cast<unsigned char>(c) >> 4];
  out += kHex[static_cast<unsigned char>(c) & 15];
}

// "1.5" with "ms": whole and fraction without trailing zeros.
std::string fraction_text(std::int64_t amount, std::int64_t unit, std::string_view name) {
  std::string text = std::to_string(amount / unit);
  std::string digits = std::to_string(unit + amount % unit).substr(1);
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  if (!digits.empty()) text += "." + digits;
  return text.append(name);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) out += kReplacement;
    if (length == 1) append_escaped(out, text.front());
    if (length > 1) out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

void append_number(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "NaN";
    return;
  }
  if (std::isinf(number)) {
    out += number > 0 ? "+Inf" : "-Inf";
    return;
  }
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), number);
  out.append(buffer, result.ptr);
}

std::string duration_text(Duration d) {
  constexpr std::int64_t kMicro = 1'000;
  constexpr std::int64_t kMilli = 1'000'000;
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (d == Duration::min()) return "-" + duration_text(Duration::max());  // its negation does not fit
  if (d.count() < 0) return "-" + duration_text(-d);
  const std::int64_t n = d.count();
  if (n == 0) return "0s";
  if (n < kMicro) return std::to_string(n) + "ns";
  if (n < kMilli) return fraction_text(n, kMicro, "µs");
  if (n < kSecond) return fraction_text(n, kMilli, "ms");
  std::string text;
  if (n >= 3600 * kSecond) text += std::to_string(n / (3600 * kSecond)) + "h";
  if (n >= 60 * kSecond) text += std::to_string(n / (60 * kSecond) % 60) + "m";
  return text + fraction_text(n % (60 * kSecond), kSecond, "s");
}

std::string rfc3339_millis(WallTime time) {
  using namespace std::chrono;
  const auto millis = floor<milliseconds>(time);
  const auto day = floor<days>(millis);
  const year_month_day date(day);
  const hh_mm_ss clock(millis - day);
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return buffer;
}

}  // namespace flyball
