#include "flyball/kube/int_or_string.hpp"

#include <cmath>
#include <limits>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/go_text.hpp"

namespace flyball::kube {

namespace {

// Kubernetes computes percentages in doubles; so do we, to round where it rounds.
std::int64_t percentage(std::int64_t percent, std::int64_t total, Round round) {
  const double exact = static_cast<double>(percent) * static_cast<double>(total) / 100;
  const double whole = round == Round::up ? std::ceil(exact) : std::floor(exact);
  using Limits = std::numeric_limits<std::int64_t>;
  if (whole >= 0x1p63) return Limits::max();
  if (whole < -0x1p63) return Limits::min();
  return static_cast<std::int64_t>(whole);
}

[[noreturn]] void refuse_word(const std::string& problem) {
  throw InputError({}, "", "invalid value for IntOrString: " + problem);
}

}  // namespace

IntOrString IntOrString::parse(std::string_view text) {
  const detail::ParsedInt parsed = detail::parse_int64(text);
  if (parsed.error != detail::IntError::none || !std::in_range<std::int32_t>(parsed.value)) return text;
  return parsed.value;
}

std::string IntOrString::to_string() const { return is_string_ ? word_ : std::to_string(number_); }

std::int64_t IntOrString::int_value() const { return is_string_ ? detail::parse_int64(word_).value : number_; }

std::int64_t IntOrString::scaled_value(std::int64_t total, Round round) const {
  if (!is_string_) return number_;
  if (!word_.ends_with('%')) refuse_word("invalid type: string is not a percentage");
  const std::string_view digits = std::string_view(word_).substr(0, word_.size() - 1);
  const detail::ParsedInt percent = detail::parse_int64(digits);
  if (percent.error != detail::IntError::none) {
    refuse_word("invalid value " + detail::quote(word_) + ": strconv.Atoi: parsing " + detail::quote(digits) + ": " +
                std::string(detail::describe(percent.error)));
  }
  return percentage(percent.value, total, round);
}

void IntOrString::refuse(const std::string& number) {
  throw InputError({}, "", number + " does not fit an IntOrString: its number is an int32, -2147483648 to 2147483647");
}

}  // namespace flyball::kube
