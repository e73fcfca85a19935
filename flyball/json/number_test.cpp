// Numbers: what text becomes which int64 or double, and how it is written back.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

std::string zeros(std::size_t count) { return std::string(count, '0'); }

TEST(NumberTest, IntegersAreExactUpToTheLimitsOfInt64) {
  EXPECT_EQ(parse("9223372036854775807").as_int(), kMax);
  EXPECT_EQ(parse("-9223372036854775808").as_int(), kMin);
  EXPECT_EQ(parse("9007199254740993").as_int(), 9007199254740993);  // no double holds it
  EXPECT_EQ(write(parse("[9223372036854775807,-9223372036854775808]")), "[9223372036854775807,-9223372036854775808]");
}

TEST(NumberTest, IntegersBeyondInt64AreDoubles) {
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999"}) {
    EXPECT_EQ(parse(text).kind(), Kind::number) << text;
    EXPECT_EQ(parse(text).as_double(), std::stod(text)) << text;
  }
}

TEST(NumberTest, AFractionOrAnExponentMakesADouble) {
  for (const char* text : {"1.0", "1e0", "1E+0", "10e-1"}) {
    EXPECT_EQ(parse(text).kind(), Kind::number) << text;
    EXPECT_EQ(write(parse(text)), "1") << text;
  }
}

TEST(NumberTest, EveryEncodedWidthComesBack) {
  for (std::int64_t power = 1; power > 0 && power < kMax / 2; power *= 2) {
    for (const std::int64_t value : {power - 1, power, power + 1, -power - 1, -power, 1 - power}) {
      EXPECT_EQ(parse(std::to_string(value)).as_int(), value);
      EXPECT_EQ(write(Value(value)), std::to_string(value));
    }
  }
}

TEST(NumberTest, TooSmallToTellFromZeroIsZero) {
  for (const std::string& text :
       {std::string("1e-400"), "0." + zeros(400) + "1", std::string("1e-99999999999999999999"),
        "1" + zeros(100) + "e-500", "0." + zeros(200) + "1e-200"}) {
    EXPECT_EQ(parse(text).as_double(), 0.0) << text;
    EXPECT_TRUE(std::signbit(parse("-" + text).as_double())) << text;
  }
}

TEST(NumberTest, TooLargeForADoubleIsRefused) {
  for (const std::string& text : {std::string("1e400"), "1" + zeros(400), "1" + zeros(400) + "e-50",
                                  "0." + zeros(50) + "1e400", std::string("1e+99999999999999999999")}) {
    EXPECT_THROW(parse(text), ParseError) << text;
    EXPECT_THROW(parse("-" + text), ParseError) << text;
  }
}

TEST(NumberTest, ManyDigitsAroundOneAreNoTrouble) {
  EXPECT_EQ(parse("1" + zeros(400) + "e-400").as_double(), 1.0);
  EXPECT_EQ(parse("0." + zeros(399) + "1e400").as_double(), 1.0);
  EXPECT_EQ(parse("0e99999999999999999999").as_double(), 0.0);
  EXPECT_EQ(parse("5e-324").as_double(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse("1.7976931348623157e308").as_double(), std::numeric_limits<double>::max());
}

TEST(NumberTest, DoublesAreWrittenAsGoWritesThem) {
  const auto written = [](double value) { return write(Value(value)); };
  EXPECT_EQ(written(0.0), "0");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(1e20), "100000000000000000000");
  EXPECT_EQ(written(1e21), "1e+21");
  EXPECT_EQ(written(1.5e300), "1.5e+300");
  EXPECT_EQ(written(0.000001), "0.000001");
  EXPECT_EQ(written(0.0000009), "9e-7");
  EXPECT_EQ(written(1.25e-10), "1.25e-10");
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(123456789.125), "123456789.125");
}

}  // namespace
}  // namespace flyball::json
