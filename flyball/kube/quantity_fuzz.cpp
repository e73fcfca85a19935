// Two texts, apart at the first line break. What parses must print, parse back the same, and add like numbers.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/quantity.hpp"

namespace {

using flyball::kube::IntOrString;
using flyball::kube::Quantity;
using flyball::kube::Round;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_one(const Quantity& quantity) {
  const Quantity back(quantity.to_string());
  check(back == quantity);
  check(back.to_string() == quantity.to_string());
  check((quantity - quantity).is_zero());
  check(quantity.sign() >= 0 ? quantity.value() >= 0 : quantity.value() < 0);
  check(-(-quantity) == quantity);
  static_cast<void>(quantity.as_double());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const auto a = Quantity::try_parse(text.substr(0, line));
  const auto b = Quantity::try_parse(line == std::string_view::npos ? "" : text.substr(line + 1));
  if (a) check_one(*a);
  if (a && b) {
    check((*a < *b) + (*a == *b) + (*a > *b) == 1);
    try {
      check(*a + *b == *b + *a);
      check((*a + *b) - *b == *a);
    } catch (const flyball::Error&) {
      // Too far apart to be added.
    }
  }
  try {
    static_cast<void>(IntOrString::parse(text).scaled_value(1000, Round::up));
  } catch (const flyball::InputError&) {
  }
  return 0;
}
