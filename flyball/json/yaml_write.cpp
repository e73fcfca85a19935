#include <algorithm>
#include <charconv>
#include <cmath>

#include "flyball/json/detail/utf8.hpp"
#include "flyball/json/detail/yaml_scalar.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::json {

namespace {

enum class Style { plain, single_quoted, double_quoted, literal };

constexpr bool is_digit(std::uint32_t c) { return c >= '0' && c <= '9'; }

// Letters beyond ASCII are not told from other signs; it matters only to the order of keys.
constexpr bool is_letter(std::uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xaa; }

std::uint32_t point_at(std::string_view text, std::size_t at, std::size_t& length) {
  length = std::max<std::size_t>(1, utf8_length(text.data() + at, text.data() + text.size()));
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])); };
  if (length == 1) return byte(0);
  std::uint32_t point = byte(0) & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = (point << 6) | (byte(i) & 0x3f);
  return point;
}

std::u32string points_of(std::string_view text) {
  std::u32string points;
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size(); at += length) points += static_cast<char32_t>(point_at(text, at, length));
  return points;
}

// The value of the run of digits at `at`, which moves behind it. Wraps like Go's int64.
std::int64_t take_run(std::u32string_view text, std::size_t& at, std::uint64_t start) {
  std::uint64_t value = start;
  for (; at < text.size() && is_digit(text[at]); ++at) value = value * 10 + (text[at] - '0');
  return static_cast<std::int64_t>(value);
}

// goyaml's order of keys at the first place where they differ.
bool differ_less(std::u32string_view a, std::u32string_view b, std::size_t at) {
  const bool a_letter = is_letter(a[at]);
  const bool b_letter = is_letter(b[at]);
  if (a_letter && b_letter) return a[at] < b[at];
  if (a_letter || b_letter) return b_letter;
  // A zero inside a number counts: the digits before it are the same in both, and stand in as a 1.
  std::uint64_t start = 0;
  if (a[at] == '0' || b[at] == '0') {
    for (std::size_t i = at; i > 0 && is_digit(a[i - 1]); --i) {
      if (a[i - 1] != '0') start = 1;
    }
  }
  std::size_t a_end = at;
  std::size_t b_end = at;
  const std::int64_t a_number = take_run(a, a_end, start);
  const std::int64_t b_number = take_run(b, b_end, start);
  if (a_number != b_number) return a_number < b_number;
  if (a_end != b_end) return a_end < b_end;
  return a[at] < b[at];
}

bool key_less(std::u32string_view a, std::u32string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a[i] != b[i]) return differ_less(a, b, i);
  }
  return a.size() < b.size();
}

std::vector<Entry> entries_of(View object, bool sorted) {
  std::vector<Entry> entries(object.entries().begin(), object.entries().end());
  if (!sorted) return entries;
  struct Keyed {
    std::u32string points;
    std::size_t index;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(entries.size());
  for (const Entry& entry : entries) keyed.push_back({points_of(entry.key), keyed.size()});
  const auto less = [](const Keyed& a, const Keyed& b) {
    return a.points == b.points ? a.index < b.index : key_less(a.points, b.points);
  };
  // A heap stays within its bounds even where goyaml's order is not a strict one.
  std::ranges::make_heap(keyed, less);
  std::ranges::sort_heap(keyed, less);
  std::vector<Entry> ordered;
  ordered.reserve(entries.size());
  for (const Keyed& each : keyed) ordered.push_back(entries[each.index]);
  return ordered;
}

// What a string needs, found in one pass.
struct Analysis {
  bool plain = true;
  bool single_quoted = true;
  bool literal = true;     // and it is more than one line
  bool multiline = false;  // to readers of YAML 1.1, who know more line ends than we do
};

// Line ends that YAML 1.1 knows and YAML 1.2 does not are special too: readers disagree about them.
bool is_special(std::uint32_t point) {
  if (point == '\n') return false;
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return true;
  return point == 0x2028 || point == 0x2029 || point == 0xfeff || point == 0xfffe || point >= 0xffff;
}

bool is_indicator_at_start(std::string_view text) {
  if (text.starts_with("---") || text.starts_with("...")) return true;
  if (std::string_view("#,[]{}&*!|>'\"%@`").find(text[0]) != std::string_view::npos) return true;
  return std::string_view("?:-").find(text[0]) != std::string_view::npos && (text.size() == 1 || text[1] == ' ');
}

bool holds_indicator(std::string_view text) {
  if (is_indicator_at_start(text)) return true;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return true;
    if (text[i] == '#' && (text[i - 1] == ' ' || text[i - 1] == '\n')) return true;
  }
  return false;
}

