#include "flyball/json/write.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

// A copy of a few bytes without a call: names and words are short.
inline void copy_short(char* to, const char* from, std::size_t size) {
  if (size > 32) {
    std::memcpy(to, from, size);
  } else if (size > 16) {
    std::memcpy(to, from, 16);
    std::memcpy(to + size - 16, from + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + size - 8, from + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + size - 4, from + size - 4, 4);
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
}

// Copies bytes that need no escape and stops at the first that may; `to` has room for them and 16 more.
void copy_plain(const char*& from, const char* end, char*& to) {
#ifdef __SSE2__
  while (end - from >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const auto is = [&](char byte) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)); };
    __m128i special = _mm_or_si128(_mm_or_si128(is('"'), is('\\')), is(static_cast<char>(0xe2)));
    special = _mm_or_si128(special, _mm_or_si128(_mm_or_si128(is('<'), is('>')), is('&')));
    // Unsigned "at most 0x1f".
    special = _mm_or_si128(special, _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special));
    const int plain = mask == 0 ? 16 : __builtin_ctz(mask);
    from += plain;
    to += plain;
    if (mask != 0) return;
  }
#endif
  // Eight at a time, then one by one. A byte of `special` has its top bit set where the text's may need an escape.
  while (end - from >= 8) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kTops = kOnes * 0x80;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, 8);
    const auto is = [&](std::uint64_t byte) {
      const std::uint64_t x = bytes ^ (kOnes * byte);
      return (x - kOnes) & ~x;
    };
    const std::uint64_t low = (bytes - kOnes * 0x20) & ~bytes;
    const std::uint64_t special = (low | bytes | is('"') | is('\\') | is('<') | is('>') | is('&')) & kTops;
    if (special != 0) break;
    std::memcpy(to, from, 8);
    from += 8;
    to += 8;
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

void TextWriter::put(char byte) {
  reserve(1);
  *at_++ = byte;
}

void TextWriter::put(std::string_view text) {
  copy_short(reserve(text.size()), text.data(), text.size());
  at_ += text.size();
}

void TextWriter::put_string(std::string_view text) {
  constexpr std::size_t kSlack = 32;
  const char* from = text.data();
  const char* end = from + text.size();
  char* to = reserve(text.size() + kSlack);
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
  *to++ = '"';
  at_ = to;
}

void TextWriter::next() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_) put(',');
  first_ = false;
  if (level_ != 0) new_line();
}

void TextWriter::new_line() {
  if (options_.indent == 0) return;
  put('\n');
  const auto blanks = static_cast<std::size_t>(level_) * static_cast<std::size_t>(options_.indent);
  std::memset(reserve(blanks), ' ', blanks);
  at_ += blanks;
}

TextWriter& TextWriter::null() { return raw("null"); }

TextWriter& TextWriter::boolean(bool value) { return raw(value ? "true" : "false"); }

TextWriter& TextWriter::raw(std::string_view json) {
  next();
  put(json);
  return *this;
}

TextWriter& TextWriter::integer(std::int64_t value) {
  next();
  char* to = reserve(kLongestNumber);
  at_ = std::to_chars(to, to + kLongestNumber, value).ptr;
  return *this;
}

TextWriter& TextWriter::unsigned_integer(std::uint64_t value) {
  next();
  char* to = reserve(kLongestNumber);
  at_ = std::to_chars(to, to + kLongestNumber, value).ptr;
  return *this;
}

TextWriter& TextWriter::number(double value) {
  next();
  char* to = reserve(kLongestNumber);
  at_ = go_double(value, to);
  return *this;
}

TextWriter& TextWriter::string(std::string_view text) {
  next();
  put_string(text);
  return *this;
}

TextWriter& TextWriter::open(char bracket) {
  next();
  put(bracket);
  ++level_;
  first_ = true;
  return *this;
}

TextWriter& TextWriter::close(char bracket) {
  --level_;
  if (!first_) new_line();
  put(bracket);
  first_ = false;
  return *this;
}

TextWriter& TextWriter::begin_object() { return open('{'); }
TextWriter& TextWriter::end_object() { return close('}'); }
TextWriter& TextWriter::begin_array() { return open('['); }
TextWriter& TextWriter::end_array() { return close(']'); }

TextWriter& TextWriter::key(std::string_view name) {
  next();
  put_string(name);
  put(':');
  if (options_.indent != 0) put(' ');
  after_key_ = true;
  return *this;
}

TextWriter& TextWriter::plain_key(std::string_view name) {
  if (options_.indent != 0) next();
  char* to = reserve(name.size() + 5);
  if (options_.indent == 0) {
    *to = ',';
    to += first_ ? 0 : 1;
    first_ = false;
  }
  *to++ = '"';
  copy_short(to, name.data(), name.size());
  to += name.size();
  *to++ = '"';
  *to++ = ':';
  if (options_.indent != 0) *to++ = ' ';
  at_ = to;
  after_key_ = true;
  return *this;
}

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
