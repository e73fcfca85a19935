#include <chrono>
#include <string>

#include "flyball/cel/operations.hpp"

namespace flyball::cel {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // A number of `least` to `most` digits within the range.
  bool number(int& value, int least, int most, int low, int high) {
    int digits = 0;
    value = 0;
    while (digits < most && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
      ++digits;
    }
    return digits >= least && value >= low && value <= high;
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// ".123", to nanoseconds; further digits are dropped.
bool fraction(Reader& reader, std::int32_t& nanoseconds) {
  nanoseconds = 0;
  if (!reader.rest().starts_with('.') && !reader.rest().starts_with(',')) return true;
  if (reader.rest().size() < 2 || reader.rest()[1] < '0' || reader.rest()[1] > '9') return false;
  reader.take(reader.rest()[0]);
  std::int32_t scale = 100'000'000;
  for (int digit = 0; reader.number(digit, 1, 1, 0, 9); scale /= 10) nanoseconds += digit * scale;
  return true;
}

bool zone(Reader& reader, std::int32_t& offset) {
  offset = 0;
  if (reader.take('Z')) return true;
  const bool west = reader.take('-');
  if (!west && !reader.take('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!reader.number(hours, 2, 2, 0, 24) || !reader.take(':') || !reader.number(minutes, 2, 2, 0, 60)) return false;
  offset = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
  return true;
}

std::string padded(std::int64_t value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

}  // namespace

std::optional<Value> parse_timestamp(std::string_view text) {
  using std::chrono::day, std::chrono::month, std::chrono::year, std::chrono::year_month_day, std::chrono::sys_days;
  Reader reader(text);
  int y = 0;
  int mon = 0;
  int d = 0;
  int h = 0;
  int min = 0;
  int s = 0;
  std::int32_t nanoseconds = 0;
  std::int32_t offset = 0;
  const bool read = reader.number(y, 4, 4, 0, 9999) && reader.take('-') && reader.number(mon, 2, 2, 1, 12) &&
                    reader.take('-') && reader.number(d, 2, 2, 1, 31) && reader.take('T') &&
                    reader.number(h, 1, 2, 0, 23) && reader.take(':') && reader.number(min, 2, 2, 0, 59) &&
                    reader.take(':') && reader.number(s, 2, 2, 0, 59) && fraction(reader, nanoseconds) &&
                    zone(reader, offset) && reader.rest().empty();
  const year_month_day date(year(y), month(static_cast<unsigned>(mon)), day(static_cast<unsigned>(d)));
  if (!read || !date.ok()) return std::nullopt;
  const std::int64_t days = sys_days(date).time_since_epoch().count();
  return Value::timestamp(days * 86400 + h * 3600 + min * 60 + s - offset, nanoseconds, offset);
}

std::string timestamp_text(const Value& timestamp) {
  const std::int64_t local = timestamp.seconds() + timestamp.offset();
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(local)));
  const std::chrono::year_month_day date(days);
  const std::int64_t second = local - days.time_since_epoch().count() * 86400;
  std::string text = padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) +
                     "-" + padded(static_cast<unsigned>(date.day()), 2) + "T" + padded(second / 3600, 2) + ":" +
                     padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2);
  if (timestamp.nanoseconds() != 0) {
    std::string digits = padded(timestamp.nanoseconds(), 9);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  if (timestamp.offset() == 0) return text + "Z";
  const std::int32_t minutes = std::abs(timestamp.offset()) / 60;
  return text + (timestamp.offset() < 0 ? "-" : "+") + padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2);
}

}  // namespace flyball::cel
