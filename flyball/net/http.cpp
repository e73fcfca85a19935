#include "flyball/net/http.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace flyball::net {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_token_char(char c) noexcept {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool list_has(std::string_view list, std::string_view word) noexcept {
  while (true) {
    const std::size_t comma = list.find(',');
    if (same_name(trimmed(list.substr(0, comma)), word)) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

const std::string* Headers::find(std::string_view name) const noexcept {
  for (const Field& field : fields_) {
    if (same_name(field.name, name)) return &field.value;
  }
  return nullptr;
}

std::string_view Headers::get(std::string_view name) const noexcept {
  const std::string* value = find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::size_t Headers::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(fields_.begin(), fields_.end(), [&](const Field& field) { return same_name(field.name, name); }));
}

bool Headers::has_word(std::string_view name, std::string_view word) const noexcept {
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const Field& field) { return same_name(field.name, name) && list_has(field.value, word); });
}

void Headers::set(std::string_view name, std::string value) {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!same_name(fields_[i].name, name)) continue;
    fields_[i].value = std::move(value);
    const auto again = [&](const Field& field) { return same_name(field.name, name); };
    fields_.erase(std::remove_if(fields_.begin() + static_cast<std::ptrdiff_t>(i) + 1, fields_.end(), again),
                  fields_.end());
    return;
  }
  add(std::string(name), std::move(value));
}

void Headers::remove(std::string_view name) {
  std::erase_if(fields_, [&](const Field& field) { return same_name(field.name, name); });
}

std::string_view status_text(int status) noexcept {
  static constexpr std::array<std::pair<int, std::string_view>, 37> kWords{{
      {100, "Continue"},
      {101, "Switching Protocols"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {206, "Partial Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {407, "Proxy Authentication Required"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {411, "Length Required"},
      {412, "Precondition Failed"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {422, "Unprocessable Entity"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {505, "HTTP Version Not Supported"},
  }};
  for (const auto& [code, words] : kWords) {
    if (code == status) return words;
  }
  return {};
}

}  // namespace flyball::net
