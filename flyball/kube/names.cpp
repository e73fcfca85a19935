#include "flyball/kube/names.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace flyball::kube::names {

namespace {

constexpr std::string_view kLabelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kSubdomainPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
constexpr std::string_view kKeyPattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kKeyRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character";
constexpr std::string_view kNotEmpty = "must be non-empty";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
bool is_lower_alnum(char c) { return is_lower(c) || is_digit(c); }
bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// One or more of `middle`, with `edge` at both ends.
template <class Edge, class Middle>
bool is_word(std::string_view text, Edge edge, Middle middle) {
  return !text.empty() && edge(text.front()) && edge(text.back()) && std::ranges::all_of(text, middle);
}

template <class Accepts>
bool every_part(std::string_view text, char between, Accepts accepts) {
  while (true) {
    const std::size_t at = text.find(between);
    if (!accepts(text.substr(0, at))) return false;
    if (at == std::string_view::npos) return true;
    text.remove_prefix(at + 1);
  }
}

bool is_dns1123_label(std::string_view text) {
  return is_word(text, is_lower_alnum, [](char c) { return is_lower_alnum(c) || c == '-'; });
}

bool is_dns1123_subdomain(std::string_view text) { return every_part(text, '.', is_dns1123_label); }

// _?[a-z0-9]([-_a-z0-9]*[a-z0-9])?
bool is_label_with_underscore(std::string_view text) {
  if (text.starts_with('_')) text.remove_prefix(1);
  return is_word(text, is_lower_alnum, [](char c) { return is_lower_alnum(c) || c == '-' || c == '_'; });
}

bool is_key_name(std::string_view text) {
  return is_word(text, is_alnum, [](char c) { return is_alnum(c) || is_one_of(c, "-_."); });
}

std::string regex_message(std::string_view rule, std::string_view pattern,
                          std::initializer_list<std::string_view> examples) {
  std::string text(rule);
  text += " (e.g. ";
  for (const std::string_view& example : examples) {
    if (&example != examples.begin()) text += " or ";
    text += "'" + std::string(example) + "', ";
  }
  return text + "regex used for validation is '" + std::string(pattern) + "')";
}

// Kubernetes counts bytes, and calls them characters in its older messages.
std::string too_long(std::size_t limit, std::string_view unit) {
  return "must be no more than " + std::to_string(limit) + " " + std::string(unit);
}

Messages dns_messages(std::string_view value, std::size_t limit, bool fits, std::string problem) {
  Messages messages;
  if (value.size() > limit) messages.push_back(too_long(limit, "characters"));
  if (!fits) messages.push_back(std::move(problem));
  return messages;
}

void add_dots_message(std::string_view value, Messages& messages) {
  if (value == "." || value == "..") {
    messages.push_back("must not be '" + std::string(value) + "'");
  } else if (value.starts_with("..")) {
    messages.emplace_back("must not start with '..'");
  }
}

Messages key_prefix_messages(std::string_view prefix) {
  if (prefix.empty()) return {"prefix part " + std::string(kNotEmpty)};
  Messages messages;
  if (prefix.size() > 253) messages.push_back("prefix part " + too_long(253, "bytes"));
  if (!is_dns1123_subdomain(prefix)) {
    messages.push_back("prefix part " + regex_message(kSubdomainRule, kSubdomainPattern, {"example.com"}));
  }
  return messages;
}

std::string key_regex_message() { return regex_message(kKeyRule, kKeyPattern, {"MyName", "my.name", "123-abc"}); }

}  // namespace

Messages dns1123_label(std::string_view value) {
  const std::string problem =
      is_dns1123_subdomain(value)
          ? "must not contain dots"
          : regex_message(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
                "and end with an alphanumeric character",
                kLabelPattern, {"my-name", "123-abc"});
  return dns_messages(value, 63, is_dns1123_label(value), problem);
}

Messages dns1123_subdomain(std::string_view value) {
  return dns_messages(value, 253, is_dns1123_subdomain(value),
                      regex_message(kSubdomainRule, kSubdomainPattern, {"example.com"}));
}

Messages dns1123_subdomain_with_underscore(std::string_view value) {
  return dns_messages(
      value, 253, every_part(value, '.', is_label_with_underscore),
      regex_message("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or "
                    "'.', and must start and end with an alphanumeric character",
                    "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*", {"example.com"}));
}

