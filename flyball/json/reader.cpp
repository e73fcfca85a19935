#include "flyball/json/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "flyball/json/detail/escape.hpp"
#include "flyball/json/detail/utf8.hpp"
#include "flyball/json/path.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '+' ||
         c == '-';
}

// A byte that a string may hold as it is.
constexpr bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

// The kind of the value that starts with a byte; absent where none can.
constexpr std::array<Kind, 256> kFirstBytes = [] {
  std::array<Kind, 256> kinds{};
  for (unsigned char digit = '0'; digit <= '9'; ++digit) kinds[digit] = Kind::number;
  kinds['-'] = Kind::number;
  kinds['{'] = Kind::object;
  kinds['['] = Kind::array;
  kinds['"'] = Kind::string;
  kinds['t'] = kinds['f'] = Kind::boolean;
  kinds['n'] = Kind::null;
  return kinds;
}();

std::string code_point(std::uint32_t value) {
  std::array<char, 16> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), "U+%04X", static_cast<unsigned>(value));
  return {buffer.data(), static_cast<std::size_t>(length)};
}

std::string hex_byte(char byte) {
  std::array<char, 16> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), "the byte 0x%02x", static_cast<unsigned char>(byte));
  return {buffer.data(), static_cast<std::size_t>(length)};
}

// Blanks that look like a space or like nothing, and so would not be seen in a message.
bool is_invisible(std::uint32_t point) {
  return point == 0x7f || (point >= 0x80 && point <= 0xa0) || point == 0xad || (point >= 0x2000 && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202f) || (point >= 0x205f && point <= 0x206f) || point == 0x3000 ||
         point == 0xfeff;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  return text.size() <= kLongest ? std::string(text) : std::string(text.substr(0, kLongest)) + "…";
}

// Whether a number without its sign, which is not zero, is smaller than one.
bool below_one(std::string_view number) {
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  long power = first < point ? static_cast<long>(point - first) - 1 : -static_cast<long>(first - point);
  if (mark != std::string_view::npos) {
    std::string_view text = number.substr(mark + 1);
    if (text.front() == '+') text.remove_prefix(1);
    long exponent = 0;
    // An exponent that no long can hold outweighs any digits before it.
    if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc()) return text.front() == '-';
    power += exponent;
  }
  return power < 0;
}

}  // namespace

Reader::Reader(std::string_view text, const Limits& limits)
    : begin_(text.data()), end_(text.data() + text.size()), limits_(limits), at_(begin_) {
  if (text.size() > limits.size) {
    throw ParseError({}, "",
                     "the text has " + std::to_string(text.size()) + " bytes, more than the " +
                         std::to_string(limits.size) + " allowed");
  }
}

Kind Reader::peek() {
  skip_blanks();
  if (at_ == end_) fail("expected a value, found the end of the text");
  const Kind kind = kFirstBytes[static_cast<unsigned char>(*at_)];
  if (kind != Kind::absent) return kind;
  const std::string expected = frames_.empty() ? "expected JSON" : "expected a value";
  fail(expected + ", found " + found() + hint());
}

void Reader::literal(std::string_view word) {
  skip_blanks();
  const auto left = static_cast<std::size_t>(end_ - at_);
  if (left < word.size() || std::memcmp(at_, word.data(), word.size()) != 0 ||
      (left > word.size() && is_word(at_[word.size()]))) {
    fail("expected " + std::string(word) + ", found " + found());
  }
  at_ += word.size();
}

void Reader::null() { literal("null"); }

bool Reader::boolean() {
  skip_blanks();
  const bool yes = at_ != end_ && *at_ == 't';
  literal(yes ? "true" : "false");
  return yes;
}

Number Reader::number() {
  skip_blanks();
  const char* start = at_;
  const char* at = at_;
  const auto wrong = [&](const char* where, std::string problem) {
    fail_at(static_cast<std::size_t>(where - begin_), std::move(problem));
  };
  const bool negative = at != end_ && *at == '-';
  if (negative) ++at;
  if (at == end_ || !is_digit(*at)) {
    if (!negative) fail("expected a number, found " + found());
    at_ = at;
    fail("expected a digit after '-', found " + found());
  }
  const char* digits = at;
  std::uint64_t whole = 0;
  while (at != end_ && is_digit(*at)) whole = whole * 10 + static_cast<std::uint64_t>(*at++ - '0');
  const auto length = at - digits;
  if (length > 1 && *digits == '0') wrong(start, "the number " + shortened({start, at}) + " has a leading zero");

  bool integer = true;
  if (at != end_ && *at == '.') {
    integer = false;
    ++at;
    if (at == end_ || !is_digit(*at)) wrong(at, "expected a digit after the decimal point");
    while (at != end_ && is_digit(*at)) ++at;
  }
  if (at != end_ && (*at == 'e' || *at == 'E')) {
    integer = false;
    ++at;
    if (at != end_ && (*at == '+' || *at == '-')) ++at;
    if (at == end_ || !is_digit(*at)) wrong(at, "expected a digit in the exponent");
    while (at != end_ && is_digit(*at)) ++at;
  }
  if (at != end_ && is_word(*at)) {
    while (at != end_ && is_word(*at)) ++at;
    wrong(start, "expected a number, found " + found() + "; text takes double quotes");
  }
  at_ = at;

  // Nineteen digits cannot overflow the uint64 they were added up in.
  const std::uint64_t limit = std::uint64_t{1} << 63;
  if (integer && length <= 19 && (whole < limit || (negative && whole == limit))) {
    const auto value = static_cast<std::int64_t>(negative ? 0 - whole : whole);
    return {true, value, static_cast<double>(value)};
  }
  double value = 0;
  if (std::from_chars(start, at, value).ec == std::errc::result_out_of_range) {
    // Too small to tell from zero is zero; too large is an error. from_chars gives the same answer for both.
    if (!below_one({digits, at})) wrong(start, "the number " + shortened({start, at}) + " is too large");
    value = negative ? -0.0 : 0.0;
  }
  return {false, 0, value};
}

