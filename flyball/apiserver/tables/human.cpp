#include "flyball/apiserver/tables/human.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace flyball::apiserver {
namespace {

using std::chrono::duration_cast;

constexpr std::size_t kMicroTimeSize = 27;  // 2026-01-01T10:00:00.000001Z

std::string with_unit(std::int64_t count, char unit) { return std::to_string(count) + unit; }

// "3m20s", or "3m" when nothing is left over.
std::string two_units(std::int64_t count, char unit, std::int64_t rest, char rest_unit) {
  return rest == 0 ? with_unit(count, unit) : with_unit(count, unit) + with_unit(rest, rest_unit);
}

// Go holds a span at the ends of int64 nanoseconds.
Duration between(kube::MicroTime from, WallTime to) {
  const auto end = duration_cast<std::chrono::microseconds>(to.time_since_epoch()).count();
  std::int64_t micros = 0;
  if (__builtin_sub_overflow(static_cast<std::int64_t>(end), from.unix_micros(), &micros)) return Duration::max();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1000;
  if (micros > kMost) return Duration::max();
  if (micros < -kMost) return Duration::min();
  return std::chrono::microseconds(micros);
}

}  // namespace

std::string human_duration(Duration duration) {
  const std::int64_t seconds = duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  const std::int64_t years = days / 365;
  if (seconds < 120) return with_unit(seconds, 's');
  if (minutes < 10) return two_units(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return with_unit(minutes, 'm');
  if (hours < 8) return two_units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return with_unit(hours, 'h');
  if (days < 8) return two_units(days, 'd', hours % 24, 'h');
  if (years < 2) return with_unit(days, 'd');
  if (years < 8) return two_units(years, 'y', days % 365, 'd');
  return with_unit(years, 'y');
}

kube::MicroTime moment(json::View time) {
  const std::string_view text = time.string_or("");
  if (text.empty()) return {};
  try {
    if (text.size() == kMicroTimeSize && text.back() == 'Z') return kube::MicroTime::parse(text);
    return kube::Time::parse(text);
  } catch (const InputError&) {
    return {};  // no date that was stored is wrong; a cell is no place to complain
  }
}

std::string human_age(kube::MicroTime time, WallTime now) {
  return time.is_zero() ? "<unknown>" : human_duration(between(time, now));
}

std::string human_age(json::View time, WallTime now) { return human_age(moment(time), now); }

}  // namespace flyball::apiserver
