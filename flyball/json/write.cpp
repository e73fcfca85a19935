#include "flyball/json/write.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "flyball/base/copy_short.hpp"
#include "flyball/json/detail/encoding.hpp"
#include "flyball/json/text_writer.hpp"

namespace flyball::json {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

// What to do with a byte of a string: 0 copy, 1 escape, 2 escape only for HTML, 3 first byte of a possible U+2028/9.
constexpr std::array<std::uint8_t, 256> kEscapes = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) table[byte] = 1;
  table['"'] = table['\\'] = 1;
  table['<'] = table['>'] = table['&'] = 2;
  table[0xe2] = 3;
  return table;
}();

char* escape(char byte, char* to) {
  const auto pair = [to](char letter) {
    to[0] = '\\';
    to[1] = letter;
    return to + 2;
  };
  switch (byte) {
    case '"': return pair('"');
    case '\\': return pair('\\');
    case '\b': return pair('b');
    case '\f': return pair('f');
    case '\n': return pair('n');
    case '\r': return pair('r');
    case '\t': return pair('t');
    default: break;
  }
  std::memcpy(to, "\\u00", 4);
  to[4] = kHex[static_cast<unsigned char>(byte) >> 4];
  to[5] = kHex[static_cast<unsigned char>(byte) & 0xf];
  return to + 6;
}

// How many of eight bytes and eight more, from the first on, certainly need no escape.
std::size_t plain_bytes(const char* first, const char* second) {
#ifdef __SSE2__
  const auto load = [](const char* at) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at)); };
  const auto is = [](__m128i them, int byte) { return _mm_cmpeq_epi8(them, _mm_set1_epi8(static_cast<char>(byte))); };
  static_assert(('"' | 4) == '&' && ('<' | 2) == '>');
  const __m128i bytes = _mm_unpacklo_epi64(load(first), load(second));
  const __m128i quotes = _mm_or_si128(is(_mm_or_si128(bytes, _mm_set1_epi8(4)), '&'), is(bytes, '\\'));
  const __m128i angles = _mm_or_si128(is(_mm_or_si128(bytes, _mm_set1_epi8(2)), '>'), is(bytes, 0xe2));
  const __m128i controls = is(_mm_max_epu8(bytes, _mm_set1_epi8(0x1f)), 0x1f);
  const __m128i special = _mm_or_si128(_mm_or_si128(quotes, angles), controls);
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(special)) | 0x10000));
#else
  // A byte has its top bit set here where the text's may need an escape; behind the first such one it may be wrong.
  const auto special = [](const char* at) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < 8; ++i)
      bytes |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    const auto is = [&](std::uint64_t byte) {
      const std::uint64_t x = bytes ^ (kOnes * byte);
      return (x - kOnes) & ~x;
    };
    const std::uint64_t low = (bytes - kOnes * 0x20) & ~bytes;
    return (low | bytes | is('"') | is('\\') | is('<') | is('>') | is('&')) & (kOnes * 0x80);
  };
  const std::uint64_t one = special(first);
  return static_cast<std::size_t>((one != 0 ? std::countr_zero(one) : 64 + std::countr_zero(special(second))) / 8);
#endif
}

// Copies bytes that need no escape and stops at the first that does, or may; `to` has room for them and 16 more.
void copy_plain(const char*& from, const char* end, char*& to) {
  std::size_t plain = 16;
  while (plain == 16 && end - from >= 16) {
    plain = plain_bytes(from, from + 8);
    std::memcpy(to, from, 16);
    from += plain;
    to += plain;
  }
  // The rest in one step: its first and its last eight, or four, bytes, which overlap.
  const auto left = static_cast<std::size_t>(end - from);
  if (plain == 16 && left >= 4) {
    std::array<char, 8> few;
    std::memcpy(few.data(), from, 4);
    std::memcpy(few.data() + 4, end - 4, 4);
    if (left >= 8 ? plain_bytes(from, end - 8) == 16 : plain_bytes(few.data(), few.data()) == 16) {
      copy_short(to, from, left);
      from = end;
      to += left;
      return;
    }
  }
  while (from != end && kEscapes[static_cast<unsigned char>(*from)] == 0) *to++ = *from++;
}

// Room for any number: a double without an exponent has at most 21 digits before the point, or 6 zeros and 17 digits.
constexpr std::size_t kLongestNumber = 40;