inline void Reader::skip_plain() {
#ifdef __SSE2__
  while (end_ - at_ >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at_));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    // Signed: control characters and everything that is not ASCII are below 0x20.
    const __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    const int mask = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), others));
    if (mask != 0) {
      at_ += __builtin_ctz(static_cast<unsigned>(mask));
      return;
    }
    at_ += 16;
  }
#endif
  while (at_ != end_ && is_plain(*at_)) ++at_;
}

void Reader::check_utf8() {
  const std::size_t length = utf8_length(at_, end_);
  if (length == 0) {
    fail(hex_byte(*at_) + " is not valid UTF-8 here");
  }
  at_ += length;
}

bool Reader::check_string() {
  const char* start = at_;
  bool plain = true;
  for (;;) {
    skip_plain();
    if (at_ == end_) {
      fail_at(static_cast<std::size_t>(start - 1 - begin_), "the string that starts here is not closed");
    }
    const auto byte = static_cast<unsigned char>(*at_);
    if (byte == '"') {
      ++at_;
      return plain;
    }
    if (byte >= 0x80) {
      check_utf8();
      continue;
    }
    if (byte < 0x20) {
      std::string escaped;
      write_string({at_, 1}, escaped);
      fail("the string holds the control character " + code_point(byte) + "; write it as " +
           escaped.substr(1, escaped.size() - 2));
    }
    plain = false;
    ++at_;
    if (at_ == end_) continue;
    if (*at_ == 'u') {
      if (hex4(at_ + 1, end_) < 0) fail("\\u needs four hexadecimal digits");
      at_ += 5;
    } else if (std::string_view("\"\\/bfnrt").find(*at_) != std::string_view::npos) {
      ++at_;
    } else {
      fail("a backslash before " + character() + " means nothing in JSON; a backslash itself is written \\\\");
    }
  }
}

std::string_view Reader::unescape(const char* from, const char* to) {
  scratch_.clear();
  while (from != to) {
    const char* slash = static_cast<const char*>(std::memchr(from, '\\', static_cast<std::size_t>(to - from)));
    if (slash == nullptr) slash = to;
    scratch_.append(from, slash);
    if (slash == to) break;
    from = slash + 1;
    std::array<char, 4> bytes;
    char* end = bytes.data();
    decode_escape(from, to, end);  // check_string has seen that it is one
    scratch_.append(bytes.data(), end);
  }
  return scratch_;
}

inline std::string_view Reader::string_body() {
  const char* start = at_;
  skip_plain();
  if (at_ != end_ && *at_ == '"') return {start, static_cast<std::size_t>(at_++ - start)};
  at_ = start;
  const bool plain = check_string();
  const char* close = at_ - 1;
  return plain ? std::string_view(start, static_cast<std::size_t>(close - start)) : unescape(start, close);
}

std::string_view Reader::string() {
  skip_blanks();
  if (at_ == end_ || *at_ != '"') fail("expected a string, found " + found());
  ++at_;
  return string_body();
}

void Reader::push(bool object) {
  if (frames_.size() == limits_.depth) {
    fail("nested deeper than the " + std::to_string(limits_.depth) + " levels allowed");
  }
  frames_.push_back({nullptr, 0, object});
  ++at_;
}

void Reader::begin_object() {
  skip_blanks();
  if (at_ == end_ || *at_ != '{') fail("expected an object, found " + found());
  push(true);
}

void Reader::begin_array() {
  skip_blanks();
  if (at_ == end_ || *at_ != '[') fail("expected an array, found " + found());
  push(false);
}

std::optional<std::string_view> Reader::next_member() {
  Frame& frame = frames_.back();
  skip_blanks();
  if (at_ != end_ && *at_ == '}') {
    ++at_;
    frames_.pop_back();
    return std::nullopt;
  }
  if (frame.index != 0) {
    if (at_ == end_ || *at_ != ',') fail("expected ',' or '}' after a member, found " + found());
    ++at_;
    skip_blanks();
  }
  if (at_ == end_ || *at_ != '"') {
    frame.key = nullptr;
    if (at_ != end_ && *at_ == '}') fail("expected a member after ',', found '}'; remove the comma");
    const bool comment = at_ != end_ && (*at_ == '#' || *at_ == '/');
    fail("expected a member name in double quotes, found " + found() + (comment ? hint() : ""));
  }
  ++frame.index;
  const char* start = ++at_;
  frame.key = nullptr;
  const std::string_view name = string_body();
  frame.key = start;
  skip_blanks();
  if (at_ == end_ || *at_ != ':') fail("expected ':' after the member name, found " + found());
  ++at_;
  return name;
}

