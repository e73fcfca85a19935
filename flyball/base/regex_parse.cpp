#include "flyball/base/detail/regex_parse.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace flyball::detail {
namespace {

using Class = Regex::Class;
using Op = Regex::Op;
using Node = RegexNode;

constexpr int kMostRepeats = 1000;
constexpr int kMostDepth = 1000;

[[noreturn]] void fail(std::string_view problem, std::string_view where) {
  throw RegexError("error parsing regexp: " + std::string(problem) + ": `" + std::string(where) + "`");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct Flags {
  bool fold = false;
  bool lines = false;     // ^ and $ match at lines
  bool newlines = false;  // . matches \n
  bool lazy = false;      // repetitions prefer less
};

class Parser {
 public:
  explicit Parser(std::string_view pattern) : whole_(pattern), rest_(pattern) {
    for (std::string_view left = pattern; !left.empty();) {
      std::size_t length = 0;
      if (decode(left, length) == 0xFFFD && length == 1) fail("invalid UTF-8", pattern);
      left.remove_prefix(length);
    }
  }

  Node parse() {
    Node node = alternation(0);
    if (!rest_.empty()) fail("unexpected )", whole_);
    return node;
  }

 private:
  bool next_is(std::string_view text) const { return rest_.starts_with(text); }
  bool take(std::string_view text) {
    if (!next_is(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  char32_t take_character() {
    std::size_t length = 0;
    const char32_t c = decode(rest_, length);
    rest_.remove_prefix(length);
    return c;
  }
  std::string_view since(std::string_view start) const { return start.substr(0, start.size() - rest_.size()); }

  Node alternation(int depth) {
    if (depth > kMostDepth) fail("expression nests too deeply", whole_);
    const Flags outside = flags_;
    Node node{.kind = Node::Kind::alternate};
    node.children.push_back(concatenation(depth));
    while (take("|")) node.children.push_back(concatenation(depth));
    flags_ = outside;
    return node;
  }

  Node concatenation(int depth) {
    Node node{.kind = Node::Kind::concat};
    std::string_view last_repeat;
    while (!rest_.empty() && !next_is("|") && !next_is(")")) {
      const std::string_view start = rest_;
      if (take("\\Q")) {
        while (!rest_.empty() && !take("\\E")) node.children.push_back(literal(take_character()));
        last_repeat = {};
        continue;
      }
      int least = 0;
      int most = 0;
      if (repetition(least, most)) {
        repeat(node, least, most, start, last_repeat);
        last_repeat = start;
        continue;
      }
      last_repeat = {};
      Node part = single(depth);
      if (part.kind != Node::Kind::empty) node.children.push_back(std::move(part));
    }
    return node;
  }

  // *, +, ? and {n,m}; what looks like the last but is none is a literal.
  bool repetition(int& least, int& most) {
    most = -1;
    if (take("*")) return true;
    least = 1;
    if (take("+")) return true;
    least = 0;
    most = 1;
    if (take("?")) return true;
    if (!next_is("{")) return false;
    const std::string_view start = rest_;
    take("{");
    const bool valid = number(least) &&
                       (take(",") ? (next_is("}") ? (most = -1, true) : number(most)) : (most = least, true)) &&
                       take("}");
    if (!valid) {
      rest_ = start;
      return false;
    }
    if (least > kMostRepeats || most > kMostRepeats || (most >= 0 && least > most)) {
      fail("invalid repeat count", since(start));
    }
    return true;
  }

  bool number(int& value) {
    if (rest_.empty() || !is_digit(rest_[0])) return false;
    if (rest_.size() > 1 && rest_[0] == '0' && is_digit(rest_[1])) return false;
    value = 0;
    while (!rest_.empty() && is_digit(rest_[0])) {
      value = std::min(value * 10 + (rest_[0] - '0'), kMostRepeats + 1);
      rest_.remove_prefix(1);
    }
    return true;
  }

  static int repeats_within(const Node& node) {
    int most = 1;
    for (const Node& child : node.children) most = std::max(most, repeats_within(child));
    if (node.kind != Node::Kind::repeat) return most;
    return most * std::max(1, node.most < 0 ? node.least : node.most);
  }

  void repeat(Node& in, int least, int most, std::string_view start, std::string_view last_repeat) {
    const bool lazy = take("?") != flags_.lazy;
    if (!last_repeat.empty()) fail("invalid nested repetition operator", since(last_repeat));
    if (in.children.empty()) fail("missing argument to repetition operator", since(start));
    Node node{.kind = Node::Kind::repeat, .children = {}, .least = least, .most = most, .lazy = lazy};
    node.children.push_back(std::move(in.children.back()));
    if ((least >= 2 || most >= 2) && repeats_within(node) > kMostRepeats) fail("invalid repeat count", since(start));
    in.children.back() = std::move(node);
  }

  Node single(int depth) {
    const std::string_view start = rest_;
    if (take("(")) return group(depth, start);
    if (next_is("[")) return characters(bracket());
    if (take(".")) {
      return characters(flags_.newlines ? Class{{0, 0x10FFFF}} : Class{{0, '\n' - 1}, {'\n' + 1, 0x10FFFF}});
    }
    if (take("^")) return assertion(flags_.lines ? Op::begin_line : Op::begin_text);
    if (take("$")) return assertion(flags_.lines ? Op::end_line : Op::end_text);
    if (!next_is("\\")) return literal(take_character());
    if (take("\\A")) return assertion(Op::begin_text);
    if (take("\\z")) return assertion(Op::end_text);
    if (take("\\b")) return assertion(Op::word_boundary);
    if (take("\\B")) return assertion(Op::no_word_boundary);
    if (next_is("\\C")) fail("invalid escape sequence", "\\C");
    if (Class found; class_escape(found)) return characters(std::move(found));
    return literal(escape());
  }

  static Node assertion(Op op) { return {.kind = Node::Kind::assertion, .op = op}; }
  static Node characters(Class ranges) { return {.kind = Node::Kind::characters, .characters = std::move(ranges)}; }
  Node literal(char32_t c) const {
    Class ranges{{c, c}};
    if (flags_.fold) fold(ranges);
    return characters(std::move(ranges));
  }

  Node group(int depth, std::string_view start) {
    const Flags outside = flags_;
    if (take("?")) {
      if (next_is("P<") || next_is("<")) {
        group_name(start);
      } else if (!group_flags(start)) {
        return {};  // (?i) holds from here to the end of the group around it
      }
    }
    Node node = alternation(depth + 1);
    if (!take(")")) fail("missing closing )", whole_);
    flags_ = outside;
    return {.kind = Node::Kind::group, .children = {std::move(node)}};
  }

  void group_name(std::string_view start) {
    take("P");
    take("<");
    const std::size_t end = rest_.find('>');
    if (end == std::string_view::npos) fail("invalid named capture", start);
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    const bool valid =
        !name.empty() && std::ranges::all_of(name, [](char c) { return c == '_' || is_digit(c) || is_letter(c); });
    if (!valid) fail("invalid named capture", since(start));
    if (std::ranges::find(names_, name) != names_.end()) fail("duplicate capture group name", name);
    names_.push_back(name);
  }

  // True when a group begins: (?i:…).
  bool group_flags(std::string_view start) {
    bool on = true;
    bool any = false;
    for (;;) {
      if (rest_.empty()) fail("invalid or unsupported Perl syntax", start);
      const char32_t c = take_character();
      switch (c) {
        case 'i': flags_.fold = on; break;
        case 'm': flags_.lines = on; break;
        case 's': flags_.newlines = on; break;
        case 'U': flags_.lazy = on; break;
        case '-':
          if (!on) fail("invalid or unsupported Perl syntax", since(start));
          on = false;
          any = false;
          continue;
        case ':':
        case ')':
          if (!on && !any) fail("invalid or unsupported Perl syntax", since(start));
          return c == ':';
        default: fail("invalid or unsupported Perl syntax", since(start));
      }
      any = true;
    }
  }

  // \d, \W, \pL, \P{Greek}.
  bool class_escape(Class& found) {
    if (rest_.size() < 2) return false;
    const std::string_view start = rest_;
    const char c = rest_[1];
    if (c == 'p' || c == 'P') {
      rest_.remove_prefix(2);
      if (rest_.empty()) fail("invalid character class range", start);
      std::string_view name;
      if (take("{")) {
        const std::size_t end = rest_.find('}');
        if (end == std::string_view::npos) fail("invalid character class range", start);
        name = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
      } else {
        const std::string_view letter = rest_;
        take_character();
        name = since(letter);
      }
      bool negative = c == 'P';
      if (name.starts_with('^')) {
        negative = !negative;
        name.remove_prefix(1);
      }
      const auto ranges = unicode_class(name);
      if (!ranges) fail("invalid character class range", since(start));
      found = negative ? negated(*ranges) : *ranges;
      return true;
    }
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    if (lower != 'd' && lower != 's' && lower != 'w') return false;
    rest_.remove_prefix(2);
    found = *named_class(lower == 'd' ? "digit" : lower == 's' ? "perl space" : "word");
    if (c != lower) found = negated(found);
    return true;
  }

  char32_t escape() {
    const std::string_view start = rest_;
    take("\\");
    if (rest_.empty()) fail("trailing backslash at end of expression", "");
    const char32_t c = take_character();
    switch (c) {
      case 'a': return 7;
      case 'f': return '\f';
      case 'n': return '\n';
      case 'r': return '\r';
      case 't': return '\t';
      case 'v': return '\v';
      case 'x': return hexadecimal(start);
      default: break;
    }
    if (c >= '1' && c <= '7' && (rest_.empty() || rest_[0] < '0' || rest_[0] > '7')) {
      fail("invalid escape sequence", since(start));
    }
    if (c >= '0' && c <= '7') {
      char32_t value = c - '0';
      for (int i = 1; i < 3 && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '7'; ++i) {
        value = value * 8 + static_cast<char32_t>(rest_[0] - '0');
        rest_.remove_prefix(1);
      }
      return value;
    }
    const bool punctuation = c < 0x80 && !is_digit(static_cast<char>(c)) && !is_letter(static_cast<char>(c));
    if (!punctuation || c == 0) fail("invalid escape sequence", since(start));
    return c;
  }

  char32_t hexadecimal(std::string_view start) {
    char32_t value = 0;
    if (take("{")) {
      int digits = 0;
      while (!rest_.empty() && rest_[0] != '}') {
        const int digit = hex_digit(rest_[0]);
        rest_.remove_prefix(1);
        if (digit < 0) fail("invalid escape sequence", since(start));
        value = value * 16 + static_cast<char32_t>(digit);
        if (value > 0x10FFFF) fail("invalid escape sequence", since(start));
        ++digits;
      }
      if (digits == 0 || !take("}")) fail("invalid escape sequence", since(start));
      return value;
    }
    bool valid = true;
    for (int i = 0; i < 2; ++i) {
      if (rest_.empty()) fail("invalid escape sequence", since(start));
      const int digit = hex_digit(rest_[0]);
      rest_.remove_prefix(1);
      valid = valid && digit >= 0;
      value = value * 16 + static_cast<char32_t>(std::max(digit, 0));
    }
    if (!valid) fail("invalid escape sequence", since(start));
    return value;
  }

  Class bracket() {
    const std::string_view start = rest_;
    take("[");
    const bool negative = take("^");
    Class ranges;
    for (bool first = true; first || !next_is("]"); first = false) {
      if (rest_.empty()) fail("missing closing ]", start);
      if (next_is("[:")) {
        const std::size_t end = rest_.find(":]");
        if (end != std::string_view::npos) {
          posix_class(ranges, rest_.substr(0, end + 2));
          rest_.remove_prefix(end + 2);
          continue;
        }
      }
      Class found;
      if (next_is("\\") && class_escape(found)) {
        ranges.insert(ranges.end(), found.begin(), found.end());
        continue;
      }
      bracket_range(ranges, start);
    }
    take("]");
    if (flags_.fold) fold(ranges);
    normalize(ranges);
    return negative ? negated(std::move(ranges)) : ranges;
  }

  static void posix_class(Class& ranges, std::string_view text) {
    std::string_view name = text.substr(2, text.size() - 4);
    const bool negative = name.starts_with('^');
    if (negative) name.remove_prefix(1);
    const auto found = named_class(name);
    if (!found || name == "perl space") fail("invalid character class range", text);
    const Class added = negative ? negated(*found) : *found;
    ranges.insert(ranges.end(), added.begin(), added.end());
  }

  char32_t bracket_character(std::string_view bracket_start) {
    if (rest_.empty()) fail("missing closing ]", bracket_start);
    return next_is("\\") ? escape() : take_character();
  }

  void bracket_range(Class& ranges, std::string_view bracket_start) {
    const std::string_view start = rest_;
    const char32_t low = bracket_character(bracket_start);
    char32_t high = low;
    if (rest_.size() >= 2 && rest_[0] == '-' && rest_[1] != ']') {
      rest_.remove_prefix(1);
      high = bracket_character(bracket_start);
      if (high < low) fail("invalid character class range", since(start));
    }
    ranges.emplace_back(low, high);
  }

  static void fold(Class& ranges) {
    const Class before = ranges;
    for (const auto& [low, high] : before) {
      for (const auto& [from, to, shift] : {std::tuple('A', 'Z', 'a' - 'A'), std::tuple('a', 'z', 'A' - 'a')}) {
        const char32_t first = std::max(low, static_cast<char32_t>(from));
        const char32_t last = std::min(high, static_cast<char32_t>(to));
        if (first > last) continue;
        const auto moved = [move = shift](char32_t c) { return static_cast<char32_t>(static_cast<int>(c) + move); };
        ranges.emplace_back(moved(first), moved(last));
      }
    }
    normalize(ranges);
  }

  std::string_view whole_;
  std::string_view rest_;
  std::vector<std::string_view> names_;
  Flags flags_;
};

}  // namespace

char32_t decode(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  length = 1;
  const char32_t first = byte(0);
  if (first < 0x80) return first;
  if (first >= 0xC2 && first < 0xE0 && tail(1)) {
    length = 2;
    return (first & 0x1F) << 6 | (byte(1) & 0x3F);
  }
  if (first >= 0xE0 && first < 0xF0 && tail(1) && tail(2)) {
    const char32_t c = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (c < 0x800 || (c >= 0xD800 && c < 0xE000)) return 0xFFFD;
    length = 3;
    return c;
  }
  if (first >= 0xF0 && first < 0xF5 && tail(1) && tail(2) && tail(3)) {
    const char32_t c = (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    if (c < 0x10000 || c > 0x10FFFF) return 0xFFFD;
    length = 4;
    return c;
  }
  return 0xFFFD;
}

RegexNode parse_regex(std::string_view pattern) { return Parser(pattern).parse(); }

}  // namespace flyball::detail
