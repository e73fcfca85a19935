// Time, MicroTime, Duration: moments and spans as Kubernetes writes them.
//
//   Time created = Time::parse("2026-01-01T12:00:00+02:00");
//   created.to_string();                                   // "2026-01-01T10:00:00Z": UTC, whole seconds
//   MicroTime::parse("2026-01-01T10:00:00.000001Z");       // leases and events: exactly six digits
//   Duration grace = 90s;                                  // any std::chrono duration
//   grace.to_string();                                     // "1m30s", as Go prints it; parse takes "1h2m3.5s"
//
// They convert from and to std::chrono without making every file that uses them pay for <chrono>:
//   Time now = clock.wall_now();
//   auto when = now.as<std::chrono::sys_seconds>();
//
// A Time that was never set is zero: the year 1, which is null in JSON and left out where Go leaves it out.
// Accepted and refused are the texts that Go's time.Parse and time.ParseDuration accept and refuse; the InputErrors
// carry their words.
//
// Thread-safety: values.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace flyball::kube {

namespace detail {

// Something that counts a fraction of a second, such as std::chrono::milliseconds.
template <class T>
concept ChronoDuration = requires(T t) {
  t.count();
  T::period::num;
  T::period::den;
};
template <class T>
concept ChronoPoint = requires(T t) { t.time_since_epoch().count(); };

// floor(value * num / den); the products stay in range for the periods of std::chrono.
constexpr std::int64_t rescale(std::int64_t value, std::int64_t num, std::int64_t den) {
  const std::int64_t whole = value / den;
  const std::int64_t rest = value % den;
  const std::int64_t part = rest * num;
  return whole * num + (part >= 0 ? part / den : -((-part + den - 1) / den));
}

template <std::int64_t PerSecond, ChronoDuration D>
constexpr std::int64_t from_chrono(D d) {
  return rescale(static_cast<std::int64_t>(d.count()), PerSecond * D::period::num, D::period::den);
}
template <std::int64_t PerSecond, ChronoDuration D>
constexpr D to_chrono(std::int64_t ticks) {
  return D(static_cast<typename D::rep>(rescale(ticks, D::period::den, PerSecond * D::period::num)));
}

constexpr std::int64_t held(std::int64_t value, std::int64_t limit) {
  return value > limit ? limit : value < -limit ? -limit : value;
}

inline constexpr std::int64_t kYearOne = -62'135'596'800;  // 0001-01-01T00:00:00Z in seconds since 1970

}  // namespace detail

// A moment, to the second.
class Time {
 public:
  constexpr Time() = default;  // zero
  template <detail::ChronoPoint P>
  constexpr Time(P point) : seconds_(detail::from_chrono<1>(point.time_since_epoch())) {}
  static constexpr Time from_unix(std::int64_t seconds) {
    Time time;
    time.seconds_ = seconds;
    return time;
  }
  // RFC 3339 in any zone; a fraction is dropped. Throws InputError.
  static Time parse(std::string_view text);

  constexpr std::int64_t unix_seconds() const { return seconds_; }
  template <detail::ChronoPoint P>
  constexpr P as() const {
    return P(detail::to_chrono<1, typename P::duration>(seconds_));
  }
  constexpr bool is_zero() const { return seconds_ == detail::kYearOne; }
  std::string to_string() const;

  friend constexpr auto operator<=>(const Time&, const Time&) = default;

 private:
  std::int64_t seconds_ = detail::kYearOne;
};

// A moment, to the microsecond.
class MicroTime {
 public:
  constexpr MicroTime() = default;  // zero
  template <detail::ChronoPoint P>
  constexpr MicroTime(P point) : micros_(detail::from_chrono<1'000'000>(point.time_since_epoch())) {}
  // Held within what 64 bits of microseconds reach: some 290,000 years either way.
  constexpr MicroTime(Time time) : micros_(detail::held(time.unix_seconds(), INT64_MAX / 1'000'000) * 1'000'000) {}
  static constexpr MicroTime from_unix_micros(std::int64_t micros) {
    MicroTime time;
    time.micros_ = micros;
    return time;
  }
  // RFC 3339 in any zone, with exactly six digits of a second. Throws InputError.
  static MicroTime parse(std::string_view text);

  constexpr std::int64_t unix_micros() const { return micros_; }
  template <detail::ChronoPoint P>
  constexpr P as() const {
    return P(detail::to_chrono<1'000'000, typename P::duration>(micros_));
  }
  constexpr bool is_zero() const { return micros_ == detail::kYearOne * 1'000'000; }
  std::string to_string() const;

  friend constexpr auto operator<=>(const MicroTime&, const MicroTime&) = default;

 private:
  std::int64_t micros_ = detail::kYearOne * 1'000'000;
};

// A span, to the nanosecond: about 292 years either way.
class Duration {
 public:
  constexpr Duration() = default;
  template <detail::ChronoDuration D>
  constexpr Duration(D d) : nanos_(detail::from_chrono<1'000'000'000>(d)) {}
  static constexpr Duration from_nanos(std::int64_t nanos) {
    Duration duration;
    duration.nanos_ = nanos;
    return duration;
  }
  // "300ms", "-1.5h", "2h45m". Units: ns, us or µs, ms, s, m, h. Throws InputError.
  static Duration parse(std::string_view text);

  constexpr std::int64_t nanos() const { return nanos_; }
  template <detail::ChronoDuration D>
  constexpr D as() const {
    return detail::to_chrono<1'000'000'000, D>(nanos_);
  }
  std::string to_string() const;

  friend constexpr auto operator<=>(const Duration&, const Duration&) = default;

 private:
  std::int64_t nanos_ = 0;
};

}  // namespace flyball::kube
