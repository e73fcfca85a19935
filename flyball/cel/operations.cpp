#include "flyball/cel/operations.hpp"

#include <cmath>
#include <limits>

namespace flyball::cel {
namespace {

using Kind = Value::Kind;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;
constexpr std::int64_t kSecond = 1'000'000'000;

Value overflow() { return Value::error("integer overflow"); }
Value unsigned_overflow() { return Value::error("unsigned integer overflow"); }

template <class T>
int order(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare_real_int(double a, std::int64_t b) {
  if (a < -kTwoTo63) return -1;
  if (a > kTwoTo63) return 1;
  return order(a, static_cast<double>(b));
}
int compare_real_uint(double a, std::uint64_t b) {
  if (a < 0) return -1;
  if (a > kTwoTo64) return 1;
  return order(a, static_cast<double>(b));
}
int compare_int_uint(std::int64_t a, std::uint64_t b) {
  if (a < 0 || b > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return -1;
  return order(a, static_cast<std::int64_t>(b));
}

bool is_number(const Value& value) {
  return value.is(Kind::integer) || value.is(Kind::unsigned_integer) || value.is(Kind::real);
}

bool is_nan(const Value& value) { return value.is(Kind::real) && std::isnan(value.as_double()); }

// Neither is NaN.
int compare_numbers(const Value& a, const Value& b) {
  switch (a.kind()) {
    case Kind::integer:
      if (b.is(Kind::integer)) return order(a.as_int(), b.as_int());
      if (b.is(Kind::unsigned_integer)) return compare_int_uint(a.as_int(), b.as_uint());
      return -compare_real_int(b.as_double(), a.as_int());
    case Kind::unsigned_integer:
      if (b.is(Kind::integer)) return -compare_int_uint(b.as_int(), a.as_uint());
      if (b.is(Kind::unsigned_integer)) return order(a.as_uint(), b.as_uint());
      return -compare_real_uint(b.as_double(), a.as_uint());
    default:
      if (b.is(Kind::integer)) return compare_real_int(a.as_double(), b.as_int());
      if (b.is(Kind::unsigned_integer)) return compare_real_uint(a.as_double(), b.as_uint());
      return order(a.as_double(), b.as_double());
  }
}

int compare_times(const Value& a, const Value& b) {
  const int seconds = order(a.seconds(), b.seconds());
  return seconds != 0 ? seconds : order(a.nanoseconds(), b.nanoseconds());
}

bool equal_lists(const List& a, const List& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (equal(a.at(i), b.at(i)).is_false()) return false;
  }
  return true;
}

bool equal_maps(const Map& a, const Map& b) {
  if (a.size() != b.size()) return false;
  for (const Value& key : a.keys()) {
    const std::optional<Value> other = b.find(key);
    if (!other || equal(*a.find(key), *other).is_false()) return false;
  }
  return true;
}

Value add_time(const Value& time, std::int64_t nanoseconds) {
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(time.seconds(), nanoseconds / kSecond, &seconds)) return overflow();
  std::int64_t rest = time.nanoseconds() + nanoseconds % kSecond;
  if (rest < 0) {
    rest += kSecond;
    --seconds;
  } else if (rest >= kSecond) {
    rest -= kSecond;
    ++seconds;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return Value::error("timestamp overflow");
  return Value::timestamp(seconds, static_cast<std::int32_t>(rest), time.offset());
}

Value between_times(const Value& a, const Value& b) {
  std::int64_t nanoseconds = 0;
  if (__builtin_mul_overflow(a.seconds() - b.seconds(), kSecond, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, std::int64_t{a.nanoseconds()} - b.nanoseconds(), &nanoseconds)) {
    return overflow();
  }
  return Value::duration(nanoseconds);
}

Value concat(const Value& a, const Value& b) {
  if (auto growing = std::dynamic_pointer_cast<const GrowingList>(a.payload())) {
    auto& elements = const_cast<GrowingList&>(*growing).elements;  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    const std::size_t count = b.as_list().size();
    for (std::size_t i = 0; i < count; ++i) elements.push_back(b.as_list().at(i));
    return a;
  }
  if (a.as_list().size() == 0) return b;
  if (b.as_list().size() == 0) return a;
  std::vector<Value> all;
  all.reserve(a.as_list().size() + b.as_list().size());
  for (const Value* list : {&a, &b}) {
    for (std::size_t i = 0; i < list->as_list().size(); ++i) all.push_back(list->as_list().at(i));
  }
  return Value::list(std::move(all));
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++count;
  }
  return count;
}

}  // namespace

Value no_such_overload() { return Value::error("no such overload"); }

Value equal(const Value& a, const Value& b) {
  if (a.is_error()) return a;
  if (a.is(Kind::null) || b.is(Kind::null)) return Value::boolean(a.is(Kind::null) && b.is(Kind::null));
  if (is_number(a)) {
    return Value::boolean(is_number(b) && !is_nan(a) && !is_nan(b) && compare_numbers(a, b) == 0);
  }
  if (a.is(Kind::object)) {
    if (!b.is(Kind::object)) return b.is_error() ? b : no_such_overload();
    return a.as_object().equal(b.as_object());
  }
  if (a.kind() != b.kind()) return Value::boolean(false);
  switch (a.kind()) {
    case Kind::string:
    case Kind::bytes: return Value::boolean(a.text() == b.text());
    case Kind::list: return Value::boolean(equal_lists(a.as_list(), b.as_list()));
    case Kind::map: return Value::boolean(equal_maps(a.as_map(), b.as_map()));
    case Kind::timestamp: return Value::boolean(compare_times(a, b) == 0);
    case Kind::type: return Value::boolean(a.as_type()->name() == b.as_type()->name());
    case Kind::optional:
      if (!a.has_value() || !b.has_value()) return Value::boolean(a.has_value() == b.has_value());
      return equal(a.inner(), b.inner());
    default: return Value::boolean(a.as_int() == b.as_int());
  }
}

Value compare(const Value& a, const Value& b) {
  if (is_number(a)) {
    if (is_nan(a)) return Value::error("NaN values cannot be ordered");
    if (!is_number(b)) return b.is_error() ? b : no_such_overload();
    if (is_nan(b)) return Value::error("NaN values cannot be ordered");
    return Value::integer(compare_numbers(a, b));
  }
  if (a.kind() != b.kind()) return b.is_error() ? b : no_such_overload();
  switch (a.kind()) {
    case Kind::string:
    case Kind::bytes: return Value::integer(order(a.text().compare(b.text()), 0));
    case Kind::boolean:
    case Kind::duration: return Value::integer(order(a.as_int(), b.as_int()));
    case Kind::timestamp: return Value::integer(compare_times(a, b));
    default: return no_such_overload();
  }
}

Value add(const Value& a, const Value& b) {
  if (b.is_error()) return b;
  if (a.is(Kind::duration) && b.is(Kind::timestamp)) return add_time(b, a.nanoseconds_of_duration());
  if (a.is(Kind::timestamp)) {
    return b.is(Kind::duration) ? add_time(a, b.nanoseconds_of_duration()) : no_such_overload();
  }
  if (a.kind() != b.kind()) return no_such_overload();
  std::int64_t sum = 0;
  switch (a.kind()) {
    case Kind::integer: return __builtin_add_overflow(a.as_int(), b.as_int(), &sum) ? overflow() : Value::integer(sum);
    case Kind::duration:
      return __builtin_add_overflow(a.as_int(), b.as_int(), &sum) ? overflow() : Value::duration(sum);
    case Kind::unsigned_integer: {
      std::uint64_t total = 0;
      if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &total)) return unsigned_overflow();
      return Value::unsigned_integer(total);
    }
    case Kind::real: return Value::real(a.as_double() + b.as_double());
    case Kind::string: return Value::string(a.text() + b.text());
    case Kind::bytes: return Value::bytes(a.text() + b.text());
    case Kind::list: return concat(a, b);
    default: return no_such_overload();
  }
}

