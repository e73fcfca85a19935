#include "flyball/json/write.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

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

void escape(char byte, std::string& to) {
  switch (byte) {
    case '"': to += "\\\""; return;
    case '\\': to += "\\\\"; return;
    case '\b': to += "\\b"; return;
    case '\f': to += "\\f"; return;
    case '\n': to += "\\n"; return;
    case '\r': to += "\\r"; return;
    case '\t': to += "\\t"; return;
    default: break;
  }
  to += "\\u00";
  to += kHex[static_cast<unsigned char>(byte) >> 4];
  to += kHex[static_cast<unsigned char>(byte) & 0xf];
}

class Writer {
 public:
  Writer(std::string& to, const WriteOptions& options) : to_(to), options_(options) {}

  void write(View value) {
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null: to_ += "null"; break;
      case Kind::boolean: to_ += value.as_bool() ? "true" : "false"; break;
      case Kind::integer: write_number(value.as_int(), to_); break;
      case Kind::number: write_number(value.as_double(), to_); break;
      case Kind::string: write_string(value.as_string(), to_, options_.escape_html); break;
      case Kind::array: write_array(value); break;
      case Kind::object: write_object(value); break;
    }
  }

 private:
  void write_array(View array) {
    open('[');
    for (View element : array.items()) {
      next();
      write(element);
    }
    close(']', array.empty());
  }

  void write_object(View object) {
    open('{');
    if (options_.sort_keys) {
      std::vector<Entry> entries(object.entries().begin(), object.entries().end());
      std::ranges::stable_sort(entries, {}, &Entry::key);
      for (const auto& entry : entries) write_member(entry);
    } else {
      for (const auto entry : object.entries()) write_member(entry);
    }
    close('}', object.empty());
  }

  void write_member(const Entry& entry) {
    next();
    write_string(entry.key, to_, options_.escape_html);
    to_ += options_.indent == 0 ? ":" : ": ";
    write(entry.value);
  }

  void open(char bracket) {
    to_ += bracket;
    ++level_;
    first_ = true;
  }

  void next() {
    if (!first_) to_ += ',';
    first_ = false;
    new_line();
  }

  void close(char bracket, bool empty) {
    --level_;
    if (!empty) new_line();
    to_ += bracket;
    first_ = false;
  }

  void new_line() {
    if (options_.indent == 0) return;
    to_ += '\n';
    to_.append(static_cast<std::size_t>(level_ * options_.indent), ' ');
  }

  std::string& to_;
  const WriteOptions& options_;
  int level_ = 0;
  bool first_ = true;
};

}  // namespace

void write_string(std::string_view text, std::string& to, bool escape_html) {
  to += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto action = kEscapes[static_cast<unsigned char>(text[i])];
    if (action == 0 || (action == 2 && !escape_html)) continue;
    if (action == 3) {
      const std::string_view rune = text.substr(i, 3);
      if (rune != "\u2028" && rune != "\u2029") continue;
      to.append(text, copied, i - copied);
      to += rune == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      to.append(text, copied, i - copied);
      escape(text[i], to);
    }
    copied = i + 1;
  }
  to.append(text, copied);
  to += '"';
}

void write_number(std::int64_t value, std::string& to) {
  std::array<char, 24> buffer;
  to.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

void write_number(double value, std::string& to) {
  const double size = std::fabs(value);
  const bool exponent = size != 0 && (size < 1e-6 || size >= 1e21);
  std::array<char, 64> buffer;
  char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                            exponent ? std::chars_format::scientific : std::chars_format::fixed)
                  .ptr;
  // to_chars writes at least two digits of exponent, Go as few as it takes: 1e-09 becomes 1e-9.
  if (exponent && end - buffer.data() >= 4 && end[-4] == 'e' && end[-3] == '-' && end[-2] == '0') {
    end[-2] = end[-1];
    --end;
  }
  to.append(buffer.data(), end);
}

void write(View value, std::string& to, const WriteOptions& options) { Writer(to, options).write(value); }

std::string write(View value, const WriteOptions& options) {
  std::string text;
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
