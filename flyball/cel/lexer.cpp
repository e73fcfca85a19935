#include "flyball/cel/detail/lexer.hpp"

#include <algorithm>
#include <array>

namespace flyball::cel::detail {
namespace {

using Kind = Token::Kind;

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_hex(char32_t c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_octal(char32_t c) { return c >= '0' && c <= '7'; }

class Lexer {
 public:
  Lexer(const Source& source, Issues& issues) : source_(source), text_(source.characters()), issues_(issues) {}

  std::vector<Token> run() {
    while (skip_blank(), at_ < text_.size()) token();
    add(Kind::end, at_, at_);
    tokens_.back().text = "<EOF>";
    return std::move(tokens_);
  }

 private:
  char32_t peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0'; }
  bool looking_at(std::u32string_view word, std::size_t at) const {
    return std::u32string_view(text_).substr(std::min(at, text_.size())).starts_with(word);
  }
  void add(Kind kind, std::size_t begin, std::size_t end) {
    tokens_.push_back({.kind = kind, .offset = begin, .text = source_.text(begin, end)});
    at_ = end;
  }

  void skip_blank() {
    for (;;) {
      if (at_ < text_.size() && std::u32string_view(U" \t\r\n\f").find(text_[at_]) != std::u32string_view::npos) {
        ++at_;
      } else if (looking_at(U"//", at_)) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  void token() {
    if (string_token()) return;
    if (is_letter(peek())) return word();
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (peek() == '`') return escaped();
    static constexpr std::array<std::u32string_view, 24> kSymbols = {
        U"==", U"!=", U"<=", U">=", U"&&", U"||", U"<", U">", U"[", U"]", U"{", U"}",
        U"(",  U")",  U".",  U",",  U"-",  U"!",  U"?", U":", U"+", U"*", U"/", U"%"};
    for (const std::u32string_view symbol : kSymbols) {
      if (looking_at(symbol, at_)) return add(Kind::symbol, at_, at_ + symbol.size());
    }
    // What begins an operator takes the next character with it.
    const bool begun = peek() == '=' || peek() == '&' || peek() == '|';
    unknown(at_ + (begun ? 2 : 1));
  }

  void unknown(std::size_t end) {
    end = std::min(end, text_.size());
    std::string shown;
    for (const char32_t c : std::u32string_view(text_).substr(at_, end - at_)) {
      if (c == '\n')
        shown += "\\n";
      else if (c == '\t')
        shown += "\\t";
      else if (c == '\r')
        shown += "\\r";
      else
        append_utf8(shown, c);
    }
    issues_.add(source_.location(at_), "Syntax error: token recognition error at: '" + shown + "'");
    at_ = end;
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::size_t begin = at_;
    add(Kind::identifier, begin, end);
    const std::string& name = tokens_.back().text;
    if (name == "in" || name == "true" || name == "false" || name == "null") tokens_.back().kind = Kind::symbol;
  }

  void escaped() {
    std::size_t end = at_ + 1;
    const auto inside = [](char32_t c) {
      return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '/' || c == ' ';
    };
    while (end < text_.size() && inside(text_[end])) ++end;
    if (end == at_ + 1 || end >= text_.size() || text_[end] != '`') return unknown(end + 1);
    add(Kind::escaped_identifier, at_, end + 1);
  }

  std::size_t digits(std::size_t at) const {
    while (at < text_.size() && is_digit(text_[at])) ++at;
    return at;
  }

  void number() {
    const auto suffixed = [&](std::size_t end) {
      const bool is_unsigned = end < text_.size() && (text_[end] == 'u' || text_[end] == 'U');
      add(is_unsigned ? Kind::unsigned_integer : Kind::integer, at_, end + (is_unsigned ? 1 : 0));
    };
    if (looking_at(U"0x", at_) && is_hex(peek(2))) {
      std::size_t end = at_ + 2;
      while (end < text_.size() && is_hex(text_[end])) ++end;
      return suffixed(end);
    }
    std::size_t end = digits(at_);
    bool real = false;
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
      end = digits(end + 1);
      real = true;
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t power = end + 1;
      if (power < text_.size() && (text_[power] == '+' || text_[power] == '-')) ++power;
      if (power < text_.size() && is_digit(text_[power])) {
        end = digits(power);
        real = true;
      }
    }
    if (real) return add(Kind::real, at_, end);
    suffixed(end);
  }

  bool string_token() {
    std::size_t begin = at_;
    const bool bytes = peek() == 'b' || peek() == 'B';
    if (bytes) ++begin;
    const bool raw = begin < text_.size() && (text_[begin] == 'r' || text_[begin] == 'R');
    if (raw) ++begin;
    if (begin >= text_.size() || (text_[begin] != '"' && text_[begin] != '\'')) return false;
    const std::u32string one(1, text_[begin]);
    const std::u32string three(3, text_[begin]);
    if (looking_at(three, begin)) {
      if (const std::size_t end = find_end(begin + 3, three, raw, true)) return add_string(bytes, end);
    }
    if (const std::size_t end = find_end(begin + 1, one, raw, false)) return add_string(bytes, end);
    // A prefix alone is a name; the quote behind it is what is wrong.
    if (begin > at_) return false;
    unknown(stop_);
    return true;
  }

  bool add_string(bool bytes, std::size_t end) {
    add(bytes ? Kind::bytes : Kind::string, at_, end);
    return true;
  }

  // Behind the closing quotes, or 0 when there are none; `stop_` is then where the token broke off.
  std::size_t find_end(std::size_t at, std::u32string_view quotes, bool raw, bool lines) {
    while (at < text_.size()) {
      if (looking_at(quotes, at)) return at + quotes.size();
      if (!lines && (text_[at] == '\n' || text_[at] == '\r')) break;
      if (text_[at] == '\\' && !raw) {
        const std::size_t behind = escape(at);
        if (behind == 0) {
          stop_ = std::min(broken_escape(at) + 1, text_.size());
          return 0;
        }
        at = behind;
      } else {
        ++at;
      }
    }
    stop_ = std::min(at + 1, text_.size());
    return 0;
  }

  // The first character that does not fit an escape sequence.
  std::size_t broken_escape(std::size_t at) const {
    const char32_t c = at + 1 < text_.size() ? text_[at + 1] : U'\0';
    const bool takes_hex = c == 'x' || c == 'X' || c == 'u' || c == 'U';
    if (!takes_hex && (c < '0' || c > '3')) return at + 1;
    std::size_t end = at + 2;
    while (end < text_.size() && (takes_hex ? is_hex(text_[end]) : is_octal(text_[end]))) ++end;
    return end;
  }

  std::size_t escape(std::size_t at) const {
    const auto all = [&](std::size_t from, std::size_t count, auto test) {
      for (std::size_t i = from; i < from + count; ++i) {
        if (i >= text_.size() || !test(text_[i])) return false;
      }
      return true;
    };
    const char32_t c = at + 1 < text_.size() ? text_[at + 1] : U'\0';
    if (c != 0 && std::u32string_view(U"abfnrtv\"'\\?`").find(c) != std::u32string_view::npos) return at + 2;
    if (c == 'x' || c == 'X') return all(at + 2, 2, is_hex) ? at + 4 : 0;
    if (c == 'u') return all(at + 2, 4, is_hex) ? at + 6 : 0;
    if (c == 'U') return all(at + 2, 8, is_hex) ? at + 10 : 0;
    if (c >= '0' && c <= '3') return all(at + 2, 2, is_octal) ? at + 4 : 0;
    return 0;
  }

  const Source& source_;
  const std::u32string& text_;
  Issues& issues_;
  std::size_t at_ = 0;
  std::size_t stop_ = 0;
  std::vector<Token> tokens_;
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

// One escape sequence behind its backslash, which the lexer has found well-formed.
class Escape {
 public:
  Escape(std::string_view& rest, bool bytes) : rest_(rest), bytes_(bytes) {}

  bool append(std::string& to, std::string& problem) {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    static constexpr std::string_view kNames = "abfnrtv\\'\"`?";
    static constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\'\"`?";
    if (const std::size_t at = kNames.find(c); at != std::string_view::npos) {
      to += kValues[at];
      return true;
    }
    if ((c == 'u' || c == 'U') && bytes_) {
      problem = "unable to unescape string";
      return false;
    }
    const bool octal = c >= '0' && c <= '3';
    char32_t value = octal ? static_cast<char32_t>(c - '0') : 0;
    const std::size_t count = c == 'U' ? 8 : c == 'u' ? 4 : 2;
    for (std::size_t i = 0; i < count; ++i)
      value = value * (octal ? 8 : 16) + static_cast<char32_t>(hex_digit(rest_[i]));
    rest_.remove_prefix(count);
    if (bytes_) {
      to += static_cast<char>(value);
      return true;
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
      problem = "invalid unicode code point";
      return false;
    }
    append_utf8(to, value);
    return true;
  }

 private:
  std::string_view& rest_;
  bool bytes_;
};

}  // namespace

std::vector<Token> tokenize(const Source& source, Issues& issues) { return Lexer(source, issues).run(); }

std::string unescape(std::string_view token, bool bytes, std::string& problem) {
  std::string normal;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '\r') {
      normal += '\n';
      if (i + 1 < token.size() && token[i + 1] == '\n') ++i;
    } else {
      normal += token[i];
    }
  }
  std::string_view rest = normal;
  if (bytes) rest.remove_prefix(1);
  const bool raw = rest[0] == 'r' || rest[0] == 'R';
  if (raw) rest.remove_prefix(1);
  const std::size_t quotes = rest.size() >= 6 && (rest.starts_with("\"\"\"") || rest.starts_with("'''")) ? 3 : 1;
  rest = rest.substr(quotes, rest.size() - 2 * quotes);
  if (raw) return std::string(rest);
  std::string text;
  while (!rest.empty()) {
    if (rest[0] != '\\') {
      text += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    rest.remove_prefix(1);
    if (!Escape(rest, bytes).append(text, problem)) return "";
  }
  return text;
}

}  // namespace flyball::cel::detail
