// Decimal: a number of any size as its decimal digits. For Quantity, whose wire form is decimal: what Kubernetes does
// with these numbers (add, compare, round, shift by powers of ten) is shortest on digits, and most have a few.
//
// Every function returns the normal form, so equal numbers have equal members.
//
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flyball::kube::detail {

struct Decimal {
  bool negative = false;
  // Most significant first, no zeros at either end. Empty is zero.
  std::string digits = {};
  // The power of ten of the last digit; 0 for zero. It may be huge ("1e2000000000"): nothing expands it unasked.
  std::int64_t exponent = 0;

  bool is_zero() const { return digits.empty(); }
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// `digits` may have zeros at both ends.
Decimal make_decimal(bool negative, std::string digits, std::int64_t exponent);

// Negative, zero or positive as a is less than, equal to or greater than b.
int compare(const Decimal& a, const Decimal& b);
int compare_magnitude(const Decimal& a, const Decimal& b);

// Throws Error when the sum would need more than kMaxSpan digits.
inline constexpr std::int64_t kMaxSpan = 100'000;
Decimal add(const Decimal& a, const Decimal& b);

// `factor` up to 2^20.
Decimal multiply(const Decimal& a, std::uint32_t factor);

// The nearest multiple of 10^exponent that is not nearer to zero.
Decimal round_away(const Decimal& a, std::int64_t exponent);

// Divides the digits of a whole number by a small one; returns the remainder.
std::uint32_t divide_digits(std::string& digits, std::uint32_t divisor);

// The number divided by 10^scale as an int64: rounded away from zero, held at the ends of the range.
std::int64_t scaled_int64(const Decimal& a, std::int64_t scale);

}  // namespace flyball::kube::detail
