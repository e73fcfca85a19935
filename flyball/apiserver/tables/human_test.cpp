#include "flyball/apiserver/tables/human.hpp"

#include <string>

#include <gtest/gtest.h>

namespace flyball::apiserver {
namespace {

using namespace std::chrono_literals;

struct Spoken {
  Duration duration;
  std::string text;
};

TEST(HumanDuration, KeepsTwoOrThreeDigitsThatCount) {
  constexpr auto kDay = 24h;
  constexpr auto kYear = 365 * kDay;
  for (const auto& [duration, text] : std::initializer_list<Spoken>{
           {0s, "0s"},
           {999ms, "0s"},
           {119s, "119s"},
           {120s, "2m"},
           {121s, "2m1s"},
           {9min + 59s, "9m59s"},
           {10min, "10m"},
           {10min + 59s, "10m"},
           {179min, "179m"},
           {180min, "3h"},
           {7h + 59min, "7h59m"},
           {8h + 59min, "8h"},
           {47h, "47h"},
           {48h, "2d"},
           {5 * kDay + 3h + 59min, "5d3h"},
           {8 * kDay - 1h, "7d23h"},
           {8 * kDay + 23h, "8d"},
           {2 * kYear - 1h, "729d"},
           {2 * kYear, "2y"},
           {2 * kYear + kDay, "2y1d"},
           {8 * kYear - kDay, "7y364d"},
           {8 * kYear + 5 * kDay, "8y"},
       }) {
    EXPECT_EQ(human_duration(duration), text) << duration.count();
  }
}

TEST(HumanDuration, AClockThatIsASecondAheadIsForgiven) {
  EXPECT_EQ(human_duration(-1s), "0s");
  EXPECT_EQ(human_duration(-1999ms), "0s");
  EXPECT_EQ(human_duration(-2s), "<invalid>");
  EXPECT_EQ(human_duration(Duration::min()), "<invalid>");
}

const WallTime kNow = kube::Time::parse("2026-01-02T00:00:00Z").as<WallTime>();

TEST(HumanAge, EndsNow) {
  EXPECT_EQ(human_age(json::Value("2026-01-01T00:00:00Z"), kNow), "24h");
  EXPECT_EQ(human_age(json::Value("2026-01-01T23:59:59.500000Z"), kNow), "0s");
  EXPECT_EQ(human_age(json::Value("2026-01-01T23:59:58.000000Z"), kNow), "2s");
  EXPECT_EQ(human_age(json::Value("2027-01-01T00:00:00Z"), kNow), "<invalid>");
}

TEST(HumanAge, WithoutADateIsUnknown) {
  EXPECT_EQ(human_age(json::View(), kNow), "<unknown>");
  EXPECT_EQ(human_age(json::Value(nullptr), kNow), "<unknown>");
  EXPECT_EQ(human_age(json::Value("yesterday"), kNow), "<unknown>");
  EXPECT_EQ(human_age(json::Value("0001-01-01T00:00:00Z"), kNow), "<unknown>");
}

TEST(HumanAge, EndsWhereGoEnds) {
  EXPECT_EQ(human_age(json::Value("1000-01-01T00:00:00Z"), kNow), "292y");
  EXPECT_EQ(human_age(json::Value("9999-01-01T00:00:00Z"), kNow), "<invalid>");
}

}  // namespace
}  // namespace flyball::apiserver