bool Reader::next_element() {
  Frame& frame = frames_.back();
  skip_blanks();
  if (at_ != end_ && *at_ == ']') {
    ++at_;
    frames_.pop_back();
    return false;
  }
  if (frame.index != 0) {
    if (at_ == end_ || *at_ != ',') fail("expected ',' or ']' after an element, found " + found());
    ++at_;
    skip_blanks();
    if (at_ != end_ && *at_ == ']') fail("expected a value after ',', found ']'; remove the comma");
  }
  ++frame.index;
  return true;
}

void Reader::skip() {
  const std::size_t outer = frames_.size();
  do {
    if (frames_.size() > outer) {
      const bool more = frames_.back().object ? next_member().has_value() : next_element();
      if (!more) continue;
    }
    switch (peek()) {
      case Kind::null: null(); break;
      case Kind::boolean: boolean(); break;
      case Kind::number: number(); break;
      case Kind::string:
        ++at_;
        check_string();
        break;
      case Kind::array: begin_array(); break;
      default: begin_object(); break;
    }
  } while (frames_.size() > outer);
}

std::string_view Reader::raw() {
  skip_blanks();
  const char* start = at_;
  skip();
  return {start, static_cast<std::size_t>(at_ - start)};
}

void Reader::finish() {
  skip_blanks();
  if (at_ != end_) fail("expected the end of the text, found " + found() + hint());
}

void Reader::rewind(const Mark& to) {
  at_ = to.at;
  while (frames_.size() > to.depth) frames_.pop_back();
}

Position Reader::position_of(std::size_t offset) const {
  const char* at = begin_ + offset;
  const auto lines = std::count(begin_, at, '\n');
  const char* line = at;
  while (line != begin_ && line[-1] != '\n') --line;
  return {static_cast<std::size_t>(lines) + 1, static_cast<std::size_t>(at - line) + 1};
}

std::string Reader::path() const {
  constexpr std::size_t kEnds = 16;  // what is shown of both ends of a very deep path
  std::string path;
  for (const Frame& frame : frames_) {
    const auto level = static_cast<std::size_t>(&frame - frames_.data());
    if (level >= kEnds && frames_.size() - level > kEnds) {
      if (level == kEnds) path += "…";
      continue;
    }
    if (!frame.object) {
      if (frame.index != 0) append_index(path, frame.index - 1);
    } else if (frame.key != nullptr) {
      Reader name({frame.key, static_cast<std::size_t>(end_ - frame.key)}, limits_);
      append_member(path, name.string_body());
    }
  }
  return path;
}

void Reader::fail_at(std::size_t offset, std::string problem) const {
  throw ParseError(position_of(offset), path(), std::move(problem));
}

// The character at the cursor, for a sentence.
std::string Reader::character() const {
  const std::size_t length = utf8_length(at_, end_);
  const auto byte = static_cast<unsigned char>(*at_);
  if (length == 0 || byte < 0x20) return hex_byte(*at_);
  if (*at_ == '\'') return "a single quote";
  const std::string_view text(at_, length);
  const std::uint32_t point = utf8_point(text);
  if (point == 0xfeff) return "a byte order mark (U+FEFF)";
  if (is_invisible(point)) return "the character " + code_point(point);
  return "'" + std::string(text) + "'";
}

// What stands at the cursor, for a sentence: a word, a character or the end.
std::string Reader::found() const {
  if (at_ == end_) return "the end of the text";
  const std::string_view text = word();
  return text.size() > 1 ? shortened(text) : character();
}

std::string_view Reader::word() const {
  const char* to = std::find_if_not(at_, end_, is_word);
  return {at_, static_cast<std::size_t>(to - at_)};
}

// What to do about habits from YAML, JavaScript and Python.
std::string Reader::hint() const {
  if (at_ == end_) return "";
  const std::string_view text = word();
  if (text == "True" || text == "TRUE") return "; write true";
  if (text == "False" || text == "FALSE") return "; write false";
  if (text == "None" || text == "Null" || text == "NULL" || text == "undefined") return "; write null";
  if (text == "NaN" || text == "Infinity") return "; JSON has no such number";
  if (*at_ == '#' || *at_ == '/') return "; JSON has no comments";
  if (*at_ == '\xef' && character().starts_with("a byte order mark")) return "; save the text without it";
  const bool quote = *at_ == '\'' || *at_ == '`';
  const bool letters = text.size() > 1 && text.front() != '+' && text.front() != '.';
  return !frames_.empty() && (quote || letters) ? "; text takes double quotes" : "";
}

}  // namespace flyball::json
