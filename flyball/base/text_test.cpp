#include "flyball/base/text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace flyball {
namespace {

using namespace std::chrono_literals;

TEST(DurationText, ReadsAsGoWritesIt) {
  EXPECT_EQ(duration_text(0s), "0s");
  EXPECT_EQ(duration_text(999ns), "999ns");
  EXPECT_EQ(duration_text(1500ns), "1.5µs");
  EXPECT_EQ(duration_text(1050us), "1.05ms");
  EXPECT_EQ(duration_text(1s), "1s");
  EXPECT_EQ(duration_text(90s), "1m30s");
  EXPECT_EQ(duration_text(1h), "1h0m0s");
  EXPECT_EQ(duration_text(-(1h + 2min + 3500ms)), "-1h2m3.5s");
  EXPECT_EQ(duration_text(Duration::max()), "2562047h47m16.854775807s");
  EXPECT_EQ(duration_text(Duration::min()).front(), '-');
}

TEST(Rfc3339, IsUtcWithMilliseconds) {
  EXPECT_EQ(rfc3339_millis(WallTime(0s)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339_millis(WallTime(1'709'164'799'999'999'999ns)), "2024-02-28T23:59:59.999Z");
  EXPECT_EQ(rfc3339_millis(WallTime(-1ms)), "1969-12-31T23:59:59.999Z");
}

TEST(AppendNumber, IsShortAndExact) {
  const auto text = [](double d) {
    std::string out;
    append_number(out, d);
    return out;
  };
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(3), "3");
  EXPECT_EQ(text(-std::numeric_limits<double>::infinity()), "-Inf");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(ValidUtf8, ReplacesOnlyWhatIsWrong) {
  EXPECT_EQ(valid_utf8("aä€😀"), "aä€😀");
  EXPECT_EQ(valid_utf8("\xC0\x80"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "past the last code point";
  EXPECT_EQ(valid_utf8("x\xE2\x82"), "x\uFFFD\uFFFD") << "cut short";
}

}  // namespace
}  // namespace flyball
