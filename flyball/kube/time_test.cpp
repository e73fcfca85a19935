#include "flyball/kube/time.hpp"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::kube {
namespace {

using namespace std::chrono_literals;

template <class Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TimeTest, ReadsAnyZoneAndWritesUtcSeconds) {
  // [snippet: time]
  const Time created = Time::parse("2026-01-01T12:00:00.25+02:00");
  EXPECT_EQ(created.to_string(), "2026-01-01T10:00:00Z");
  EXPECT_TRUE(Time().is_zero());
  // [end]
  EXPECT_FALSE(created.is_zero());
  EXPECT_LT(Time(), created);
  EXPECT_EQ(Time().to_string(), "0001-01-01T00:00:00Z");
}

TEST(TimeTest, ConvertsFromAndToChrono) {
  const auto point = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1) + 10h + 1500ms;
  const Time time = point;
  EXPECT_EQ(time.to_string(), "2026-01-01T10:00:01Z");
  EXPECT_EQ(time.as<std::chrono::sys_seconds>(), std::chrono::floor<std::chrono::seconds>(point));
  const MicroTime micro = point;
  EXPECT_EQ(micro.to_string(), "2026-01-01T10:00:01.500000Z");
  EXPECT_EQ(micro.as<std::chrono::sys_time<std::chrono::nanoseconds>>(), point);
  EXPECT_EQ(micro.as<std::chrono::sys_seconds>(), std::chrono::floor<std::chrono::seconds>(point));
}

TEST(TimeTest, BeforeTheEpochRoundsDown) {
  const auto point = std::chrono::sys_time<std::chrono::nanoseconds>(-1ns);
  EXPECT_EQ(Time(point).to_string(), "1969-12-31T23:59:59Z");
  EXPECT_EQ(MicroTime(point).to_string(), "1969-12-31T23:59:59.999999Z");
}

TEST(TimeTest, MicroTimeWantsSixDigits) {
  EXPECT_EQ(MicroTime::parse("2026-01-01T00:00:00.000001Z").unix_micros() % 1'000'000, 1);
  EXPECT_EQ(error_of([] { return MicroTime::parse("2026-01-01T00:00:00Z"); }),
            "parsing time \"2026-01-01T00:00:00Z\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"Z\" as "
            "\".000000\"");
  EXPECT_EQ(MicroTime(Time::from_unix(1)).unix_micros(), 1'000'000);
  EXPECT_TRUE(MicroTime(Time()).is_zero());
}

TEST(TimeTest, MistakesSayWhichPart) {
  EXPECT_EQ(error_of([] { return Time::parse("2026-02-30T00:00:00Z"); }),
            "parsing time \"2026-02-30T00:00:00Z\": day out of range");
  EXPECT_EQ(error_of([] { return Time::parse("yesterday"); }),
            "parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"yesterday\" as \"2006\"");
}

TEST(TimeTest, NonsenseFarOutsideTheCalendarStillPrints) {
  EXPECT_EQ(Time::from_unix(INT64_MAX).to_string().size(), Time::from_unix(900'000'000'000).to_string().size());
  EXPECT_EQ(Time::from_unix(INT64_MIN).to_string().front(), '-');
  EXPECT_TRUE(MicroTime::from_unix_micros(INT64_MIN).to_string().ends_with(".224192Z"));
  EXPECT_GT(MicroTime(Time::from_unix(INT64_MAX)), MicroTime(Time::from_unix(0)));
}

TEST(DurationTest, ReadsAndWritesAsGoDoes) {
  // [snippet: duration]
  const Duration grace = 90s;
  EXPECT_EQ(grace.to_string(), "1m30s");
  EXPECT_EQ(Duration::parse("1h2m3.5s").as<std::chrono::milliseconds>(), 3'723'500ms);
  // [end]
  EXPECT_EQ(Duration::parse("-1.5h"), Duration(-90min));
  EXPECT_EQ(Duration(std::chrono::days(1)).to_string(), "24h0m0s");
  EXPECT_EQ(Duration::from_nanos(-1).as<std::chrono::seconds>(), -1s);
}

TEST(DurationTest, MistakesNameTheUnit) {
  EXPECT_EQ(error_of([] { return Duration::parse("1d"); }), "time: unknown unit \"d\" in duration \"1d\"");
  EXPECT_EQ(error_of([] { return Duration::parse("10"); }), "time: missing unit in duration \"10\"");
}

}  // namespace
}  // namespace flyball::kube
