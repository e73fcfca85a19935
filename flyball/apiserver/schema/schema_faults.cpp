#include "flyball/apiserver/detail/schema_faults.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_set>

#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver::detail {
namespace {

constexpr double kInt64End = 9223372036854775808.0;  // 2^63

// A limit as the type of the value it is compared with, as Go converts and prints it.
json::Value as_kind_of(json::View value, double limit) {
  if (value.kind() != json::Kind::integer) return json::Value(limit);
  if (limit >= kInt64End || limit < -kInt64End) return json::Value(std::numeric_limits<std::int64_t>::min());
  return json::Value(static_cast<std::int64_t>(limit));
}

std::string printed(json::View number) {
  return number.kind() == json::Kind::integer ? std::to_string(number.as_int()) : go_float(number.as_double());
}

bool is_int64(double value) { return std::trunc(value) == value && value >= -kInt64End && value < kInt64End; }

// Whether the number is one of the type and format; what upstream says when it is not.
void check_range(const SchemaNode& schema, json::View number, std::string_view what, const Place& at, Faults& faults) {
  const bool integer = schema.type == "integer" && !schema.int_or_string;
  const bool decimal = schema.type == "number" && !schema.int_or_string;
  bool fits = true;
  if (integer) {
    const double value = number.as_double();
    fits = number.kind() == json::Kind::integer || is_int64(value);
    if (schema.format == "int32") fits = fits && value >= -2147483648.0 && value <= 2147483647.0;
  } else if (decimal && schema.format == "float") {
    fits = std::fabs(number.as_double()) < 3.4028235677973366e38;
  }
  if (fits) return;
  const std::string format = schema.format.empty() ? " (default format)" : " with format " + std::string(schema.format);
  std::string text =
      std::string(what) + " value must be of type " + std::string(schema.type) + format + " in " + at.text();
  faults.add({.message = text, .shown = "Invalid value: \"\": " + text, .without_place = true});
}

bool is_less(json::View a, json::View b) {
  if (a.kind() == json::Kind::integer && b.kind() == json::Kind::integer) return a.as_int() < b.as_int();
  return a.as_double() < b.as_double();
}

// The limit is compared as an integer with an integer, unless it is none itself.
json::Value comparable(json::View value, double limit, bool as_integer) {
  return as_integer ? as_kind_of(value, limit) : json::Value(limit);
}

json::Value as_double(json::View value, bool as_integer) {
  return as_integer ? json::Value(value) : json::Value(value.as_double());
}

Faults check_limit(const SchemaNode& schema, json::View value, const Place& at, double limit, bool upper) {
  Faults faults;
  check_range(schema, json::Value(limit), upper ? "Maximum boundary" : "Minimum boundary", at, faults);
  const json::Value against = comparable(value, limit, faults.empty());
  const json::Value compared = as_double(value, faults.empty());
  const bool exclusive = upper ? schema.exclusive_maximum : schema.exclusive_minimum;
  const bool beyond = upper ? is_less(against, compared) : is_less(compared, against);
  const bool equal = !is_less(against, compared) && !is_less(compared, against);
  if (!beyond && !(exclusive && equal)) return faults;
  const std::string words = std::string(upper ? "less" : "greater") + " than " + (exclusive ? "" : "or equal to ");
  faults.add(invalid(at, compared, " in body should be " + words + printed(against)));
  return faults;
}

Faults check_multiple(const SchemaNode& schema, json::View value, const Place& at, double factor) {
  Faults faults;
  check_range(schema, json::Value(factor), "MultipleOf", at, faults);
  const bool integers = faults.empty() && value.kind() == json::Kind::integer;
  const json::Value shown_factor = integers ? as_kind_of(value, factor) : json::Value(factor);
  if (integers ? shown_factor.as_int() <= 0 : factor <= 0) {
    const std::string text =
        "factor MultipleOf declared for " + at.text() + " must be positive: " + printed(shown_factor);
    faults.add({.path = at.text(), .message = text, .shown = "Invalid value: " + printed(shown_factor) + ": " + text});
    return faults;
  }
  bool multiple = false;
  if (integers) {
    multiple = value.as_int() % shown_factor.as_int() == 0;
  } else {
    multiple = is_whole(factor < 1 ? 1 / factor * value.as_double() : value.as_double() / factor);
  }
  if (!multiple) {
    faults.add(invalid(at, as_double(value, integers), " in body should be a multiple of " + printed(shown_factor)));
  }
  return faults;
}

}  // namespace

std::string Place::text() const {
  if (parent_ == nullptr) return {};
  std::string path = parent_->text();
  if (kind_ == Kind::item) return path + "[" + std::to_string(index_) + "]";
  if (!path.empty() || kind_ == Kind::additional) path.push_back('.');
  return path.append(name_);
}

void Faults::merge(Faults other) {
  if (faults_.empty()) {
    faults_ = std::move(other.faults_);
  } else {
    std::ranges::move(other.faults_, std::back_inserter(faults_));
  }
  counted_ += other.counted_;
}

std::vector<Fault> Faults::once() && {
  std::unordered_set<std::string> said;
  std::erase_if(faults_, [&](const Fault& fault) { return !said.insert(fault.message).second; });
  return std::move(faults_);
}

std::string shown(json::View value) {
  if (value.is_string()) return go_quote(value.as_string());
  if (value.kind() == json::Kind::number) return go_float(value.as_double());
  return json::write(value);
}

Fault invalid(const Place& at, json::View value, std::string_view text) {
  std::string message = at.text() + std::string(text);
  return {.path = at.text(), .message = message, .shown = "Invalid value: " + shown(value) + ": " + message};
}

Fault wrong_type(const Place& at, std::string_view wanted, std::string_view found) {
  const std::string quoted = go_quote(found);
  std::string message = at.text() + " in body must be of type " + std::string(wanted) + ": " + quoted;
  return {.kind = Problem::Kind::type_invalid,
          .path = at.text(),
          .message = message,
          .shown = "Invalid value: " + quoted + ": " + message};
}

Fault too_many(const Place& at, std::int64_t found, std::int64_t most, std::string_view things) {
  const std::string limit = std::to_string(most);
  return {.kind = Problem::Kind::too_many,
          .path = at.text(),
          .message = at.text() + " in body should have at most " + limit + " " + std::string(things),
          .shown =
              "Too many: " + std::to_string(found) + ": must have at most " + limit + (most == 1 ? " item" : " items")};
}

Fault unplaced(const Place& at, std::string_view text) {
  std::string message = go_quote(at.text()) + std::string(text);
  return {.message = message, .shown = "Invalid value: \"\": " + message, .without_place = true};
}

Faults check_number(const SchemaNode& schema, json::View value, const Place& at) {
  Faults faults;
  check_range(schema, value, "Checked", at, faults);
  if (schema.multiple_of) faults.merge(check_multiple(schema, value, at, *schema.multiple_of));
  if (schema.minimum) faults.merge(check_limit(schema, value, at, *schema.minimum, false));
  if (schema.maximum) faults.merge(check_limit(schema, value, at, *schema.maximum, true));
  faults.count();
  return faults;
}

bool is_whole(double value) {
  constexpr double kLargest = 9007199254740991.0;
  if (!std::isfinite(value) || std::fabs(value) > kLargest) return false;
  const double whole = std::trunc(value);
  if (whole == value) return true;
  return std::fabs(value - whole) / (std::fabs(value) + std::fabs(whole)) < 1e-9;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace flyball::apiserver::detail
