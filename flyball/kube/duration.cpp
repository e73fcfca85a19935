#include <limits>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/time_text.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::kube {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kHighest = std::uint64_t{1} << 63;  // the magnitude of the shortest, most negative span

bool is_digit(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

// Nanoseconds; 0 for what is no unit.
std::uint64_t unit_of(std::string_view name) {
  if (name == "ns") return 1;
  if (name == "us" || name == "\u00b5s" || name == "\u03bcs") return 1'000;  // both of Unicode's micro signs
  if (name == "ms") return 1'000'000;
  if (name == "s") return kSecond;
  if (name == "m") return 60 * kSecond;
  if (name == "h") return 3600 * kSecond;
  return 0;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  std::int64_t read() {
    const bool negative = rest_.starts_with('-');
    if (negative || rest_.starts_with('+')) rest_.remove_prefix(1);
    if (rest_ == "0") return 0;
    if (rest_.empty()) refuse("invalid duration");
    std::uint64_t total = 0;
    while (!rest_.empty()) {
      total += read_term();
      if (total > kHighest) refuse("invalid duration");
    }
    if (negative) return static_cast<std::int64_t>(0 - total);
    if (total == kHighest) refuse("invalid duration");
    return static_cast<std::int64_t>(total);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError({}, "", "time: " + problem + " " + detail::time_quote(text_));
  }

  std::uint64_t read_term() {
    if (!is_digit(rest_) && rest_[0] != '.') refuse("invalid duration");
    bool has_digits = is_digit(rest_);
    const std::uint64_t whole = read_whole();
    std::uint64_t fraction = 0;
    double scale = 1;
    if (rest_.starts_with('.')) {
      rest_.remove_prefix(1);
      has_digits = has_digits || is_digit(rest_);
      read_fraction(fraction, scale);
    }
    if (!has_digits) refuse("invalid duration");
    const std::uint64_t unit = read_unit();
    if (whole > kHighest / unit) refuse("invalid duration");
    std::uint64_t nanos = whole * unit;
    // In doubles, and in this order, because Go does it so and the last nanosecond depends on it.
    if (fraction > 0) {
      nanos += static_cast<std::uint64_t>(static_cast<double>(fraction) * (static_cast<double>(unit) / scale));
    }
    if (nanos > kHighest) refuse("invalid duration");
    return nanos;
  }

  std::uint64_t read_whole() {
    std::uint64_t value = 0;
    for (; is_digit(rest_); rest_.remove_prefix(1)) {
      if (value > kHighest / 10) refuse("invalid duration");
      value = value * 10 + static_cast<std::uint64_t>(rest_[0] - '0');
      if (value > kHighest) refuse("invalid duration");
    }
    return value;
  }

  // Digits beyond what an integer holds are passed over: they are far below a nanosecond.
  void read_fraction(std::uint64_t& fraction, double& scale) {
    bool full = false;
    for (; is_digit(rest_); rest_.remove_prefix(1)) {
      if (full || fraction > (kHighest - 1) / 10) {
        full = true;
        continue;
      }
      const std::uint64_t next = fraction * 10 + static_cast<std::uint64_t>(rest_[0] - '0');
      if (next > kHighest) {
        full = true;
        continue;
      }
      fraction = next;
      scale *= 10;
    }
  }

  std::uint64_t read_unit() {
    std::size_t size = 0;
    while (size < rest_.size() && rest_[size] != '.' && !is_digit(rest_.substr(size))) ++size;
    if (size == 0) refuse("missing unit in duration");
    const std::string_view name = rest_.substr(0, size);
    rest_.remove_prefix(size);
    const std::uint64_t unit = unit_of(name);
    if (unit == 0) refuse("unknown unit " + detail::time_quote(name) + " in duration");
    return unit;
  }

  std::string_view text_;
  std::string_view rest_;
};

// value / 10^places, without zeros at the end of the fraction.
std::string decimal(std::uint64_t value, int places) {
  std::string fraction;
  for (int i = 0; i < places; ++i) {
    if (value % 10 != 0 || !fraction.empty()) fraction.insert(fraction.begin(), static_cast<char>('0' + value % 10));
    value /= 10;
  }
  return std::to_string(value) + (fraction.empty() ? "" : "." + fraction);
}

std::string magnitude(std::uint64_t nanos) {
  if (nanos == 0) return "0s";
  if (nanos < 1'000) return decimal(nanos, 0) + "ns";
  if (nanos < 1'000'000) return decimal(nanos, 3) + "\u00b5s";
  if (nanos < kSecond) return decimal(nanos, 6) + "ms";
  const std::uint64_t minutes = nanos / (60 * kSecond);
  std::string text = decimal(nanos % (60 * kSecond), 9) + "s";
  if (minutes > 0) text = std::to_string(minutes % 60) + "m" + text;
  if (minutes >= 60) text = std::to_string(minutes / 60) + "h" + text;
  return text;
}

}  // namespace

namespace detail {

std::string time_quote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x80) {
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 0xF]};
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace detail

Duration Duration::parse(std::string_view text) { return from_nanos(Reader(text).read()); }

std::string Duration::to_string() const {
  const auto bits = static_cast<std::uint64_t>(nanos_);
  return nanos_ < 0 ? "-" + magnitude(0 - bits) : magnitude(bits);
}

}  // namespace flyball::kube
