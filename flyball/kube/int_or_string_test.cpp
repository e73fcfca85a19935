#include "flyball/kube/int_or_string.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::kube {
namespace {

struct Port {
  int port = 0;
  IntOrString targetPort = {};
};

TEST(IntOrStringTest, StandsInDesignatedInitialisersAsNumberOrWord) {
  // [snippet: int-or-string]
  const Port by_number{.port = 80, .targetPort = 8080};
  const Port by_name{.port = 80, .targetPort = "http"};
  // [end]
  EXPECT_TRUE(by_number.targetPort.is_int());
  EXPECT_EQ(by_number.targetPort.as_int(), 8080);
  EXPECT_TRUE(by_name.targetPort.is_string());
  EXPECT_EQ(by_name.targetPort.as_string(), "http");
}

TEST(IntOrStringTest, ANumberIsNotTheWordOfItsDigits) {
  EXPECT_NE(IntOrString(80), IntOrString("80"));
  EXPECT_EQ(IntOrString(80), 80);
  EXPECT_EQ(IntOrString("80"), "80");
  EXPECT_EQ(IntOrString("80").int_value(), 80);
  EXPECT_EQ(IntOrString::parse("80"), 80);
}

TEST(IntOrStringTest, ScalesPercentages) {
  // [snippet: percentages]
  const IntOrString surge = "25%";
  EXPECT_EQ(surge.scaled_value(10, Round::up), 3);
  EXPECT_EQ(surge.scaled_value(10, Round::down), 2);
  EXPECT_EQ(IntOrString(4).scaled_value(10, Round::up), 4);
  // [end]
  EXPECT_THROW(IntOrString("4").scaled_value(10, Round::up), InputError);
  EXPECT_EQ(IntOrString("9223372036854775807%").scaled_value(INT64_MAX, Round::up), INT64_MAX);
  EXPECT_EQ(IntOrString("-9223372036854775807%").scaled_value(INT64_MAX, Round::up), INT64_MIN);
}

TEST(IntOrStringTest, ANumberBeyondInt32IsRefused) {
  EXPECT_EQ(IntOrString(std::int64_t{2147483647}).as_int(), 2147483647);
  try {
    const IntOrString port = std::int64_t{2147483648};
    FAIL() << port.to_string();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "2147483648 does not fit an IntOrString: its number is an int32, -2147483648 to 2147483647");
  }
}

}  // namespace
}  // namespace flyball::kube
