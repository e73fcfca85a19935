#include <cmath>
#include <cstdlib>

#include "flyball/base/error.hpp"
#include "flyball/base/text.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::cel {
namespace {

using Kind = Value::Kind;

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

Value cannot(const Value& from, const TypeRef& to) {
  return Value::error("type conversion error from '" + type_of(from)->name() + "' to '" + to->name() + "'");
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
        __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value)) {
      return std::nullopt;
    }
  }
  return value;
}

// As strconv.ParseFloat: digits may have single underscores between them, hexadecimal needs an exponent.
std::optional<double> parse_double(const std::string& text) {
  std::string lower;
  const auto alphanumeric = [&](std::size_t i) {
    return i < text.size() && ((text[i] >= '0' && text[i] <= '9') || (text[i] | 0x20) >= 'a');
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '_' && i > 0 && alphanumeric(i - 1) && alphanumeric(i + 1)) continue;
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const bool sign = lower.starts_with('+') || lower.starts_with('-');
  const std::string_view rest = std::string_view(lower).substr(sign ? 1 : 0);
  if (rest == "inf" || rest == "infinity") return lower[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  if (rest == "nan" && !sign) return std::nan("");
  if (rest.empty() || rest.find_first_not_of("0123456789.e+-xpabcdf") != std::string_view::npos) return std::nullopt;
  const bool hexadecimal = rest.starts_with("0x");
  if (hexadecimal && rest.find('p') == std::string_view::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(lower.c_str(), &end);
  if (end != lower.c_str() + lower.size() || std::isinf(value)) return std::nullopt;
  return value;
}

std::optional<bool> parse_bool(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

Value from_string(const Value& from, const TypeRef& to) {
  const std::string& text = from.text();
  switch (to->kind()) {
    case Type::Kind::integer: {
      const kube::go::ParsedInt parsed = kube::go::parse_int64(text);
      if (parsed.error == kube::go::IntError::none) return Value::integer(parsed.value);
      break;
    }
    case Type::Kind::unsigned_integer:
      if (const auto parsed = parse_unsigned(text)) return Value::unsigned_integer(*parsed);
      break;
    case Type::Kind::real:
      if (const auto parsed = parse_double(text)) return Value::real(*parsed);
      break;
    case Type::Kind::boolean:
      if (const auto parsed = parse_bool(text)) return Value::boolean(*parsed);
      break;
    case Type::Kind::bytes: return Value::bytes(text);
    case Type::Kind::duration: try { return Value::duration(kube::Duration::parse(text).nanos());
      } catch (const InputError&) {  // told below in cel-go's words
        break;
      }
    case Type::Kind::timestamp:
      if (const auto parsed = parse_timestamp(text)) {
        if (parsed->seconds() < kFirstSecond || parsed->seconds() > kLastSecond) {
          return Value::error("timestamp overflow");
        }
        return *parsed;
      }
      break;
    default: break;
  }
  return cannot(from, to);
}

Value from_integer(const Value& from, const TypeRef& to) {
  const std::int64_t value = from.as_int();
  switch (to->kind()) {
    case Type::Kind::unsigned_integer:
      return value < 0 ? Value::error("unsigned integer overflow") : Value::unsigned_integer(from.as_uint());
    case Type::Kind::real: return Value::real(static_cast<double>(value));
    case Type::Kind::string: return Value::string(std::to_string(value));
    case Type::Kind::timestamp:
      if (value < kFirstSecond || value > kLastSecond) return Value::error("timestamp overflow");
      return Value::timestamp(value, 0);
    default: return cannot(from, to);
  }
}

Value from_unsigned(const Value& from, const TypeRef& to) {
  switch (to->kind()) {
    case Type::Kind::integer:
      return from.as_int() < 0 ? Value::error("integer overflow") : Value::integer(from.as_int());
    case Type::Kind::real: return Value::real(static_cast<double>(from.as_uint()));
    case Type::Kind::string: return Value::string(std::to_string(from.as_uint()));
    default: return cannot(from, to);
  }
}

Value from_real(const Value& from, const TypeRef& to) {
  const double value = from.as_double();
  switch (to->kind()) {
    case Type::Kind::integer:
      if (std::isnan(value) || value <= -kTwoTo63 || value >= kTwoTo63) return Value::error("integer overflow");
      return Value::integer(static_cast<std::int64_t>(value));
    case Type::Kind::unsigned_integer:
      if (std::isnan(value) || value < 0 || value >= kTwoTo64) return Value::error("unsigned integer overflow");
      return Value::unsigned_integer(static_cast<std::uint64_t>(value));
    case Type::Kind::string: return Value::string(go_double(value));
    default: return cannot(from, to);
  }
}

}  // namespace

Value convert(const Value& value, const TypeRef& to) {
  if (value.is_error()) return value;
  const TypeRef from = type_of(value);
  if (to->kind() == Type::Kind::type) return Value::type(from);
  if (from->kind() == to->kind() && from->name() == to->name()) return value;
  switch (value.kind()) {
    case Kind::string: return from_string(value, to);
    case Kind::integer: return from_integer(value, to);
    case Kind::unsigned_integer: return from_unsigned(value, to);
    case Kind::real: return from_real(value, to);
    case Kind::boolean:
      if (to->kind() == Type::Kind::string) return Value::string(value.as_bool() ? "true" : "false");
      break;
    case Kind::null:
      if (to->kind() == Type::Kind::string) return Value::string("null");
      break;
    case Kind::bytes:
      if (to->kind() != Type::Kind::string) break;
      if (valid_utf8(value.text()) != value.text()) {
        return Value::error("invalid UTF-8 in bytes, cannot convert to string");
      }
      return Value::string(value.text());
    case Kind::duration:
      if (to->kind() == Type::Kind::string) return Value::string(duration_seconds_text(value.as_int()));
      if (to->kind() == Type::Kind::integer) return Value::integer(value.as_int());
      break;
    case Kind::timestamp:
      if (to->kind() == Type::Kind::string) return Value::string(timestamp_text(value));
      if (to->kind() == Type::Kind::integer) return Value::integer(value.seconds());
      break;
    case Kind::type:
      if (to->kind() == Type::Kind::string) return Value::string(value.as_type()->name());
      break;
    default: break;
  }
  return cannot(value, to);
}

}  // namespace flyball::cel
