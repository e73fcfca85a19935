#include "flyball/apiserver/schema/go_print.hpp"

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

TEST(GoPrintTest, ShowsValuesAsFmtDoes) {
  const json::Value value = json::parse(R"({"b": ["x", 1.5, true], "a": null, "c": {"d": 1}})");
  EXPECT_EQ(go_print(value), "map[a:<nil> b:[x 1.5 true] c:map[d:1]]");
  EXPECT_EQ(go_print_string(json::parse("[1, \"a\", null]")), "[%!s(int64=1) a %!s(<nil>)]");
  EXPECT_EQ(go_syntax(json::parse("[1, \"a\"]")), "[]interface {}{1, \"a\"}");
}

TEST(GoPrintTest, ShowsLargeAndSmallNumbersWithExponents) {
  EXPECT_EQ(go_float(100000), "100000");
  EXPECT_EQ(go_float(1000000), "1e+06");
  EXPECT_EQ(go_float(12345678.5), "1.23456785e+07");
  EXPECT_EQ(go_float(0.0001), "0.0001");
  EXPECT_EQ(go_float(0.00001), "1e-05");
  EXPECT_EQ(go_float(-0.5), "-0.5");
}

}  // namespace
}  // namespace flyball::apiserver