// Integers beyond 2^53: to_chars writes every digit out, Go the shortest ones and then zeros (9223372036854776000).
char* go_large_integer(double value, char* to) {
  std::array<char, kLongestNumber> buffer;
  const char* end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const char* mark = std::find(buffer.data(), buffer.data() + buffer.size(), 'e');
  int digits = 0;
  std::from_chars(mark + 2, end, digits);
  ++digits;
  for (const char* at = buffer.data(); at != mark; ++at) {
    if (*at == '.') continue;
    *to++ = *at;
    if (*at != '-') --digits;
  }
  return std::fill_n(to, digits, '0');
}

char* go_double(double value, char* to) {
  const double size = std::fabs(value);
  if (size >= 9007199254740992.0 && size < 1e21) return go_large_integer(value, to);
  const bool exponent = size != 0 && (size < 1e-6 || size >= 1e21);
  char* end =
      std::to_chars(to, to + kLongestNumber, value, exponent ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  // to_chars writes at least two digits of exponent, Go as few as it takes: 1e-09 becomes 1e-9.
  if (exponent && end - to >= 4 && end[-4] == 'e' && end[-3] == '-' && end[-2] == '0') {
    end[-2] = end[-1];
    --end;
  }
  return end;
}

}  // namespace

TextWriter::TextWriter(std::string& to, const WriteOptions& options)
    : to_(to), at_(to.data() + to.size()), end_(at_), options_(options) {}

void TextWriter::finish() {
  // Once: after it the string is the caller's, who may have moved it away before the destructor comes here again.
  if (at_ == nullptr) return;
  if (step_ != 0 && at_[-1] == ',') --at_;
  to_.resize(static_cast<std::size_t>(at_ - to_.data()));
  at_ = end_ = nullptr;
}

void TextWriter::grow(std::size_t bytes) {
  const std::size_t used = at_ == nullptr ? to_.size() : static_cast<std::size_t>(at_ - to_.data());
  // In steps that double from a small one: cheap for one number at the end of a long text, and for a long text.
  constexpr std::size_t kFirstStep = 256;
  step_ = std::max({bytes, step_ * 2, kFirstStep});
  to_.resize(used + step_);
  at_ = to_.data() + used;
  end_ = to_.data() + to_.size();
}

void TextWriter::indent() {
  if (level_ != 0 && !after_key_) new_line();
  after_key_ = false;
}

void TextWriter::new_line() {
  const auto blanks = static_cast<std::size_t>(level_) * static_cast<std::size_t>(options_.indent);
  *reserve(blanks + 1) = '\n';
  std::memset(at_ + 1, ' ', blanks);
  at_ += blanks + 1;
}

TextWriter& TextWriter::null() { return raw("null"); }

TextWriter& TextWriter::boolean(bool value) { return raw(value ? "true" : "false"); }

TextWriter& TextWriter::raw(std::string_view json) {
  char* to = begin(json.size() + 1);
  copy_short(to, json.data(), json.size());
  to[json.size()] = ',';
  at_ = to + json.size() + 1;
  return *this;
}

TextWriter& TextWriter::integer(std::int64_t value) {
  char* to = begin(kLongestNumber);
  return put_comma(std::to_chars(to, to + kLongestNumber, value).ptr);
}

TextWriter& TextWriter::unsigned_integer(std::uint64_t value) {
  char* to = begin(kLongestNumber);
  return put_comma(std::to_chars(to, to + kLongestNumber, value).ptr);
}

TextWriter& TextWriter::number(double value) { return put_comma(go_double(value, begin(kLongestNumber))); }

TextWriter& TextWriter::put_comma(char* at) {
  *at = ',';
  at_ = at + 1;
  return *this;
}

TextWriter& TextWriter::string(std::string_view text) { return quote(text, ','); }

TextWriter& TextWriter::key(std::string_view name) {
  quote(name, ':');
  return options_.indent == 0 ? *this : put_blank();
}

TextWriter& TextWriter::plain_key(std::string_view name) {
  char* to = begin(name.size() + 3);
  *to = '"';
  copy_short(to + 1, name.data(), name.size());
  to += name.size() + 1;
  to[0] = '"';
  to[1] = ':';
  at_ = to + 2;
  return options_.indent == 0 ? *this : put_blank();
}

TextWriter& TextWriter::put_blank() {
  *reserve(1) = ' ';
  ++at_;
  after_key_ = true;
  return *this;
}