Analysis analyse(std::string_view text) {
  Analysis result;
  if (text.empty()) return {.plain = false, .literal = false};
  const bool lines = text.find('\n') != std::string_view::npos;
  result.multiline = lines;
  const bool blank_ends = text.front() == ' ' || text.front() == '\n' || text.back() == ' ' || text.back() == '\n';
  result.plain = !lines && !blank_ends && !holds_indicator(text);
  result.single_quoted = text.find("\n ") == std::string_view::npos;
  result.literal = lines && text.back() != ' ';
  bool special = text.find(" \n") != std::string_view::npos;
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size(); at += length) {
    const std::uint32_t point = point_at(text, at, length);
    special = special || is_special(point);
    result.multiline = result.multiline || point == '\r' || point == 0x85 || point == 0x2028 || point == 0x2029;
  }
  if (special) result.plain = result.single_quoted = result.literal = false;
  return result;
}

Style style_of(std::string_view text, const Analysis& analysis) {
  if (analysis.literal) return Style::literal;
  if (text.find('\n') != std::string_view::npos) return Style::double_quoted;
  // `<<` as a key would merge; goyaml forgets to quote it.
  if (yaml::resolve(text).tag != yaml::Tag::string || yaml::is_base60(text) || text == "<<") {
    return Style::double_quoted;
  }
  if (analysis.plain) return Style::plain;
  return analysis.single_quoted ? Style::single_quoted : Style::double_quoted;
}

class Writer {
 public:
  Writer(std::string& to, const YamlWriteOptions& options) : to_(to), options_(options) {}

  void document(View value) {
    node(value, 0, Place::root);
    if (to_.back() != '\n') to_ += '\n';
  }

 private:
  enum class Place {
    root,   // at the start of a line
    value,  // behind `key:`
    item,   // behind `- ` or `: `, where a block may start on the same line
  };

