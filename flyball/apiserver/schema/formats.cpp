#include "flyball/apiserver/schema/formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include <arpa/inet.h>

#include "flyball/base/error.hpp"
#include "flyball/base/regex.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool any_text(std::string_view) { return true; }

bool is_bson_object_id(std::string_view text) { return text.size() == 24 && std::ranges::all_of(text, is_hex); }

bool has_wrong_escape(std::string_view text) {
  for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
    if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return true;
  }
  return false;
}

bool is_authority(std::string_view text) {
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) text.remove_prefix(at + 1);
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  } else {
    const std::size_t colon = text.find(':');
    const std::string_view host = text.substr(0, colon);
    if (host.find_first_of(" {}|\\^`") != std::string_view::npos || has_wrong_escape(host)) return false;
    text = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  return text.empty() || (text[0] == ':' && std::ranges::all_of(text.substr(1), is_digit));
}

// As Go's url.ParseRequestURI: with a scheme, or a path from the root.
bool is_uri(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (text.empty() || std::ranges::any_of(text, control)) return false;
  if (text == "*") return true;
  const std::size_t colon = text.find(':');
  const std::string_view scheme = text.substr(0, colon);
  const auto in_scheme = [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; };
  const bool has_scheme = colon != std::string_view::npos && !scheme.empty() && is_letter(scheme[0]) &&
                          std::ranges::all_of(scheme, in_scheme);
  if (colon == 0) return false;
  std::string_view rest = has_scheme ? text.substr(colon + 1) : text;
  rest = rest.substr(0, rest.find('?'));
  if (!rest.starts_with('/')) return has_scheme;
  if (has_scheme && rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::string_view authority = rest.substr(0, rest.find('/'));
    if (!is_authority(authority)) return false;
    rest.remove_prefix(authority.size());
  }
  return !has_wrong_escape(rest);
}

// An address, or a name and an address in angle brackets. Comments and groups, which Go takes too, are refused.
bool is_email(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.ends_with('>')) {
    const std::size_t open = text.rfind('<');
    if (open == std::string_view::npos) return false;
    text = text.substr(open + 1, text.size() - open - 2);
  }
  static const Regex address(
      "^([A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+)*"
      "|\"([^\"\\\\\\x00-\\x1F]|\\\\[ -~])*\")@"
      "([A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+)*"
      "|\\[[0-9A-Fa-f:.]+\\])$");
  return address.search(text);
}

bool is_hostname(std::string_view text) {
  static const Regex hostname(
      "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]"
      "{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$");
  if (text.size() > 255 || !hostname.search(text)) return false;
  return std::ranges::all_of(split(text, '.'), [](std::string_view label) { return label.size() <= 63; });
}

bool is_strict_ip(std::string_view text, int family) {
  std::array<unsigned char, 16> address{};
  return inet_pton(family, std::string(text).c_str(), address.data()) == 1;
}

// Zeros in front are taken, as old Go did.
bool is_sloppy_ipv4(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() != 4) return false;
  return std::ranges::all_of(parts, [](std::string_view part) {
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && is_digit(part[0]) && value <= 255;
  });
}

bool is_ipv6(std::string_view text) { return text.find(':') != std::string_view::npos && is_strict_ip(text, AF_INET6); }

bool is_ipv4(std::string_view text) {
  return is_sloppy_ipv4(text) || (text.find('.') != std::string_view::npos && is_ipv6(text));
}

bool is_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view length = text.substr(slash + 1);
  int bits = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  if (error != std::errc() || end != length.data() + length.size() || !is_digit(length[0])) return false;
  if (is_sloppy_ipv4(text.substr(0, slash))) return bits <= 32;
  return is_ipv6(text.substr(0, slash)) && bits <= 128;
}

bool is_mac(std::string_view text) {
  static const Regex mac(
      "^([0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){7}|[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){19}"
      "|[0-9a-fA-F]{2}(-[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{2}(-[0-9a-fA-F]{2}){7}|[0-9a-fA-F]{2}(-[0-9a-fA-F]{2}){19}"
      "|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){2}|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){3}|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){9})"
      "$");
  return mac.search(text);
}

bool is_uuid(std::string_view text) {
  static const Regex uuid("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$");
  return uuid.search(text);
}

bool is_uuid3(std::string_view text) {
  static const Regex uuid("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$");
  return uuid.search(text);
}

bool is_uuid4(std::string_view text) {
  static const Regex uuid("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$");
  return uuid.search(text);
}

bool is_uuid5(std::string_view text) {
  static const Regex uuid("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$");
  return uuid.search(text);
}

std::string without(std::string_view text, bool (*dropped)(char)) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept), [&](char c) { return !dropped(c); });
  return kept;
}

