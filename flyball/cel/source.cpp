#include "flyball/cel/source.hpp"

#include <algorithm>

namespace flyball::cel {
namespace {

constexpr std::size_t kMostIssues = 100;
constexpr std::size_t kLongestLine = 16384;

std::string shown(const Issue& issue, const Source& source) {
  const Location at = issue.location;
  std::string text =
      "ERROR: <input>:" + std::to_string(at.line) + ":" + std::to_string(at.column + 1) + ": " + issue.message;
  if (at.line < 1 || at.column < 0) return text;
  std::string line = source.line(at.line);
  if (line.size() > kLongestLine) return text;
  std::ranges::replace(line, '\t', ' ');
  const std::u32string characters = from_utf8(line);
  text += "\n | " + line + "\n | ";
  for (std::size_t i = 0; i < static_cast<std::size_t>(at.column) && i < characters.size(); ++i) {
    text += characters[i] < 0x80 ? "." : "\xEF\xBC\x8E";
  }
  const auto column = static_cast<std::size_t>(at.column);
  return text + (column < characters.size() && characters[column] >= 0x80 ? "\xEF\xBC\xBE" : "^");
}

}  // namespace

void append_utf8(std::string& to, char32_t c) {
  const auto tail = [&](int shift) { to += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    to += static_cast<char>(c);
  } else if (c < 0x800) {
    to += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    to += static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::u32string from_utf8(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byte(i);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
    char32_t c = size == 1 ? first : first & (0x7FU >> size);
    bool valid = size > 0;
    for (std::size_t k = 1; valid && k < size; ++k) {
      valid = (byte(i + k) & 0xC0U) == 0x80U;
      c = c << 6 | (byte(i + k) & 0x3FU);
    }
    const bool wrong_three = size == 3 && (c < 0x800 || (c >= 0xD800 && c < 0xE000));
    const bool wrong_four = size == 4 && (c < 0x10000 || c > 0x10FFFF);
    valid = valid && !wrong_three && !wrong_four;
    characters += valid ? c : U'\xFFFD';
    i += valid ? size : 1;
  }
  return characters;
}

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t c : text) append_utf8(bytes, c);
  return bytes;
}

Source::Source(std::string_view text) : characters_(from_utf8(text)), line_starts_{0} {
  for (std::size_t i = 0; i < characters_.size(); ++i) {
    if (characters_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Location Source::location(std::size_t offset) const {
  const auto behind = std::ranges::upper_bound(line_starts_, offset);
  return {.line = behind - line_starts_.begin(), .column = static_cast<std::int64_t>(offset - *(behind - 1))};
}

std::string Source::line(std::int64_t number) const {
  const auto index = static_cast<std::size_t>(number - 1);
  if (index >= line_starts_.size()) return "";
  const std::size_t end = index + 1 < line_starts_.size() ? line_starts_[index + 1] - 1 : characters_.size();
  return text(line_starts_[index], end);
}

std::string Source::text(std::size_t begin, std::size_t end) const {
  return to_utf8(std::u32string_view(characters_).substr(begin, end - begin));
}

void Issues::add(Location location, std::string message) {
  ++count_;
  if (count_ <= kMostIssues) issues_.push_back({.location = location, .message = std::move(message)});
}

std::string Issues::text(const Source& source) const {
  std::vector<Issue> sorted = issues_;
  std::ranges::stable_sort(sorted, [](const Issue& a, const Issue& b) {
    return a.location.line != b.location.line ? a.location.line < b.location.line
                                              : a.location.column < b.location.column;
  });
  std::string text;
  for (const Issue& issue : sorted) text += (text.empty() ? "" : "\n") + shown(issue, source);
  if (count_ > kMostIssues) text += "\n" + std::to_string(count_ - kMostIssues) + " more errors were truncated";
  return text;
}

}  // namespace flyball::cel
