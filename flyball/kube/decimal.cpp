#include "flyball/kube/detail/decimal.hpp"

#include <algorithm>
#include <limits>

#include "flyball/base/error.hpp"

namespace flyball::kube::detail {

namespace {

int digit(char c) { return c - '0'; }
char as_digit(std::uint32_t value) { return static_cast<char>('0' + value); }

std::int64_t size_of(const std::string& digits) { return static_cast<std::int64_t>(digits.size()); }

// Both of the same length.
std::string add_digits(std::string a, const std::string& b) {
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int sum = digit(a[i]) + digit(b[i]) + carry;
    a[i] = as_digit(static_cast<std::uint32_t>(sum % 10));
    carry = sum / 10;
  }
  if (carry != 0) a.insert(a.begin(), '1');
  return a;
}

// Both of the same length, a not less than b.
std::string subtract_digits(std::string a, const std::string& b) {
  int borrow = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    int difference = digit(a[i]) - digit(b[i]) - borrow;
    borrow = difference < 0 ? 1 : 0;
    if (borrow != 0) difference += 10;
    a[i] = as_digit(static_cast<std::uint32_t>(difference));
  }
  return a;
}

// The digits down to 10^exponent, with zeros in front up to `length`.
std::string spread(const Decimal& a, std::int64_t exponent, std::size_t length) {
  std::string digits = a.digits + std::string(static_cast<std::size_t>(a.exponent - exponent), '0');
  digits.insert(0, length - digits.size(), '0');
  return digits;
}

}  // namespace

Decimal make_decimal(bool negative, std::string digits, std::int64_t exponent) {
  const std::size_t last = digits.find_last_not_of('0');
  if (last == std::string::npos) return {};
  exponent += size_of(digits) - 1 - static_cast<std::int64_t>(last);
  digits.resize(last + 1);
  digits.erase(0, digits.find_first_not_of('0'));
  return {negative, std::move(digits), exponent};
}

int compare_magnitude(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero()) return int{!a.is_zero()} - int{!b.is_zero()};
  const std::int64_t top_a = size_of(a.digits) + a.exponent;
  const std::int64_t top_b = size_of(b.digits) + b.exponent;
  if (top_a != top_b) return top_a < top_b ? -1 : 1;
  // Without zeros at the end, the longer of two that begin alike is the greater: as strings compare.
  return a.digits.compare(b.digits);
}

int compare(const Decimal& a, const Decimal& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  return a.negative ? compare_magnitude(b, a) : compare_magnitude(a, b);
}

Decimal add(const Decimal& a, const Decimal& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const std::int64_t low = std::min(a.exponent, b.exponent);
  const std::int64_t top = std::max(size_of(a.digits) + a.exponent, size_of(b.digits) + b.exponent);
  if (top - low > kMaxSpan) {
    throw Error("these two quantities are too far apart to be added: the sum would have " + std::to_string(top - low) +
                " digits, and " + std::to_string(kMaxSpan) + " is the limit");
  }
  const auto length = static_cast<std::size_t>(top - low);
  const int order = compare_magnitude(a, b);
  const Decimal& larger = order >= 0 ? a : b;
  const std::string digits_larger = spread(larger, low, length);
  const std::string digits_smaller = spread(order >= 0 ? b : a, low, length);
  if (a.negative == b.negative) return make_decimal(a.negative, add_digits(digits_larger, digits_smaller), low);
  return make_decimal(larger.negative, subtract_digits(digits_larger, digits_smaller), low);
}

Decimal multiply(const Decimal& a, std::uint32_t factor) {
  std::string digits = a.digits;
  std::uint32_t carry = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const std::uint32_t product = static_cast<std::uint32_t>(digit(digits[i])) * factor + carry;
    digits[i] = as_digit(product % 10);
    carry = product / 10;
  }
  if (carry != 0) digits.insert(0, std::to_string(carry));
  return make_decimal(a.negative, std::move(digits), a.exponent);
}

Decimal round_away(const Decimal& a, std::int64_t exponent) {
  if (a.is_zero() || a.exponent >= exponent) return a;
  const std::int64_t kept = size_of(a.digits) - (exponent - a.exponent);
  if (kept <= 0) return {a.negative, "1", exponent};
  // The last digit is never zero, so something is always cut off here.
  std::string digits = a.digits.substr(0, static_cast<std::size_t>(kept));
  return make_decimal(a.negative, add_digits(digits, std::string(digits.size() - 1, '0') + '1'), exponent);
}

std::uint32_t divide_digits(std::string& digits, std::uint32_t divisor) {
  std::uint32_t rest = 0;
  for (char& c : digits) {
    rest = rest * 10 + static_cast<std::uint32_t>(digit(c));
    c = as_digit(rest / divisor);
    rest %= divisor;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return rest;
}

std::int64_t scaled_int64(const Decimal& a, std::int64_t scale) {
  using Limits = std::numeric_limits<std::int64_t>;
  const Decimal whole = round_away(a, scale);
  if (whole.is_zero()) return 0;
  const std::int64_t zeros = whole.exponent - scale;
  if (size_of(whole.digits) + zeros > 19) return whole.negative ? Limits::min() : Limits::max();
  std::uint64_t value = 0;  // 19 digits fit
  for (char c : whole.digits) value = value * 10 + static_cast<std::uint64_t>(digit(c));
  for (std::int64_t i = 0; i < zeros; ++i) value *= 10;
  constexpr auto kMax = static_cast<std::uint64_t>(Limits::max());
  if (!whole.negative) return value > kMax ? Limits::max() : static_cast<std::int64_t>(value);
  return value > kMax ? Limits::min() : -static_cast<std::int64_t>(value);
}

}  // namespace flyball::kube::detail