bool is_isbn_space(char c) { return c == '-' || c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

bool is_isbn10(std::string_view text) {
  const std::string digits = without(text, is_isbn_space);
  if (digits.size() != 10 || !std::ranges::all_of(digits.substr(0, 9), is_digit)) return false;
  if (!is_digit(digits[9]) && digits[9] != 'X') return false;
  int sum = digits[9] == 'X' ? 100 : 10 * (digits[9] - '0');
  for (int i = 0; i < 9; ++i) sum += (i + 1) * (digits[static_cast<std::size_t>(i)] - '0');
  return sum % 11 == 0;
}

bool is_isbn13(std::string_view text) {
  const std::string digits = without(text, is_isbn_space);
  if (digits.size() != 13 || !std::ranges::all_of(digits, is_digit)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 12; ++i) sum += (i % 2 == 0 ? 1 : 3) * (digits[i] - '0');
  return (digits[12] - '0') == (10 - sum % 10) % 10;
}

bool is_isbn(std::string_view text) { return is_isbn10(text) || is_isbn13(text); }

bool is_credit_card(std::string_view text) {
  static const Regex card(
      "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])"
      "[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11})$");
  const std::string digits = without(text, [](char c) { return !is_digit(c); });
  if (!card.search(digits)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

bool is_ssn(std::string_view text) {
  static const Regex ssn("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$");
  return text.size() == 11 && ssn.search(text);
}

bool is_hex_color(std::string_view text) {
  static const Regex color("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$");
  return color.search(text);
}

bool is_rgb_color(std::string_view text) {
  static const Regex color(
      "^rgb\\(\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*"
      "(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*\\)$");
  return color.search(text);
}

bool is_base64(std::string_view text) {
  static const Regex base64("^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=|[A-Za-z0-9+\\/]{4})$");
  return base64.search(text);
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  try {
    kube::Time::parse(std::string(text) + "T00:00:00Z");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool is_date_time(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const std::vector<std::string_view> parts = split(lower, 't');
  if (lower.size() < 4 || parts.size() < 2 || !is_date(parts[0])) return false;
  static const Regex time("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");
  const std::string_view clock = parts[1];
  return time.search(clock) && clock.substr(0, 2) <= "23" && clock.substr(3, 2) <= "59" && clock.substr(6, 2) <= "59";
}

bool is_unit(std::string_view unit) {
  static const Regex known(
      "(?i)^(ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$");
  return known.search(unit);
}

bool is_go_duration(std::string_view text) {
  try {
    kube::Duration::parse(text);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Go's durations, or numbers with units in words: "22 minutes".
bool is_duration(std::string_view text) {
  if (is_go_duration(text)) return true;
  const auto in_unit = [](char c) {
    return is_letter(c) || static_cast<unsigned char>(c) == 0xC2 || static_cast<unsigned char>(c) == 0xB5;
  };
  bool found = false;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::size_t unit = end;
    while (unit < text.size() &&
           (text[unit] == ' ' || (text[unit] >= '\t' && text[unit] <= '\r' && text[unit] != '\v')))
      ++unit;
    std::size_t last = unit;
    while (last < text.size() && in_unit(text[last])) ++last;
    if (end == i || last == unit) {
      i = std::max(end, i + 1);
      continue;
    }
    if (end - i > 18) return false;
    found = found || is_unit(text.substr(unit, last - unit));
    i = last;
  }
  return found;
}

bool is_short_name(std::string_view text) {
  static const Regex name("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$");
  return text.size() <= 63 && name.search(text);
}

bool is_long_name(std::string_view text) {
  static const Regex name("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$");
  return text.size() <= 253 && name.search(text);
}

constexpr Format kFormats[] = {
    {"bsonobjectid", is_bson_object_id},
    {"uri", is_uri},
    {"email", is_email},
    {"hostname", is_hostname},
    {"ipv4", is_ipv4},
    {"ipv6", is_ipv6},
    {"cidr", is_cidr},
    {"mac", is_mac},
    {"uuid", is_uuid},
    {"uuid3", is_uuid3},
    {"uuid4", is_uuid4},
    {"uuid5", is_uuid5},
    {"isbn", is_isbn},
    {"isbn10", is_isbn10},
    {"isbn13", is_isbn13},
    {"creditcard", is_credit_card},
    {"ssn", is_ssn},
    {"hexcolor", is_hex_color},
    {"rgbcolor", is_rgb_color},
    {"byte", is_base64},
    {"password", any_text},
    {"date", is_date},
    {"duration", is_duration},
    {"datetime", is_date_time},
    {"k8sshortname", is_short_name},
    {"k8slongname", is_long_name},
};

}  // namespace

const Format* find_format(std::string_view name) {
  const std::string plain = without(name, [](char c) { return c == '-'; });
  const auto* const found = std::ranges::find(kFormats, std::string_view(plain), &Format::name);
  return found == std::end(kFormats) ? nullptr : found;
}

bool is_checked_format(std::string_view type, std::string_view format) {
  if (type.empty() || type == "string") return find_format(format) != nullptr;
  if (type == "integer") return format == "int32" || format == "int64";
  return type == "number" && (format == "float" || format == "double");
}

}  // namespace flyball::apiserver
