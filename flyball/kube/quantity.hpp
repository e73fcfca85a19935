// Quantity: an amount of cpu, memory or anything else that Kubernetes counts. Exact; never a floating-point number.
//
//   std::map<std::string, Quantity> limits = {{"cpu", "500m"}, {"memory", "256Mi"}};
//   Quantity total = limits["memory"] + "1Gi";     // 1280Mi
//   total.to_string();                             // "1280Mi": canonical, in the form the left side was written
//   Quantity("1.5").milli_value();                 // 1500
//
// What is accepted, the canonical text and the rounding are those of Kubernetes' own type (resource.Quantity):
// - a number with one of n u m k M G T P E (powers of ten), Ki Mi Gi Ti Pi Ei (powers of 1024) or an exponent (12e6);
// - anything finer than a billionth is rounded up to one, away from zero;
// - with a binary suffix, anything beyond 2^63-1 is held there;
// - printing picks the largest suffix that needs no fraction. Go keeps a text that it takes for canonical as it was
//   written ("1.500", "+1", "1E3"), and so do we, until the value is changed.
//
// Where Go's answer is not the number meant, ours is: value() and milli_value() stop at the ends of int64 (Go returns 0
// or leftover bits), negative fractions round away from zero in every form, "1000E" prints as such (Go: "1"), and an
// exponent beyond int32 is an error (Go wraps it around).
//
// Equality and order are those of the number: Quantity("1Gi") == Quantity("1024Mi").
// Thread-safety: a value.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/kube/detail/decimal.hpp"

namespace flyball::kube {

class Quantity {
 public:
  // How the number is written; remembered from the text it came from.
  enum class Format : std::uint8_t {
    decimal_si,        // 12M
    binary_si,         // 12Mi
    decimal_exponent,  // 12e6
  };

  Quantity() = default;  // 0

  // Implicit, for initialisers. Throws InputError, which names the text, when it is not a quantity.
  Quantity(const char* text) : Quantity(std::string_view(text)) {}
  Quantity(const std::string& text) : Quantity(std::string_view(text)) {}
  Quantity(std::string_view text);

  // A whole number: {"cpu", 2}.
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  Quantity(T value) : Quantity(std::string_view(std::to_string(value))) {}
  Quantity(double) = delete;  // 0.1 has no exact double: write "0.1" or "100m"

  static Quantity of(std::int64_t value, Format format);
  static Quantity of_milli(std::int64_t value, Format format = Format::decimal_si);

  // Like the constructor for texts that may well be wrong: empty instead of an exception; `why` gets Go's message.
  static std::optional<Quantity> try_parse(std::string_view text, std::string* why = nullptr);

  // The canonical form, which is also the wire form.
  std::string to_string() const;
  Format format() const { return format_; }

  // The number in units, in thousandths, in 10^scale: rounded away from zero, held at the ends of int64.
  std::int64_t value() const { return scaled_value(0); }
  std::int64_t milli_value() const { return scaled_value(-3); }
  std::int64_t scaled_value(std::int32_t scale) const;
  // The nearest double, for graphs and logs.
  double as_double() const;

  bool is_zero() const { return amount_.is_zero(); }
  int sign() const { return is_zero() ? 0 : amount_.negative ? -1 : 1; }

  // The result is written in the format of the left side; of the right side when the left is zero.
  // Throws Error when the numbers are more than 100,000 digits apart.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  Quantity operator-() const;
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }

  friend bool operator==(const Quantity& a, const Quantity& b) { return a.amount_ == b.amount_; }
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return detail::compare(a.amount_, b.amount_) <=> 0;
  }

 private:
  std::string canonical() const;

  detail::Decimal amount_ = {};
  // The text this came from, where Go would print that instead of the canonical form. Mostly empty.
  std::string kept_ = {};
  Format format_ = Format::decimal_si;
};

}  // namespace flyball::kube

namespace flyball {
using kube::Quantity;
}
