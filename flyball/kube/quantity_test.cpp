#include "flyball/kube/quantity.hpp"

#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::kube {
namespace {

std::string error_of(std::string_view text) {
  try {
    return "no error: " + Quantity(text).to_string();
  } catch (const InputError& error) {
    return error.what();
  }
}

struct Resources {
  std::map<std::string, Quantity> limits = {};
  std::map<std::string, Quantity> requests = {};
};

TEST(QuantityTest, StandsInDesignatedInitialisersAsText) {
  // [snippet: quantity-initialisers]
  const Resources resources{.limits = {{"cpu", "500m"}, {"memory", "256Mi"}}, .requests = {{"cpu", 2}}};
  // [end]
  EXPECT_EQ(resources.limits.at("cpu").milli_value(), 500);
  EXPECT_EQ(resources.limits.at("memory").value(), 256 * 1024 * 1024);
  EXPECT_EQ(resources.requests.at("cpu").to_string(), "2");
  const Resources one{.limits = {{"cpu", "1"}}};
  EXPECT_EQ(one.limits.size(), 1U);
}

TEST(QuantityTest, AddsExactlyAndKeepsTheFormOfTheLeftSide) {
  // [snippet: quantity-arithmetic]
  Quantity memory = "1.5Gi";
  memory += "512Mi";
  EXPECT_EQ(memory.to_string(), "2Gi");
  EXPECT_EQ(memory, "2048Mi");
  EXPECT_LT(Quantity("100m"), "0.2");
  EXPECT_EQ((Quantity("1") - "1n").to_string(), "999999999n");
  // [end]
  EXPECT_EQ((Quantity("1k") + "1Ki").to_string(), "2024");
  EXPECT_EQ((Quantity() + "1Ki").to_string(), "1Ki");
  EXPECT_EQ((Quantity("1Gi") - "1Gi").to_string(), "0");
}

TEST(QuantityTest, ABadTextIsAnErrorThatNamesItAndShowsAGoodOne) {
  EXPECT_EQ(error_of("12 GB"),
            "\"12 GB\" is not a quantity: quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'. Write a number and a unit, such as 500m, 2, 1.5, 256Mi or "
            "10G");
  EXPECT_EQ(error_of("1ki"),
            "\"1ki\" is not a quantity: unable to parse quantity's suffix. Write a number and a unit, such as 500m, 2, "
            "1.5, 256Mi or 10G");
  EXPECT_THROW((std::map<std::string, Quantity>{{"cpu", "lots"}}), InputError);
  EXPECT_FALSE(Quantity::try_parse("").has_value());
}

TEST(QuantityTest, KeepsATextThatGoTakesForCanonicalUntilTheNumberChanges) {
  Quantity quantity = "1.500";
  EXPECT_EQ(quantity.to_string(), "1.500");
  quantity += "0";
  EXPECT_EQ(quantity.to_string(), "1500m");
  EXPECT_EQ((-Quantity("+1")).to_string(), "-1");
}

TEST(QuantityTest, RoundsAwayFromZeroAndStopsAtTheEndsOfInt64) {
  EXPECT_EQ(Quantity("1.1").value(), 2);
  EXPECT_EQ(Quantity("-1.1").value(), -2);
  EXPECT_EQ(Quantity("-1.1n").milli_value(), -1);
  EXPECT_EQ(Quantity("1n").scaled_value(-9), 1);
  EXPECT_EQ(Quantity("1500").scaled_value(3), 2);
  EXPECT_EQ(Quantity("1e30").value(), INT64_MAX);
  EXPECT_EQ(Quantity("-1e30").value(), INT64_MIN);
  EXPECT_EQ(Quantity("9223372036854775807").value(), INT64_MAX);
  EXPECT_EQ(Quantity("9223372036854775808").value(), INT64_MAX);
  EXPECT_EQ(Quantity("-9223372036854775808").value(), INT64_MIN);
}

TEST(QuantityTest, BeyondTheLargestSuffixPrintsTheNumberMeant) {
  EXPECT_EQ(Quantity("1000E").to_string(), "1000E");
  EXPECT_EQ(Quantity("1000000P").to_string(), "1000E");
  Quantity many;
  for (int i = 0; i < 2048; ++i) many += "1Ei";
  EXPECT_EQ(many.to_string(), "2048Ei");
}

TEST(QuantityTest, ManyDigitsStayExact) {
  const std::string digits = "1234567890123456789012345678901234567890123456789";
  EXPECT_EQ(Quantity(digits).to_string(), digits);
  EXPECT_EQ((Quantity(digits) - Quantity(digits) + "1m").to_string(), "1m");
  EXPECT_EQ((Quantity(digits) + "0.5").to_string(), digits + "500m");
}

TEST(QuantityTest, EnormousExponentsCostNothingAndCannotBeAddedToSmallOnes) {
  const Quantity huge = "1e2000000000";
  EXPECT_GT(huge, "1");
  EXPECT_EQ(huge.value(), INT64_MAX);
  EXPECT_EQ(huge.to_string(), "100e1999999998");
  EXPECT_EQ(Quantity("1e-2000000000").to_string(), "1e-9");
  EXPECT_THROW(huge + "1", Error);
  EXPECT_EQ((huge + "0"), huge);
  std::string why;
  EXPECT_FALSE(Quantity::try_parse("1e2147483648", &why).has_value());
  EXPECT_EQ(why, "unable to parse quantity's suffix");
}

TEST(QuantityTest, IsMadeFromIntegersInAnyForm) {
  EXPECT_EQ(Quantity(0).to_string(), "0");
  EXPECT_EQ(Quantity(UINT64_MAX).to_string(), "18446744073709551615");
  EXPECT_EQ(Quantity(INT64_MIN).to_string(), "-9223372036854775808");
  EXPECT_EQ(Quantity::of(3 * 1024 * 1024, Quantity::Format::binary_si).to_string(), "3Mi");
  EXPECT_EQ(Quantity::of(3'000'000, Quantity::Format::decimal_exponent).to_string(), "3e6");
  EXPECT_EQ(Quantity::of_milli(1500).to_string(), "1500m");
  EXPECT_EQ(Quantity::of_milli(2000), "2");
  EXPECT_TRUE(Quantity::of_milli(0).is_zero());
}

TEST(QuantityTest, GivesTheNearestDouble) {
  EXPECT_EQ(Quantity("0.1").as_double(), 0.1);
  EXPECT_EQ(Quantity("-1.5Gi").as_double(), -1610612736.0);
  EXPECT_EQ(Quantity("0").as_double(), 0);
  EXPECT_GT(Quantity("1e400").as_double(), 1e308);
  EXPECT_LT(Quantity("-1e400").as_double(), -1e308);
}

static_assert(!std::is_constructible_v<Quantity, double>, "0.1 is not what it looks like");
static_assert(!std::is_constructible_v<Quantity, bool>);

}  // namespace
}  // namespace flyball::kube
