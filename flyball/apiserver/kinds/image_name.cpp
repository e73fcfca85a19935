#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/apiserver/kinds/pod_defaults.hpp"

// Image names as container registries read them: [domain/]path[:tag][@digest].
namespace flyball::apiserver {
namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestTag = 128;
constexpr std::size_t kIdentifier = 64;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

// Runs of letters and digits, joined by one dot, one or two underscores, or any number of dashes.
bool is_path_component(std::string_view text) {
  if (text.empty() || !is_lower_or_digit(text.front()) || !is_lower_or_digit(text.back())) return false;
  for (std::size_t at = 0; at < text.size();) {
    if (is_lower_or_digit(text[at])) {
      ++at;
      continue;
    }
    const char joint = text[at];
    std::size_t end = at;
    while (end < text.size() && text[end] == joint) ++end;
    const std::size_t length = end - at;
    const bool fine = joint == '-' || (joint == '.' && length == 1) || (joint == '_' && length <= 2);
    if (!fine || !is_lower_or_digit(text[end])) return false;
    at = end;
  }
  return true;
}

bool is_path(std::string_view path) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (!is_path_component(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

bool is_domain(std::string_view domain) {
  const auto fine = [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']';
  };
  return !domain.empty() && std::ranges::all_of(domain, fine);
}

bool is_tag(std::string_view tag) {
  const auto word = [](char c) { return is_alphanumeric(c) || c == '_'; };
  return !tag.empty() && tag.size() <= kLongestTag && word(tag.front()) &&
         std::ranges::all_of(tag, [&](char c) { return word(c) || c == '.' || c == '-'; });
}

bool is_digest(std::string_view digest) {
  const std::size_t colon = digest.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view hex = digest.substr(colon + 1);
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return hex.size() >= kIdentifier / 2 && std::ranges::all_of(hex, is_hex);
}

// A first part is a domain when it looks like one; otherwise it belongs to the path on the usual registry.
bool is_name(std::string_view name) {
  if (name.size() > kLongestName) return false;
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return is_path(name);
  const std::string_view first = name.substr(0, slash);
  const bool upper = std::ranges::any_of(first, [](char c) { return c >= 'A' && c <= 'Z'; });
  const bool domain = first.find_first_of(".:") != std::string_view::npos || first == "localhost" || upper;
  return domain ? is_domain(first) && is_path(name.substr(slash + 1)) : is_path(name);
}

bool is_identifier(std::string_view image) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return image.size() == kIdentifier && std::ranges::all_of(image, is_hex);
}

}  // namespace

std::string image_tag(std::string_view image) {
  if (image.empty() || is_identifier(image)) return {};
  std::string_view name = image;
  bool has_digest = false;
  if (const std::size_t at = name.find('@'); at != std::string_view::npos) {
    if (!is_digest(name.substr(at + 1))) return {};
    has_digest = true;
    name = name.substr(0, at);
  }
  std::optional<std::string_view> tag;
  const std::size_t colon = name.rfind(':');
  const std::size_t slash = name.rfind('/');
  if (colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash)) {
    tag = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  if (!is_name(name) || (tag && !is_tag(*tag))) return {};
  if (tag) return std::string(*tag);
  return has_digest ? "" : "latest";
}

}  // namespace flyball::apiserver
