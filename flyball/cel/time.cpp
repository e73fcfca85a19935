// getHours, getFullYear and the like. Zones are offsets (+02:00) or names, which are read from the system's zoneinfo.
#include <algorithm>
#include <array>
#include <chrono>

#include "flyball/cel/detail/zone.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::cel {
namespace {

// As strconv.Atoi, with its message.
std::optional<std::int64_t> number(std::string_view text, std::string& problem) {
  const kube::go::ParsedInt parsed = kube::go::parse_int64(text);
  if (parsed.error == kube::go::IntError::none) return parsed.value;
  problem = "strconv.Atoi: parsing " + kube::go::quote(text) + ": " + std::string(kube::go::describe(parsed.error));
  return std::nullopt;
}

std::optional<std::int64_t> offset_of(const Value& time, const std::string& zone, std::string& problem) {
  const std::size_t colon = zone.find(':');
  if (colon == std::string::npos) return detail::zone_offset(zone, time.seconds(), problem);
  const auto hours = number(std::string_view(zone).substr(0, colon), problem);
  if (!hours) return std::nullopt;
  const auto minutes = number(std::string_view(zone).substr(colon + 1), problem);
  if (!minutes) return std::nullopt;
  // Go wraps around far beyond any zone; here numbers stop where they make no sense any more.
  const auto held = [](std::int64_t value) { return std::clamp<std::int64_t>(value, -1'000'000, 1'000'000); };
  return (held(*hours) * 60 + (zone.starts_with('-') ? -held(*minutes) : held(*minutes))) * 60;
}

enum class Part : char {
  year,
  month,
  day_of_year,
  day_of_month,
  date,
  day_of_week,
  hours,
  minutes,
  seconds,
  milliseconds
};

std::int64_t part_of(const Value& time, std::int64_t offset, Part part) {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace): a handful of calendar types, in one function
  const std::int64_t local = time.seconds() + offset;
  const sys_days days = floor<std::chrono::days>(sys_seconds(std::chrono::seconds(local)));
  const year_month_day date(days);
  const std::int64_t second = local - days.time_since_epoch().count() * 86400;
  switch (part) {
    case Part::year: return static_cast<int>(date.year());
    case Part::month: return static_cast<unsigned>(date.month()) - 1;
    case Part::day_of_year: return (days - sys_days(date.year() / January / 1)).count();
    case Part::day_of_month: return static_cast<unsigned>(date.day()) - 1;
    case Part::date: return static_cast<unsigned>(date.day());
    case Part::day_of_week: return weekday(days).c_encoding();
    case Part::hours: return second / 3600;
    case Part::minutes: return second / 60 % 60;
    case Part::seconds: return second % 60;
    case Part::milliseconds: return time.nanoseconds() / 1'000'000;
  }
  return 0;
}

template <Part P>
Value of_timestamp(Args args) {
  std::string problem;
  const std::optional<std::int64_t> offset = args.size() == 1 ? 0 : offset_of(args[0], args[1].text(), problem);
  if (!offset) return Value::error(problem);
  return Value::integer(part_of(args[0], *offset, P));
}

template <std::int64_t Unit>
Value of_duration(Args args) {
  return Value::integer(args[0].nanoseconds_of_duration() / Unit);
}

struct Row {
  const char* name;
  const char* id;
  Implementation implementation;
};

}  // namespace

void add_time(Functions& to) {
  static constexpr std::array<Row, 10> kRows = {{
      {"getFullYear", "timestamp_to_year", of_timestamp<Part::year>},
      {"getMonth", "timestamp_to_month", of_timestamp<Part::month>},
      {"getDayOfYear", "timestamp_to_day_of_year", of_timestamp<Part::day_of_year>},
      {"getDayOfMonth", "timestamp_to_day_of_month", of_timestamp<Part::day_of_month>},
      {"getDate", "timestamp_to_day_of_month_1_based", of_timestamp<Part::date>},
      {"getDayOfWeek", "timestamp_to_day_of_week", of_timestamp<Part::day_of_week>},
      {"getHours", "timestamp_to_hours", of_timestamp<Part::hours>},
      {"getMinutes", "timestamp_to_minutes", of_timestamp<Part::minutes>},
      {"getSeconds", "timestamp_to_seconds", of_timestamp<Part::seconds>},
      {"getMilliseconds", "timestamp_to_milliseconds", of_timestamp<Part::milliseconds>},
  }};
  for (const Row& row : kRows) {
    to.member(row.name, row.id, "timestamp -> int", row.implementation);
    to.member(row.name, std::string(row.id) + "_with_tz", "timestamp, string -> int", row.implementation);
  }
  to.member("getHours", "duration_to_hours", "duration -> int", of_duration<3'600'000'000'000>);
  to.member("getMinutes", "duration_to_minutes", "duration -> int", of_duration<60'000'000'000>);
  to.member("getSeconds", "duration_to_seconds", "duration -> int", of_duration<1'000'000'000>);
  to.member("getMilliseconds", "duration_to_milliseconds", "duration -> int", of_duration<1'000'000>);
}

}  // namespace flyball::cel
