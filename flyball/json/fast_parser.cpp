#include "flyball/json/detail/fast_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "flyball/json/detail/encoding.hpp"
#include "flyball/json/detail/escape.hpp"
#include "flyball/json/detail/member_names.hpp"
#include "flyball/json/detail/utf8.hpp"

namespace flyball::json {

using namespace encoding;

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Deeper than people write; beyond it the Reader takes over.
constexpr std::size_t kMaxDepth = 48;
// What one token may write beyond the text it takes: a container's header, a number's eight bytes, a vector's store.
constexpr std::size_t kSlack = 64;

struct Frame {
  std::size_t header;
  std::size_t count;
  bool object;
  MemberNames names;
};

}  // namespace

// Both cursors are values that go in and out of every function, so that they stay in registers: a store through a byte
// pointer could change any member. A null `at` says "give up".
struct Cursor {
  const char* at;
  std::uint8_t* out;
};

// The invariant behind every store: from `out` on there is room for the rest of the text and kSlack bytes more.
class FastParse {
 public:
  FastParse(std::string_view text, Builder& builder)
      : begin_(text.data()), end_(text.data() + text.size()), builder_(builder) {}

  bool run(std::size_t max_depth) {
    max_depth_ = std::min(max_depth, kMaxDepth);
    Cursor c = value(make_room({begin_, nullptr}));
    while (c.at != nullptr && depth_ != 0) c = next(c);
    if (c.at == nullptr) return false;
    builder_.size_ = static_cast<std::size_t>(c.out - builder_.bytes_);
    return blanks(c.at) == end_;
  }

 private:
  static constexpr Cursor kGiveUp{nullptr, nullptr};

  const char* blanks(const char* at) const {
    while (at != end_ && static_cast<unsigned char>(*at) <= ' ' &&
           (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
      ++at;
    }
    return at;
  }

  [[gnu::noinline]] Cursor make_room(Cursor c) {
    builder_.size_ = c.out == nullptr ? 0 : static_cast<std::size_t>(c.out - builder_.bytes_);
    c.out = builder_.reserve(static_cast<std::size_t>(end_ - c.at) + 2 * kSlack);
    limit_ = builder_.bytes_ + builder_.capacity_;
    return c;
  }

  // After a token that may have written more than it took.
  Cursor keep_room(Cursor c) {
    const bool enough = limit_ - c.out >= end_ - c.at + static_cast<std::ptrdiff_t>(kSlack);
    return enough ? c : make_room(c);
  }

  // The next member or element of the innermost container, or its end.
  Cursor next(Cursor c) {
    Frame& frame = frames_[depth_ - 1];
    c.at = blanks(c.at);
    if (c.at == end_) return kGiveUp;
    if (*c.at == (frame.object ? '}' : ']')) {
      --depth_;
      return {c.at + 1, Builder::close(builder_.bytes_ + frame.header, c.out, frame.count, frame.object)};
    }
    if (frame.count != 0) {
      if (*c.at != ',') return kGiveUp;
      ++c.at;
    }
    if (frame.object) {
      c = member_name(c, frame);
      if (c.at == nullptr) return kGiveUp;
    }
    ++frame.count;
    return value(c);
  }

  Cursor member_name(Cursor c, Frame& frame) {
    c.at = blanks(c.at);
    if (c.at == end_ || *c.at != '"') return kGiveUp;
    std::uint8_t* start = c.out;
    c = string_bytes({c.at + 1, start + 1});
    if (c.at == nullptr) return kGiveUp;
    const auto length = static_cast<std::size_t>(c.out - start - 1);
    const auto* members = builder_.bytes_ + frame.header + kLargeHeader;
    const std::string_view name(reinterpret_cast<const char*>(start + 1), length);
    if (frame.names.repeated(name, frame.count, members, start)) return kGiveUp;
    if (length < kLongKey) {
      *start = static_cast<std::uint8_t>(length);
    } else {
      c = keep_room({c.at, put_long(start, kLongKey, length)});
    }
    c.at = blanks(c.at);
    return c.at == end_ || *c.at != ':' ? kGiveUp : Cursor{c.at + 1, c.out};
  }

  Cursor value(Cursor c) {
    c.at = blanks(c.at);
    if (c.at == end_) return kGiveUp;
    switch (*c.at) {
      case '"': return string(c);
      case '{': return open(c, true);
      case '[': return open(c, false);
      case 't': return literal(c, "true", kTrue);
      case 'f': return literal(c, "false", kFalse);
      case 'n': return literal(c, "null", kNull);
      default: return number(c);
    }
  }

  // Whatever follows a literal or a number and does not belong there is no comma and no bracket, and stops next().
  Cursor literal(Cursor c, std::string_view word, Tag tag) const {
    const auto left = static_cast<std::size_t>(end_ - c.at);
    if (left < word.size() || std::memcmp(c.at, word.data(), word.size()) != 0) return kGiveUp;
    *c.out = tag;
    return {c.at + word.size(), c.out + 1};
  }

  Cursor open(Cursor c, bool object) {
    if (depth_ == max_depth_) return kGiveUp;
    frames_[depth_++] = {static_cast<std::size_t>(c.out - builder_.bytes_), 0, object, {}};
    return keep_room({c.at + 1, c.out + kLargeHeader});
  }

  Cursor string(Cursor c) {
    std::uint8_t* start = c.out;
    c = string_bytes({c.at + 1, start + 1});
    if (c.at == nullptr) return kGiveUp;
    const auto length = static_cast<std::size_t>(c.out - start - 1);
    if (length > kMaxShortString) return keep_room({c.at, put_long(start, kLongString, length)});
    *start = static_cast<std::uint8_t>(kShortString + length);
    return c;
  }

  // Turns the bytes behind a one-byte header into those behind a long one; returns their end.
  static std::uint8_t* put_long(std::uint8_t* start, std::uint8_t tag, std::size_t length) {
    std::memmove(start + 5, start + 1, length);
    *start = tag;
    store(start + 1, static_cast<std::uint32_t>(length));
    return start + 5 + length;
  }

  // Copies a string's contents, unescaped, up to and over the closing quote.
  Cursor string_bytes(Cursor c) const {
    for (;;) {
      c = copy_plain(c);
      if (c.at == end_) return kGiveUp;
      if (*c.at == '"') return {c.at + 1, c.out};
      c = special(c);
      if (c.at == nullptr) return kGiveUp;
    }
  }

  // An escape, or a character beyond ASCII.
  [[gnu::noinline]] Cursor special(Cursor c) const {
    const auto byte = static_cast<unsigned char>(*c.at);
    if (byte == '\\') {
      ++c.at;
      char* text = reinterpret_cast<char*>(c.out);
      if (!decode_escape(c.at, end_, text)) return kGiveUp;
      return {c.at, reinterpret_cast<std::uint8_t*>(text)};
    }
    const std::size_t length = byte < 0x80 ? 0 : utf8_length(c.at, end_);
    if (length == 0) return kGiveUp;
    std::memcpy(c.out, c.at, length);
    return {c.at + length, c.out + length};
  }

  // Copies up to the first byte that is a quote, a backslash, a control character or not ASCII.
  Cursor copy_plain(Cursor c) const {
#ifdef __SSE2__
    while (end_ - c.at >= 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(c.at));
      const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
      const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
      const __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(c.out), bytes);
      const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), others)));
      if (mask != 0) return {c.at + __builtin_ctz(mask), c.out + __builtin_ctz(mask)};
      c.at += 16;
      c.out += 16;
    }