Value subtract(const Value& a, const Value& b) {
  if (b.is_error()) return b;
  if (a.is(Kind::timestamp) && b.is(Kind::timestamp)) return between_times(a, b);
  if (a.is(Kind::timestamp) && b.is(Kind::duration)) {
    return b.as_int() == kLowest ? overflow() : add_time(a, -b.as_int());
  }
  if (a.kind() != b.kind()) return no_such_overload();
  std::int64_t rest = 0;
  switch (a.kind()) {
    case Kind::integer:
      return __builtin_sub_overflow(a.as_int(), b.as_int(), &rest) ? overflow() : Value::integer(rest);
    case Kind::duration:
      return __builtin_sub_overflow(a.as_int(), b.as_int(), &rest) ? overflow() : Value::duration(rest);
    case Kind::unsigned_integer:
      return b.as_uint() > a.as_uint() ? unsigned_overflow() : Value::unsigned_integer(a.as_uint() - b.as_uint());
    case Kind::real: return Value::real(a.as_double() - b.as_double());
    default: return no_such_overload();
  }
}

Value multiply(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return b.is_error() ? b : no_such_overload();
  switch (a.kind()) {
    case Kind::integer: {
      std::int64_t product = 0;
      return __builtin_mul_overflow(a.as_int(), b.as_int(), &product) ? overflow() : Value::integer(product);
    }
    case Kind::unsigned_integer: {
      std::uint64_t product = 0;
      if (__builtin_mul_overflow(a.as_uint(), b.as_uint(), &product)) return unsigned_overflow();
      return Value::unsigned_integer(product);
    }
    case Kind::real: return Value::real(a.as_double() * b.as_double());
    default: return no_such_overload();
  }
}