  // `indent` is the column at which a block starts.
  void node(View value, std::size_t indent, Place place) {
    if (value.is_object() && !value.empty()) return object(value, indent, place);
    if (value.is_array() && !value.empty()) return array(value, indent, place);
    if (place == Place::value) to_ += ' ';
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null: to_ += "null"; break;
      case Kind::boolean: to_ += value.as_bool() ? "true" : "false"; break;
      case Kind::integer: write_number(value.as_int(), to_); break;
      case Kind::number: number(value.as_double()); break;
      case Kind::string: {
        const std::string_view text = value.as_string();
        // The text of a root scalar is indented as if it stood in a block.
        string(text, style_of(text, analyse(text)), place == Place::root ? 2 : indent);
        break;
      }
      case Kind::array: to_ += "[]"; break;
      case Kind::object: to_ += "{}"; break;
    }
  }

  void object(View value, std::size_t indent, Place place) {
    bool inline_first = place != Place::value;
    for (const Entry& entry : entries_of(value, options_.sort_keys)) {
      if (!inline_first) new_line(indent);
      inline_first = false;
      member(entry, indent);
    }
  }

  void member(const Entry& entry, std::size_t indent) {
    const Analysis analysis = analyse(entry.key);
    constexpr std::size_t kLongestSimpleKey = 128;
    if (!analysis.multiline && entry.key.size() <= kLongestSimpleKey) {
      fold_ = false;
      string(entry.key, style_of(entry.key, analysis), indent);
      fold_ = true;
      to_ += ':';
      // A list under a key starts at the column of the key.
      node(entry.value, entry.value.is_array() ? indent : indent + 2, Place::value);
      return;
    }
    to_ += "? ";
    string(entry.key, style_of(entry.key, analysis), indent + 2);
    new_line(indent);
    to_ += ": ";
    node(entry.value, indent + 2, Place::item);
  }

  void array(View value, std::size_t indent, Place place) {
    bool inline_first = place != Place::value;
    for (View element : value.items()) {
      if (!inline_first) new_line(indent);
      inline_first = false;
      to_ += "- ";
      node(element, indent + 2, Place::item);
    }
  }

  void new_line(std::size_t indent) {
    if (!to_.empty() && to_.back() != '\n') to_ += '\n';
    to_.append(indent, ' ');
  }

  // As Go: through JSON, where a double may turn out an integer.
  void number(double value) {
    std::string text;
    write_number(value, text);
    const std::string_view digits = std::string_view(text).substr(text[0] == '-' ? 1 : 0);
    std::uint64_t whole = 0;
    const auto [ptr, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
    const bool integer = ec == std::errc() && ptr == digits.data() + digits.size();
    const bool fits = digits.size() == text.size() || whole <= std::uint64_t{1} << 63;
    to_ += !integer || !fits ? yaml::format_g(value) : value == 0 ? "0" : text;
  }

  void string(std::string_view text, Style style, std::size_t indent) {
    switch (style) {
      case Style::plain: folded(text, style, indent); break;
      case Style::literal: literal(text, indent); break;
      case Style::single_quoted:
        to_ += '\'';
        folded(text, style, indent);
        to_ += '\'';
        break;
      case Style::double_quoted:
        to_ += '"';
        folded(text, style, indent);
        to_ += '"';
        break;
    }
  }

  // Writes text that goes on in a new line, in place of a blank, once it is past column 80: as Go does.
  void folded(std::string_view text, Style style, std::size_t indent) {
    constexpr std::size_t kWidth = 80;
    std::size_t column = column_now();
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size(); at += length) {
      const std::uint32_t point = point_at(text, at, length);
      if (point == ' ' && fold_ && column > kWidth && may_fold(text, at, style)) {
        to_ += '\n';
        to_.append(indent, ' ');
        column = indent;
        if (text[at + 1] != ' ') continue;
        to_ += '\\';
        ++column;
      } else {
        const std::size_t before = to_.size();
        character(point, text.substr(at, length), style);
        // Escapes are ASCII.
        column += static_cast<unsigned char>(to_[before]) < 0x80 ? to_.size() - before : 1;
      }
    }
  }

  static bool may_fold(std::string_view text, std::size_t at, Style style) {
    if (at == 0 || at + 1 == text.size() || text[at - 1] == ' ') return false;
    return style == Style::double_quoted || text[at + 1] != ' ';
  }

  void character(std::uint32_t point, std::string_view bytes, Style style) {
    if (style == Style::single_quoted && point == '\'') to_ += '\'';
    if (style == Style::double_quoted && (point == '"' || point == '\\' || point == '\n' || is_special(point))) {
      escape(point);
    } else {
      to_ += bytes;
    }
  }

  std::size_t column_now() const {
    const auto line = std::string_view(to_).substr(to_.rfind('\n') + 1);
    return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
  }

  void escape(std::uint32_t point) {
    static constexpr std::pair<std::uint32_t, char> kShort[] = {
        {0, '0'},    {7, 'a'},   {8, 'b'},     {9, 't'},    {10, 'n'},   {11, 'v'},     {12, 'f'},    {13, 'r'},
        {0x1b, 'e'}, {'"', '"'}, {'\\', '\\'}, {0x85, 'N'}, {0xa0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
    to_ += '\\';
    for (const auto& [value, letter] : kShort) {
      if (value != point) continue;
      to_ += letter;
      return;
    }
    const int digits = point <= 0xff ? 2 : point <= 0xffff ? 4 : 8;
    to_ += digits == 2 ? 'x' : digits == 4 ? 'u' : 'U';
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) to_ += "0123456789ABCDEF"[(point >> shift) & 0xf];
  }

  void literal(std::string_view text, std::size_t indent) {
    to_ += '|';
    if (text.front() == ' ' || text.front() == '\n') to_ += '2';
    if (text.back() != '\n') {
      to_ += '-';
    } else if (text.size() == 1 || text[text.size() - 2] == '\n') {
      to_ += '+';
    }
    to_ += '\n';
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      if (!line.empty()) to_.append(indent, ' ');
      to_ += line;
      if (end == std::string_view::npos) break;
      to_ += '\n';
      text.remove_prefix(end + 1);
    }
  }

  std::string& to_;
  const YamlWriteOptions& options_;
  bool fold_ = true;  // keys stay on one line
};

}  // namespace

std::string write_yaml(View value, const YamlWriteOptions& options) {
  std::string text;
  Writer(text, options).document(value);
  return text;
}

std::string write_yaml_documents(std::span<const Value> values, const YamlWriteOptions& options) {
  std::string text;
  for (const Value& value : values) {
    if (!text.empty()) text += "---\n";
    text += write_yaml(value, options);
  }
  return text;
}

}  // namespace flyball::json
