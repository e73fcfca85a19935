#include "flyball/kube/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/go_text.hpp"

namespace flyball::kube {

namespace {

using detail::Decimal;
using Format = Quantity::Format;

constexpr std::string_view kBadFormat =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view kBadNumber = "unable to parse numeric part of quantity";
constexpr std::string_view kBadSuffix = "unable to parse quantity's suffix";

constexpr std::string_view kDecimalSuffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};  // from 10^-9
constexpr std::string_view kBinarySuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};            // from 1024^0
constexpr std::int64_t kNano = -9;
constexpr std::int64_t kExa = 18;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What a text is made of. Nothing is checked yet but the shape.
struct Pieces {
  bool negative = false;
  bool has_digits = false;
  std::string_view whole;     // without leading zeros
  std::string_view fraction;  // with all its zeros
  std::string_view suffix;
};

std::string_view take_digits(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  const std::string_view digits = rest.substr(0, n);
  rest.remove_prefix(n);
  return digits;
}

std::optional<Pieces> take_apart(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Pieces pieces;
  std::string_view rest = text;
  if (rest[0] == '-' || rest[0] == '+') {
    pieces.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  pieces.whole = take_digits(rest);
  pieces.has_digits = !pieces.whole.empty();
  pieces.whole.remove_prefix(std::min(pieces.whole.find_first_not_of('0'), pieces.whole.size()));
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    pieces.fraction = take_digits(rest);
    pieces.has_digits = pieces.has_digits || !pieces.fraction.empty();
  }
  pieces.suffix = rest;
  rest.remove_prefix(std::min(rest.find_first_not_of("eEinumkKMGTP"), rest.size()));
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  take_digits(rest);
  if (!rest.empty()) return std::nullopt;
  return pieces;
}

struct Suffix {
  Format format;
  std::int64_t exponent;  // of 1024 for binary_si, else of 10
};

std::optional<Suffix> read_suffix(std::string_view suffix) {
  for (std::size_t i = 0; i < std::size(kDecimalSuffixes); ++i) {
    if (suffix == kDecimalSuffixes[i]) return Suffix{Format::decimal_si, static_cast<std::int64_t>(i) * 3 + kNano};
  }
  for (std::size_t i = 1; i < std::size(kBinarySuffixes); ++i) {
    if (suffix == kBinarySuffixes[i]) return Suffix{Format::binary_si, static_cast<std::int64_t>(i)};
  }
  if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return std::nullopt;
  const detail::ParsedInt exponent = detail::parse_int64(suffix.substr(1));
  if (exponent.error != detail::IntError::none || !std::in_range<std::int32_t>(exponent.value)) return std::nullopt;
  return Suffix{Format::decimal_exponent, exponent.value};
}

// Go has a short way for numbers that fit an int64 with room to spare. It shows in two places: a number without digits
// ("Ki", ".") is zero there and an error elsewhere, and a text it takes for canonical is printed as it was written.
bool takes_short_way(const Pieces& pieces, const Suffix& suffix) {
  const auto whole = static_cast<std::int64_t>(std::max<std::size_t>(pieces.whole.size(), 1));
  const auto fraction = static_cast<std::int64_t>(pieces.fraction.size());
  if (suffix.format == Format::binary_si) return fraction == 0 && 14 - whole - suffix.exponent * 3 >= 0;
  return whole + fraction <= 18 && suffix.exponent - fraction >= kNano;
}

// Of digits that fit.
std::uint64_t number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool looks_canonical(const Pieces& pieces, const Suffix& suffix) {
  if (suffix.format == Format::binary_si) return number(pieces.whole) % 8 != 0;
  const std::string digits = std::string(pieces.whole) + std::string(pieces.fraction);
  const std::int64_t exponent = suffix.exponent - static_cast<std::int64_t>(pieces.fraction.size());
  return exponent % 3 == 0 && !digits.ends_with("000") && !pieces.whole.empty();
}

Decimal largest_binary(bool negative) { return detail::make_decimal(negative, "9223372036854775807", 0); }

std::string with_zeros(const Decimal& amount, std::int64_t exponent) {
  return amount.digits + std::string(static_cast<std::size_t>(amount.exponent - exponent), '0');
}

std::string decimal_text(const Decimal& amount, Format format) {
  std::int64_t exponent = amount.exponent - ((amount.exponent % 3) + 3) % 3;
  if (format == Format::decimal_si && exponent > kExa) exponent = kExa;
  const std::string digits = with_zeros(amount, exponent);
  if (format == Format::decimal_exponent) return exponent == 0 ? digits : digits + "e" + std::to_string(exponent);
  return digits + std::string(kDecimalSuffixes[static_cast<std::size_t>((exponent - kNano) / 3)]);
}

