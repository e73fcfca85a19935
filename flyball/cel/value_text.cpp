#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "flyball/base/error.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/cel/value.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::cel {
namespace {

using Kind = Value::Kind;

// The shortest digits that read back as the number, without an exponent. (std::to_chars' fixed form would print the
// exact digits of large numbers.)
std::string fixed(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  const std::string_view shown(text.data(), end.ptr);
  const std::size_t e = shown.find('e');
  const int exponent = std::stoi(std::string(shown.substr(e + 1)));
  const std::string sign = shown.starts_with('-') ? "-" : "";
  std::string digits(shown.substr(sign.size(), e - sign.size()));
  std::erase(digits, '.');
  const int point = exponent + 1;
  if (point <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  const auto whole = static_cast<std::size_t>(point);
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string double_in_cel(double value) {
  if (std::isnan(value)) return R"(double("NaN"))";
  if (std::isinf(value)) return value < 0 ? R"(double("-Infinity"))" : R"(double("Infinity"))";
  const std::string text = fixed(value);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string octets(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += '\\';
    for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (byte >> shift & 7));
  }
  return text;
}

template <class Print>
std::string list_text(const List& list, Print print) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + print(list.at(i));
  return text + "]";
}

template <class Print>
std::string map_text(const Map& map, bool sorted, Print print) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Value& key : map.keys()) entries.emplace_back(print(key), print(*map.find(key)));
  if (sorted) std::ranges::stable_sort(entries, {}, &std::pair<std::string, std::string>::first);
  std::string text = "{";
  for (const auto& [key, value] : entries) {
    if (text.size() > 1) text += ", ";
    text.append(key).append(": ").append(value);
  }
  return text + "}";
}

// time.Time's String: "2023-01-01 00:00:00 +0000 UTC".
std::string go_time(const Value& time) {
  std::string text = timestamp_text(time);
  text[10] = ' ';
  const std::size_t zone = text.find_first_of("Z+-", 19);
  const std::string clock = text.substr(0, zone);
  if (text[zone] == 'Z') return clock + " +0000 UTC";
  std::string offset = text.substr(zone);
  std::erase(offset, ':');
  return clock + " " + offset + " " + offset;
}

}  // namespace

std::string go_double(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  const double size = std::fabs(value);
  if (size == 0 || (size >= 1e-4 && size < 1e6)) return fixed(value);
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  return {text.data(), end.ptr};
}

std::string duration_seconds_text(std::int64_t nanoseconds) {
  // As Go's Duration.Seconds: the whole ones apart, for precision.
  const std::int64_t whole = nanoseconds / 1'000'000'000;
  const std::int64_t rest = nanoseconds % 1'000'000'000;
  return fixed(static_cast<double>(whole) + static_cast<double>(rest) / 1e9) + "s";
}

std::string go_text(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return "0";
    case Kind::boolean: return value.as_bool() ? "true" : "false";
    case Kind::integer: return std::to_string(value.as_int());
    case Kind::unsigned_integer: return std::to_string(value.as_uint());
    case Kind::real: return go_double(value.as_double());
    case Kind::string:
    case Kind::error: return value.text();
    case Kind::bytes: {
      std::string text;
      for (const char c : value.text()) {
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<unsigned char>(c));
      }
      return "[" + text + "]";
    }
    case Kind::list: return list_text(value.as_list(), go_text);
    case Kind::map: return map_text(value.as_map(), false, go_text);
    case Kind::duration: return kube::Duration::from_nanos(value.as_int()).to_string();
    case Kind::timestamp: return go_time(value);
    case Kind::type: return value.as_type()->text();
    case Kind::optional: return value.has_value() ? "optional(" + go_text(value.inner()) + ")" : "optional.none()";
    case Kind::object: return value.as_object().text();
  }
  return "";
}

std::string to_text(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return "null";
    case Kind::unsigned_integer: return std::to_string(value.as_uint()) + "u";
    case Kind::real: return double_in_cel(value.as_double());
    case Kind::string: return kube::go::quote(value.text());
    case Kind::bytes: return "b\"" + octets(value.text()) + "\"";
    case Kind::list: return list_text(value.as_list(), to_text);
    case Kind::map: return map_text(value.as_map(), true, to_text);
    case Kind::duration: return "duration(\"" + duration_seconds_text(value.as_int()) + "\")";
    case Kind::timestamp:
      return "timestamp(\"" + timestamp_text(Value::timestamp(value.seconds(), value.nanoseconds())) + "\")";
    case Kind::type: return value.as_type()->name();
    case Kind::optional: return value.has_value() ? "optional.of(" + to_text(value.inner()) + ")" : "optional.none()";
    default: return go_text(value);
  }
}

json::Value to_json(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return nullptr;
    case Kind::boolean: return value.as_bool();
    case Kind::integer: return value.as_int();
    case Kind::unsigned_integer: return value.as_uint();
    case Kind::real:
      if (!std::isfinite(value.as_double())) throw Error("JSON has no number " + go_double(value.as_double()));
      return value.as_double();
    case Kind::string: return value.text();
    case Kind::timestamp: return timestamp_text(value);
    case Kind::duration: return duration_seconds_text(value.as_int());
    case Kind::list: {
      json::Builder builder;
      builder.begin_array();
      for (std::size_t i = 0; i < value.as_list().size(); ++i) builder.value(to_json(value.as_list().at(i)));
      builder.end();
      return builder.finish();
    }
    case Kind::map: {
      json::Builder builder;
      builder.begin_object();
      for (const Value& key : value.as_map().keys()) {
        if (!key.is(Kind::string)) throw Error("JSON has no key " + to_text(key) + ": keys are strings");
        builder.key(key.text()).value(to_json(*value.as_map().find(key)));
      }
      builder.end();
      return builder.finish();
    }
    case Kind::optional:
      if (value.has_value()) return to_json(value.inner());
      return nullptr;
    default: throw Error("JSON cannot hold " + to_text(value) + ", a " + type_of(value)->text());
  }
}

}  // namespace flyball::cel
