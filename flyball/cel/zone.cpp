#include "flyball/cel/detail/zone.hpp"

#include <fstream>
#include <iterator>

namespace flyball::cel::detail {
namespace {

// The second part of a TZif file, with times of 64 bits.
class ZoneFile {
 public:
  explicit ZoneFile(std::string bytes) : bytes_(std::move(bytes)) {}

  std::optional<std::int64_t> offset(std::int64_t seconds) {
    if (bytes_.size() < 44 || !bytes_.starts_with("TZif") || bytes_[4] < '2') return std::nullopt;
    const Counts old = counts(0);
    at_ = 44 + old.times * 5 + old.types * 6 + old.characters + old.leaps * 8 + old.standard + old.ut;
    if (bytes_.size() < at_ + 44) return std::nullopt;
    const Counts now = counts(at_);
    const std::size_t times = at_ + 44;
    const std::size_t indices = times + now.times * 8;
    const std::size_t types = indices + now.times;
    const std::size_t footer = types + now.types * 6 + now.characters + now.leaps * 12 + now.standard + now.ut;
    if (now.types == 0 || footer > bytes_.size()) return std::nullopt;
    std::size_t low = 0;
    std::size_t high = now.times;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      (number(times + middle * 8, 8) <= seconds ? low : high) =
          number(times + middle * 8, 8) <= seconds ? middle + 1 : middle;
    }
    if (low == now.times && footer + 2 < bytes_.size()) {
      if (const auto ruled = by_rule(bytes_.substr(footer + 1), seconds)) return ruled;
    }
    const std::size_t type = low == 0 ? 0 : static_cast<unsigned char>(bytes_[indices + low - 1]);
    if (type >= now.types) return std::nullopt;
    return number(types + type * 6, 4);
  }

 private:
  struct Counts {
    std::size_t ut, standard, leaps, times, types, characters;
  };
  Counts counts(std::size_t at) const {
    const auto count = [&](std::size_t index) { return static_cast<std::size_t>(number(at + 20 + index * 4, 4)); };
    return {count(0), count(1), count(2), count(3), count(4), count(5)};
  }
  std::int64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    if (size == 4) return static_cast<std::int32_t>(value);
    return static_cast<std::int64_t>(value);
  }

  // "CET-1CEST,M3.5.0,M10.5.0/3"
  static std::optional<std::int64_t> by_rule(std::string rule, std::int64_t seconds);

  std::string bytes_;
  std::size_t at_ = 0;
};

class Rule {
 public:
  explicit Rule(std::string_view text) : rest_(text.substr(0, text.find('\n'))) {}

  std::optional<std::int64_t> offset(std::int64_t seconds) {
    skip_name();
    const std::int64_t standard = -clock();
    if (rest_.empty()) return standard;
    skip_name();
    const std::int64_t summer = rest_.starts_with(',') ? standard + 3600 : -clock();
    if (!take(',')) return std::nullopt;
    const std::int64_t days = seconds / 86400 - (seconds % 86400 < 0 ? 1 : 0);
    const std::int64_t year = year_of(days);
    const std::optional<std::int64_t> begin = change(year);
    if (!begin || !take(',')) return std::nullopt;
    const std::optional<std::int64_t> end = change(year);
    if (!end) return std::nullopt;
    const std::int64_t from = *begin - standard;
    const std::int64_t until = *end - summer;
    const bool inside = from < until ? seconds >= from && seconds < until : seconds < until || seconds >= from;
    return inside ? summer : standard;
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::int64_t digits() {
    std::int64_t value = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  void skip_name() {
    if (take('<')) {
      while (!rest_.empty() && !take('>')) rest_.remove_prefix(1);
      return;
    }
    while (!rest_.empty() && ((rest_[0] | 0x20) >= 'a' && (rest_[0] | 0x20) <= 'z')) rest_.remove_prefix(1);
  }
  // [-]h[:m[:s]]
  std::int64_t clock() {
    const bool negative = take('-');
    take('+');
    std::int64_t value = digits() * 3600;
    if (take(':')) value += digits() * 60;
    if (take(':')) value += digits();
    return negative ? -value : value;
  }
  static std::int64_t days_before(std::int64_t year) {
    const std::int64_t y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 - 719162;
  }
  static bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
  static std::int64_t year_of(std::int64_t days) {
    std::int64_t year = 1970 + days / 366;
    while (days_before(year + 1) <= days) ++year;
    while (days_before(year) > days) --year;
    return year;
  }
  // M3.2.0/2: the second Sunday of March at two. Only this form is in use.
  std::optional<std::int64_t> change(std::int64_t year) {
    if (!take('M')) return std::nullopt;
    const std::int64_t month = digits();
    take('.');
    const std::int64_t week = digits();
    take('.');
    const std::int64_t weekday = digits();
    const std::int64_t at = take('/') ? clock() : 7200;
    if (month < 1 || month > 12) return std::nullopt;
    static constexpr int kLengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    std::int64_t first = days_before(year);
    for (std::int64_t m = 1; m < month; ++m) first += kLengths[m - 1] + (m == 2 && is_leap(year) ? 1 : 0);
    const std::int64_t length = kLengths[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
    std::int64_t day = (weekday - (first + 4) % 7 + 7) % 7 + (week - 1) * 7;
    if (day >= length) day -= 7;
    return (first + day) * 86400 + at;
  }

  std::string_view rest_;
};

std::optional<std::int64_t> ZoneFile::by_rule(std::string rule, std::int64_t seconds) {
  if (rule.empty() || rule[0] == '\n') return std::nullopt;
  return Rule(rule).offset(seconds);
}

}  // namespace

std::optional<std::int64_t> zone_offset(const std::string& name, std::int64_t seconds, std::string& problem) {
  if (name.empty() || name == "UTC") return 0;
  problem = "unknown time zone " + name;
  const bool outside = name.starts_with('/') || name.starts_with('\\') || name.find("..") != std::string::npos;
  if (outside) {
    problem = "time: invalid location name";
    return std::nullopt;
  }
  std::ifstream file("/usr/share/zoneinfo/" + name, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return ZoneFile(std::move(bytes)).offset(seconds);
}

}  // namespace flyball::cel::detail