TextWriter& TextWriter::quote(std::string_view text, char after) {
  constexpr std::size_t kSlack = 32;
  const char* from = text.data();
  const char* end = from + text.size();
  char* to = begin(text.size() + kSlack);
  *to++ = '"';
  for (;;) {
    copy_plain(from, end, to);
    if (from == end) break;
    const auto action = kEscapes[static_cast<unsigned char>(*from)];
    const std::string_view rune(from, std::min<std::size_t>(3, static_cast<std::size_t>(end - from)));
    if (action == 3 && (rune == "\u2028" || rune == "\u2029")) {
      std::memcpy(to, "\\u202", 5);
      to[5] = rune == "\u2028" ? '8' : '9';
      to += 6;
      from += 3;
    } else if (action == 1 || (action == 2 && options_.escape_html)) {
      to = escape(*from++, to);
    } else {
      *to++ = *from++;
    }
    at_ = to;
    to = reserve(static_cast<std::size_t>(end - from) + kSlack);
  }
  to[0] = '"';
  to[1] = after;
  at_ = to + 2;
  return *this;
}

TextWriter& TextWriter::open(char bracket) {
  *begin(1) = bracket;
  ++at_;
  ++level_;
  return *this;
}

TextWriter& TextWriter::close(char bracket) {
  --level_;
  if (at_[-1] == ',') {
    --at_;
    if (options_.indent != 0) new_line();
  }
  *reserve(2) = bracket;
  return put_comma(at_ + 1);
}

TextWriter& TextWriter::begin_object() { return open('{'); }
TextWriter& TextWriter::end_object() { return close('}'); }
TextWriter& TextWriter::begin_array() { return open('['); }
TextWriter& TextWriter::end_array() { return close(']'); }

TextWriter& TextWriter::value(View value) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null: return null();
    case Kind::boolean: return boolean(value.as_bool());
    case Kind::integer: return integer(value.as_int());
    case Kind::number: return number(value.as_double());
    case Kind::string: return string(encoding::string_at(value.node()));
    case Kind::array: {
      begin_array();
      for (View element : value.items()) this->value(element);
      return end_array();
    }
    case Kind::object: write_object(value);
  }
  return *this;
}

void TextWriter::write_object(View object) {
  begin_object();
  if (options_.sort_keys) {
    std::vector<Entry> entries(object.entries().begin(), object.entries().end());
    std::ranges::sort(entries, {}, &Entry::key);
    for (const auto& entry : entries) key(entry.key).value(entry.value);
  } else {
    // In the encoding itself: this is the path of every response.
    const encoding::Contents contents = encoding::contents(object.node());
    for (const auto* at = contents.begin; at != contents.end; at = encoding::skip(at)) {
      const std::string_view name = encoding::take_key(at);
      key(name).value(View::at_node(at));
    }
  }
  end_object();
}

void write_string(std::string_view text, std::string& to, bool escape_html) {
  TextWriter(to, {.escape_html = escape_html}).string(text);
}

void write_number(std::int64_t value, std::string& to) { TextWriter(to).integer(value); }

void write_number(double value, std::string& to) { TextWriter(to).number(value); }

void write(View value, std::string& to, const WriteOptions& options) { TextWriter(to, options).value(value); }

std::string write(View value, const WriteOptions& options) {
  std::string text;
  // A little more than most documents take: keys and strings get quotes, colons and commas.
  text.reserve(value.encoded_size() + value.encoded_size() / 3 + 32);
  write(value, text, options);
  return text;
}

std::string summary(View value) {
  constexpr std::size_t kLongest = 60;
  switch (value.kind()) {
    case Kind::absent: return "nothing";
    case Kind::null: return "null";
    case Kind::boolean: return "the boolean " + write(value);
    case Kind::integer: return "the integer " + write(value);
    case Kind::number: return "the number " + write(value);
    case Kind::array: return "an array of " + std::to_string(value.size());
    case Kind::object: return "an object of " + std::to_string(value.size());
    case Kind::string: break;
  }
  std::string_view text = value.as_string();
  const bool cut = text.size() > kLongest;
  if (cut) {
    text = text.substr(0, kLongest);
    // Not in the middle of a character.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.remove_suffix(1);
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0) text.remove_suffix(1);
  }
  std::string out = "the string ";
  write_string(text, out, false);
  if (cut) out += "…";
  return out;
}

}  // namespace flyball::json
