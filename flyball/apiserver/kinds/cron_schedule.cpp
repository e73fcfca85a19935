#include "flyball/apiserver/kinds/cron_schedule.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr std::size_t kFields = 5;

struct Bounds {
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::span<const std::string_view> names = {};
};

constexpr std::array<Bounds, kFields> kBounds = {{{0, 59}, {0, 23}, {1, 31}, {1, 12, kMonths}, {0, 6, kDays}}};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    const std::size_t begin = at;
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) == 0) ++at;
    if (at > begin) found.push_back(text.substr(begin, at - begin));
  }
  return found;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Throws the problem: the parser below gives up at the first.
[[noreturn]] void fail(const std::string& why) { throw Error(why); }

std::int64_t parse_number(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string quoted = kube::go::quote(text);
  if (error == std::errc::result_out_of_range) {
    fail("failed to parse int from " + std::string(text) + ": strconv.Atoi: parsing " + quoted +
         ": value out of range");
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail("failed to parse int from " + std::string(text) + ": strconv.Atoi: parsing " + quoted + ": invalid syntax");
  }
  if (number < 0) fail("negative number (" + std::to_string(number) + ") not allowed: " + std::string(text));
  return number;
}

std::int64_t parse_number_or_name(std::string_view text, const Bounds& bounds) {
  const std::string name = lower(text);
  const auto found = std::ranges::find(bounds.names, name);
  if (found != bounds.names.end()) return bounds.min + (found - bounds.names.begin());
  return parse_number(text);
}

void check_range(std::string_view expression, const Bounds& bounds) {
  const std::string text(expression);
  const auto range_and_step = split(expression, '/');
  const auto ends = split(range_and_step[0], '-');
  const bool all = ends[0] == "*" || ends[0] == "?";
  std::int64_t start = bounds.min;
  std::int64_t end = bounds.max;
  if (!all) {
    start = parse_number_or_name(ends[0], bounds);
    if (ends.size() > 2) fail("too many hyphens: " + text);
    end = ends.size() == 2 ? parse_number_or_name(ends[1], bounds) : start;
  }
  std::int64_t step = 1;
  if (range_and_step.size() > 2) fail("too many slashes: " + text);
  if (range_and_step.size() == 2) {
    step = parse_number(range_and_step[1]);
    if (ends.size() == 1) end = bounds.max;
  }
  const auto number = [](std::int64_t value) { return "(" + std::to_string(value) + ")"; };
  if (start < bounds.min) {
    fail("beginning of range " + number(start) + " below minimum " + number(bounds.min) + ": " + text);
  }
  if (end > bounds.max) fail("end of range " + number(end) + " above maximum " + number(bounds.max) + ": " + text);
  if (start > end) fail("beginning of range " + number(start) + " beyond end of range " + number(end) + ": " + text);
  if (step == 0) fail("step of range should be a positive number: " + text);
}

void check_descriptor(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kKnown = {"@yearly", "@annually", "@monthly", "@weekly",
                                                             "@daily",  "@midnight", "@hourly"};
  constexpr std::string_view kEvery = "@every ";
  if (std::ranges::find(kKnown, text) != kKnown.end()) return;
  if (!text.starts_with(kEvery)) fail("unrecognized descriptor: " + std::string(text));
  try {
    kube::Duration::parse(text.substr(kEvery.size()));
  } catch (const InputError& error) {
    fail("failed to parse duration " + std::string(text) + ": " + error.what());
  }
}

void check_schedule(std::string_view schedule) {
  if (schedule.empty()) fail("empty spec string");
  if (schedule.starts_with("TZ=") || schedule.starts_with("CRON_TZ=")) {
    const std::size_t space = schedule.find(' ');
    schedule = space == std::string_view::npos ? std::string_view() : schedule.substr(space + 1);
  }
  if (schedule.starts_with('@')) return check_descriptor(schedule);
  const std::vector<std::string_view> fields = words(schedule);
  if (fields.size() != kFields) {
    std::string list;
    for (const std::string_view field : fields) list.append(list.empty() ? "" : " ").append(field);
    fail("expected exactly 5 fields, found " + std::to_string(fields.size()) + ": [" + list + "]");
  }
  for (std::size_t i = 0; i < kFields; ++i) {
    for (const std::string_view part : split(fields[i], ',')) {
      if (!part.empty()) check_range(part, kBounds.at(i));
    }
  }
}

}  // namespace

std::string cron_problem(std::string_view schedule) {
  try {
    check_schedule(schedule);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace flyball::apiserver