std::string binary_text(const Decimal& amount) {
  std::string digits = with_zeros(amount, 0);
  std::size_t times = 0;
  constexpr std::size_t kFitsSurely = 18;
  if (digits.size() <= kFitsSurely) {
    std::uint64_t value = number(digits);
    for (; value % 1024 == 0 && times + 1 < std::size(kBinarySuffixes); ++times) value /= 1024;
    return std::to_string(value) + std::string(kBinarySuffixes[times]);
  }
  while (times + 1 < std::size(kBinarySuffixes)) {
    std::string divided = digits;
    if (detail::divide_digits(divided, 1024) != 0) break;
    digits = std::move(divided);
    ++times;
  }
  return digits + std::string(kBinarySuffixes[times]);
}

}  // namespace

Quantity::Quantity(std::string_view text) {
  std::string why;
  std::optional<Quantity> parsed = try_parse(text, &why);
  if (!parsed) {
    throw InputError({}, "",
                     "\"" + std::string(text) + "\" is not a quantity: " + why +
                         ". Write a number and a unit, such as 500m, 2, 1.5, 256Mi or 10G");
  }
  *this = *std::move(parsed);
}

Quantity Quantity::of(std::int64_t value, Format format) {
  Quantity quantity(value);
  quantity.format_ = format;
  return quantity;
}

Quantity Quantity::of_milli(std::int64_t value, Format format) {
  Quantity quantity = of(value, format);
  if (!quantity.is_zero()) quantity.amount_.exponent -= 3;
  return quantity;
}

std::optional<Quantity> Quantity::try_parse(std::string_view text, std::string* why) {
  const auto refuse = [&](std::string_view message) {
    if (why != nullptr) *why = message;
    return std::nullopt;
  };
  const auto pieces = take_apart(text);
  if (!pieces) return refuse(kBadFormat);
  const auto suffix = read_suffix(pieces->suffix);
  if (!suffix) return refuse(kBadSuffix);
  const bool short_way = takes_short_way(*pieces, *suffix);
  if (!short_way && !pieces->has_digits) return refuse(kBadNumber);

  Quantity quantity;
  quantity.format_ = suffix->format;
  const bool binary = suffix->format == Format::binary_si;
  const std::int64_t exponent = (binary ? 0 : suffix->exponent) - static_cast<std::int64_t>(pieces->fraction.size());
  std::string digits = std::string(pieces->whole) + std::string(pieces->fraction);
  if (binary && short_way) digits = std::to_string(number(digits) << 10 * suffix->exponent);
  Decimal amount = detail::make_decimal(pieces->negative, std::move(digits), exponent);
  if (!short_way) {
    for (std::int64_t i = 0; binary && i < suffix->exponent; ++i) amount = detail::multiply(amount, 1024);
    amount = detail::round_away(amount, kNano);
    if (binary && detail::compare_magnitude(amount, largest_binary(false)) > 0) {
      amount = largest_binary(amount.negative);
    }
    // Below one there is no binary suffix that could show it.
    if (binary && !amount.is_zero() && detail::compare_magnitude(amount, {false, "1", 0}) < 0) {
      quantity.format_ = Format::decimal_si;
    }
  }
  quantity.amount_ = std::move(amount);
  if (short_way && looks_canonical(*pieces, *suffix) && text != quantity.canonical()) quantity.kept_ = text;
  return quantity;
}

std::string Quantity::to_string() const { return kept_.empty() ? canonical() : kept_; }

std::string Quantity::canonical() const {
  if (is_zero()) return "0";
  Format format = format_;
  // Small numbers and fractions read better, and lose nothing, as decimals.
  const bool small = detail::compare_magnitude(amount_, {false, "1024", 0}) < 0;
  if (format == Format::binary_si && (small || amount_.exponent < 0)) format = Format::decimal_si;
  const std::string text = format == Format::binary_si ? binary_text(amount_) : decimal_text(amount_, format);
  return amount_.negative ? "-" + text : text;
}

std::int64_t Quantity::scaled_value(std::int32_t scale) const { return detail::scaled_int64(amount_, scale); }

double Quantity::as_double() const {
  if (is_zero()) return 0;
  const std::string text = (amount_.negative ? "-" : "") + amount_.digits + "e" + std::to_string(amount_.exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  if (amount_.exponent < 0) return 0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return amount_.negative ? -kInfinity : kInfinity;
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (is_zero()) format_ = other.format_;
  amount_ = detail::add(amount_, other.amount_);
  kept_.clear();
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) { return *this += -other; }

Quantity Quantity::operator-() const {
  Quantity negated = *this;
  negated.kept_.clear();
  if (!is_zero()) negated.amount_.negative = !amount_.negative;
  return negated;
}

}  // namespace flyball::kube