#endif
    while (c.at != end_) {
      const auto byte = static_cast<unsigned char>(*c.at);
      if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') break;
      *c.out++ = byte;
      ++c.at;
    }
    return c;
  }

  Cursor number(Cursor c) {
    const char* start = c.at;
    const bool negative = *c.at == '-';
    if (negative) ++c.at;
    const char* digits = c.at;
    std::uint64_t whole = 0;
    while (c.at != end_ && is_digit(*c.at)) whole = whole * 10 + static_cast<std::uint64_t>(*c.at++ - '0');
    const auto length = c.at - digits;
    if (length == 0 || (length > 1 && *digits == '0')) return kGiveUp;
    // Eighteen digits fit whatever they are.
    if (length > 18 || (c.at != end_ && (*c.at == '.' || *c.at == 'e' || *c.at == 'E'))) return real(start, c);
    const auto value = static_cast<std::int64_t>(whole);
    c.out += Builder::put_int(c.out, negative ? -value : value);
    return keep_room(c);
  }

  // Everything that is not a plain integer, with the cursor behind its first digits.
  [[gnu::noinline]] Cursor real(const char* start, Cursor c) {
    if (c.at == end_) return kGiveUp;
    const auto digits = [this](const char* at) {
      while (at != end_ && is_digit(*at)) ++at;
      return at;
    };
    bool whole = true;
    if (*c.at == '.') {
      whole = false;
      const char* first = c.at + 1;
      c.at = digits(first);
      if (c.at == first) return kGiveUp;
    }
    if (c.at != end_ && (*c.at == 'e' || *c.at == 'E')) {
      whole = false;
      const char* first = c.at + 1;
      if (first != end_ && (*first == '+' || *first == '-')) ++first;
      c.at = digits(first);
      if (c.at == first) return kGiveUp;
    }
    if (whole) return kGiveUp;  // nineteen digits and more: the Reader knows which of them fit
    double value = 0;
    if (std::from_chars(start, c.at, value).ec != std::errc()) return kGiveUp;
    *c.out = kDouble;
    store(c.out + 1, value);
    return keep_room({c.at, c.out + 9});
  }

  // Constant after construction.
  const char* begin_;
  const char* end_;
  Builder& builder_;
  std::size_t max_depth_ = 0;

  const std::uint8_t* limit_ = nullptr;
  std::size_t depth_ = 0;
  std::array<Frame, kMaxDepth> frames_;
};

bool FastParser::parse(std::string_view text, const Limits& limits, Builder& to) {
  if (text.size() > limits.size) return false;
  return FastParse(text, to).run(limits.depth);
}

}  // namespace flyball::json
