#include "flyball/kube/time.hpp"

#include <chrono>
#include <optional>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/time_text.hpp"

namespace flyball::kube {

namespace {

constexpr std::string_view kSecondsLayout = "2006-01-02T15:04:05Z07:00";
constexpr std::string_view kMicrosLayout = "2006-01-02T15:04:05.000000Z07:00";

bool is_digit(std::string_view text, std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; }

struct Moment {
  std::int64_t seconds = 0;
  std::int64_t micros = 0;
};

// Reads a timestamp from left to right, and says in Go's words where it stopped making sense.
class Reader {
 public:
  Reader(std::string_view text, std::string_view layout) : text_(text), layout_(layout), rest_(text) {}

  Moment read(bool micros) {
    const int year = read_year();
    expect("-");
    const int month = read_two("01", true);
    if (month < 1 || month > 12) refuse_range("month");
    expect("-");
    const int day = read_two("02", true);
    expect("T");
    const int hour = read_two("15", false);
    if (hour > 23) refuse_range("hour");
    expect(":");
    const int minute = read_two("04", true);
    if (minute > 59) refuse_range("minute");
    expect(":");
    const int second = read_two("05", true);
    if (second > 59) refuse_range("second");
    const int fraction = micros ? read_micros() : 0;
    if (!micros) skip_fraction();
    const int offset = read_offset();
    if (!rest_.empty()) refuse(": extra text: " + detail::time_quote(rest_));
    return {unix_seconds(year, month, day) + hour * 3600 + minute * 60 + second - offset, fraction};
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError({}, "", "parsing time " + detail::time_quote(text_) + problem);
  }
  [[noreturn]] void refuse_part(std::string_view part) const {
    refuse(" as " + detail::time_quote(layout_) + ": cannot parse " + detail::time_quote(rest_) + " as " +
           detail::time_quote(part));
  }
  [[noreturn]] void refuse_range(std::string_view what) const { refuse(": " + std::string(what) + " out of range"); }

  void expect(std::string_view sign) {
    if (!rest_.starts_with(sign)) refuse_part(sign);
    rest_.remove_prefix(1);
  }

  int read_year() {
    int year = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (!is_digit(rest_, i)) refuse_part("2006");
      year = year * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(4);
    return year;
  }

  static std::optional<int> two_digits(std::string_view text) {
    if (!is_digit(text, 0) || !is_digit(text, 1)) return std::nullopt;
    return (text[0] - '0') * 10 + (text[1] - '0');
  }

  int read_two(std::string_view part, bool both) {
    const auto number = two_digits(rest_);
    if (!number && (both || !is_digit(rest_, 0))) refuse_part(part);
    const int value = number ? *number : rest_[0] - '0';
    rest_.remove_prefix(number ? 2 : 1);
    return value;
  }

  void skip_fraction() {
    if (rest_.empty() || (rest_[0] != '.' && rest_[0] != ',') || !is_digit(rest_, 1)) return;
    rest_.remove_prefix(1);
    while (is_digit(rest_, 0)) rest_.remove_prefix(1);
  }

  int read_micros() {
    constexpr std::string_view kPart = ".000000";
    if (rest_.size() < kPart.size() || (rest_[0] != '.' && rest_[0] != ',')) refuse_part(kPart);
    // Go reads a number here, and a number may have a sign.
    const bool sign = rest_[1] == '+' || rest_[1] == '-';
    int value = 0;
    for (std::size_t i = sign ? 2 : 1; i < kPart.size(); ++i) {
      if (!is_digit(rest_, i)) refuse_part(kPart);
      value = value * 10 + (rest_[i] - '0');
    }
    if (rest_[1] == '-' && value != 0) refuse_range("fractional second");
    rest_.remove_prefix(kPart.size());
    return value;
  }

  // Seconds to the east of Greenwich.
  int read_offset() {
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return 0;
    }
    if (rest_.size() < 6 || rest_[3] != ':') refuse_part("Z07:00");
    const auto hours = two_digits(rest_.substr(1, 2));
    const auto minutes = two_digits(rest_.substr(4, 2));
    // 24:00 and 00:60 pass: some people write them.
    if (hours && *hours > 24) refuse_range("time zone offset hour");
    if (hours && minutes && *minutes > 60) refuse_range("time zone offset minute");
    if (!hours || !minutes || (rest_[0] != '+' && rest_[0] != '-')) refuse_part("Z07:00");
    const int offset = (*hours * 60 + *minutes) * 60;
    const bool west = rest_[0] == '-';
    rest_.remove_prefix(6);
    return west ? -offset : offset;
  }

  std::int64_t unix_seconds(int year, int month, int day) const {
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) refuse(": day out of range");
    return std::int64_t{sys_days(date).time_since_epoch().count()} * 86'400;
  }

  std::string_view text_;
  std::string_view layout_;
  std::string_view rest_;
};

void append_padded(std::string& out, std::int64_t value, std::size_t width) {
  if (width == 2 && value >= 0 && value < 100) {
    out += static_cast<char>('0' + value / 10);
    out += static_cast<char>('0' + value % 10);
    return;
  }
  const std::string digits = std::to_string(value < 0 ? -value : value);
  if (value < 0) out += '-';
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

std::int64_t floor_divide(std::int64_t value, std::int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

// "2006-01-02T15:04:05"
std::string date_and_time(std::int64_t seconds) {
  // std::chrono's years end at 32767; Kubernetes' at 9999. Held here, so that nonsense prints as nonsense.
  constexpr std::int64_t kLimit = 900'000'000'000;
  seconds = detail::held(seconds, kLimit);
  const std::int64_t days = floor_divide(seconds, 86'400);
  const std::int64_t second = seconds - days * 86'400;
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  std::string text;
  text.reserve(sizeof("2006-01-02T15:04:05.000000Z"));
  append_padded(text, int{date.year()}, 4);
  text += '-';
  append_padded(text, unsigned{date.month()}, 2);
  text += '-';
  append_padded(text, unsigned{date.day()}, 2);
  text += 'T';
  append_padded(text, second / 3600, 2);
  text += ':';
  append_padded(text, second / 60 % 60, 2);
  text += ':';
  append_padded(text, second % 60, 2);
  return text;
}

}  // namespace

Time Time::parse(std::string_view text) { return from_unix(Reader(text, kSecondsLayout).read(false).seconds); }

std::string Time::to_string() const { return date_and_time(seconds_) + "Z"; }

MicroTime MicroTime::parse(std::string_view text) {
  const Moment moment = Reader(text, kMicrosLayout).read(true);
  return from_unix_micros(moment.seconds * 1'000'000 + moment.micros);
}

std::string MicroTime::to_string() const {
  const std::int64_t seconds = floor_divide(micros_, 1'000'000);
  std::string text = date_and_time(seconds) + ".";
  append_padded(text, (micros_ % 1'000'000 + 1'000'000) % 1'000'000, 6);
  return text + "Z";
}

}  // namespace flyball::kube