Value divide(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return b.is_error() ? b : no_such_overload();
  if (a.is(Kind::real)) return Value::real(a.as_double() / b.as_double());
  if (b.as_uint() == 0) return Value::error("division by zero");
  if (a.is(Kind::unsigned_integer)) return Value::unsigned_integer(a.as_uint() / b.as_uint());
  if (a.as_int() == kLowest && b.as_int() == -1) return overflow();
  return Value::integer(a.as_int() / b.as_int());
}

Value modulo(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return b.is_error() ? b : no_such_overload();
  if (b.as_uint() == 0) return Value::error("modulus by zero");
  if (a.is(Kind::unsigned_integer)) return Value::unsigned_integer(a.as_uint() % b.as_uint());
  if (a.as_int() == kLowest && b.as_int() == -1) return overflow();
  return Value::integer(a.as_int() % b.as_int());
}

Value negate(const Value& a) {
  switch (a.kind()) {
    case Kind::real: return Value::real(-a.as_double());
    case Kind::integer: return a.as_int() == kLowest ? overflow() : Value::integer(-a.as_int());
    case Kind::duration: return a.as_int() == kLowest ? overflow() : Value::duration(-a.as_int());
    default: return no_such_overload();
  }
}

std::optional<std::size_t> size_of(const Value& value) {
  switch (value.kind()) {
    case Kind::string: return characters(value.text());
    case Kind::bytes: return value.text().size();
    case Kind::list: return value.as_list().size();
    case Kind::map: return value.as_map().size();
    case Kind::object: return value.as_object().size();
    default: return std::nullopt;
  }
}

bool contains(const List& list, const Value& element) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(element, list.at(i)).is_true()) return true;
  }
  return false;
}

bool is_zero(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return true;
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::duration: return value.as_int() == 0;
    case Kind::real: return value.as_double() == 0;
    case Kind::timestamp: return value.seconds() == kFirstSecond && value.nanoseconds() == 0;
    case Kind::string:
    case Kind::bytes:
    case Kind::list:
    case Kind::map: return size_of(value) == 0U;
    default: return false;
  }
}

Value index_of(const Value& value) {
  if (value.is(Kind::integer)) return value;
  if (value.is(Kind::real) || value.is(Kind::unsigned_integer)) {
    for (const Value& same : equal_numbers(value)) {
      if (same.is(Kind::integer)) return same;
    }
    return Value::error("unsupported index value " + go_text(value) + " in list");
  }
  return Value::error("unsupported index type '" + type_of(value)->text() + "' in list");
}

std::vector<Value> equal_numbers(const Value& number) {
  std::vector<Value> same;
  if (number.is(Kind::real)) {
    const double d = number.as_double();
    if (d > -kTwoTo63 && d < kTwoTo63 && d == std::trunc(d)) {
      same.push_back(Value::integer(static_cast<std::int64_t>(d)));
    }
    if (d >= 0 && d < kTwoTo64 && d == std::trunc(d)) {
      same.push_back(Value::unsigned_integer(static_cast<std::uint64_t>(d)));
    }
  } else if (number.is(Kind::integer) && number.as_int() >= 0) {
    same.push_back(Value::unsigned_integer(number.as_uint()));
  } else if (number.is(Kind::unsigned_integer) && number.as_int() >= 0) {
    same.push_back(Value::integer(number.as_int()));
  }
  return same;
}

}  // namespace flyball::cel
