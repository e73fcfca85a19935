#include "flyball/json/path.hpp"

#include <algorithm>

#include "flyball/json/write.hpp"

namespace flyball::json {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '$';
}

}  // namespace

void append_member(std::string& path, std::string_view key) {
  if (key.empty() || !std::ranges::all_of(key, is_plain)) {
    path += '[';
    write_string(key, path, false);
    path += ']';
    return;
  }
  if (!path.empty()) path += '.';
  path += key;
}

void append_index(std::string& path, std::size_t index) {
  path += '[';
  path += std::to_string(index);
  path += ']';
}

std::string path_of_pointer(std::string_view pointer) {
  std::string path;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = pointer.find('/');
    const std::string_view token = pointer.substr(0, slash);
    pointer = slash == std::string_view::npos ? std::string_view() : pointer.substr(slash);
    if (!token.empty() && std::ranges::all_of(token, is_digit)) {
      path += '[';
      path += token;
      path += ']';
      continue;
    }
    std::string key;
    for (std::size_t i = 0; i < token.size(); ++i) {
      const bool escaped = token[i] == '~' && i + 1 < token.size();
      if (escaped) ++i;
      key += !escaped ? token[i] : token[i] == '1' ? '/' : '~';
    }
    append_member(path, key);
  }
  return path;
}

}  // namespace flyball::json