Messages dns1035_label(std::string_view value) {
  return dns_messages(
      value, 63, is_dns1123_label(value) && is_lower(value.front()),
      regex_message("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                    "alphabetic character, and end with an alphanumeric character",
                    "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
}

Messages wildcard_dns1123_subdomain(std::string_view value) {
  return dns_messages(
      value, 253, value.starts_with("*.") && is_dns1123_subdomain(value.substr(2)),
      regex_message("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must "
                    "consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
                    "\\*\\." + std::string(kSubdomainPattern), {"*.example.com"}));
}

Messages path_segment(std::string_view value) {
  if (value == "." || value == "..") return {"may not be '" + std::string(value) + "'"};
  return path_segment_prefix(value);
}

Messages path_segment_prefix(std::string_view value) {
  Messages messages;
  for (const char c : {'/', '%'}) {
    if (value.find(c) != std::string_view::npos) messages.push_back(std::string("may not contain '") + c + "'");
  }
  return messages;
}

std::string mask_trailing_dash(std::string_view prefix) {
  std::string masked(prefix);
  if (masked.size() > 1 && masked.ends_with('-')) masked.replace(masked.size() - 2, 2, "a");
  return masked;
}

Messages label_key(std::string_view value) {
  const std::size_t slash = value.find('/');
  Messages messages;
  std::string_view name = value;
  if (slash != std::string_view::npos) {
    name = value.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {"a valid label key " + key_regex_message() +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    messages = key_prefix_messages(value.substr(0, slash));
  }
  if (name.empty()) messages.push_back("name part " + std::string(kNotEmpty));
  if (name.size() > 63) messages.push_back("name part " + too_long(63, "bytes"));
  if (!is_key_name(name)) messages.push_back("name part " + key_regex_message());
  return messages;
}

Messages label_value(std::string_view value) {
  Messages messages;
  if (value.size() > 63) messages.push_back(too_long(63, "bytes"));
  if (!value.empty() && !is_key_name(value)) {
    messages.push_back(
        regex_message("a valid label must be an empty string or consist of alphanumeric characters, "
                      "'-', '_' or '.', and must start and end with an alphanumeric character",
                      "(" + std::string(kKeyPattern) + ")?", {"MyValue", "my_value", "12345"}));
  }
  return messages;
}

Messages annotation_key(std::string_view value) {
  std::string lower(value);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return label_key(lower);
}

Messages annotations_size(const Labels& annotations) {
  std::size_t size = 0;
  for (const auto& [key, value] : annotations) size += key.size() + value.size();
  if (size <= kAnnotationsLimit) return {};
  return {"may not be more than " + std::to_string(kAnnotationsLimit) + " bytes"};
}

Messages port_name(std::string_view value) {
  Messages messages;
  if (value.size() > 15) messages.push_back(too_long(15, "characters"));
  if (value.empty() || !std::ranges::all_of(value, [](char c) { return is_lower_alnum(c) || c == '-'; })) {
    messages.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::ranges::none_of(value, is_lower)) messages.emplace_back("must contain at least one letter (a-z)");
  if (value.find("--") != std::string_view::npos) messages.emplace_back("must not contain consecutive hyphens");
  if (value.starts_with('-') || value.ends_with('-')) messages.emplace_back("must not begin or end with a hyphen");
  return messages;
}

Messages in_range(std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return {"must be between " + std::to_string(low) + " and " + std::to_string(high) + ", inclusive"};
}

Messages port_number(std::int64_t value) { return in_range(value, 1, 65535); }
Messages user_id(std::int64_t value) { return in_range(value, 0, std::numeric_limits<std::int32_t>::max()); }
Messages group_id(std::int64_t value) { return user_id(value); }

Messages env_var_name(std::string_view value) {
  const bool fits = !value.empty() && !is_digit(value.front()) &&
                    std::ranges::all_of(value, [](char c) { return is_alnum(c) || is_one_of(c, "-._"); });
  Messages messages;
  if (!fits) {
    messages.push_back(
        regex_message("a valid environment variable name must consist of alphabetic characters, digits, "
                      "'_', '-', or '.', and must not start with a digit",
                      "[-._a-zA-Z][-._a-zA-Z0-9]*", {"my.env-name", "MY_ENV.NAME", "MyEnvName1"}));
  }
  add_dots_message(value, messages);
  return messages;
}

Messages relaxed_env_var_name(std::string_view value) {
  if (value.empty()) return {"environment variable name " + std::string(kNotEmpty)};
  if (std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~' && c != '='; })) return {};
  return {"a valid environment variable name must consist only of printable ASCII characters other than '='"};
}

Messages config_map_key(std::string_view value) {
  const bool fits =
      !value.empty() && std::ranges::all_of(value, [](char c) { return is_alnum(c) || is_one_of(c, "-._"); });
  Messages messages =
      dns_messages(value, 253, fits,
                   regex_message("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
                                 "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  add_dots_message(value, messages);
  return messages;
}

Messages c_identifier(std::string_view value) {
  if (!value.empty() && !is_digit(value.front()) &&
      std::ranges::all_of(value, [](char c) { return is_alnum(c) || c == '_'; })) {
    return {};
  }
  return {
      regex_message("a valid C identifier must start with alphabetic character or '_', followed by a string of "
                    "alphanumeric characters or '_'",
                    "[A-Za-z_][A-Za-z0-9_]*", {"my_name", "MY_NAME", "MyName"})};
}

Messages percent(std::string_view value) {
  if (value.size() > 1 && value.ends_with('%') && std::ranges::all_of(value.substr(0, value.size() - 1), is_digit)) {
    return {};
  }
  return {regex_message("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%",
                        {"1%", "93%"})};
}

Messages http_header_name(std::string_view value) {
  if (!value.empty() && std::ranges::all_of(value, [](char c) { return is_alnum(c) || c == '-'; })) return {};
  return {regex_message("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+",
                        {"X-Header-Name"})};
}

Messages decimal_integer(std::string_view value) {
  if (value.empty()) return {std::string(kNotEmpty)};
  if (value == "0") return {};
  if (value.starts_with('-')) value.remove_prefix(1);
  if (!value.empty() && value.front() != '0' && std::ranges::all_of(value, is_digit)) return {};
  return {"must be a valid decimal integer in canonical form"};
}

}  // namespace flyball::kube::names
