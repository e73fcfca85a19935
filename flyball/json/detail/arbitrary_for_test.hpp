// Random JSON values for property tests (rapidcheck). For tests only.
//
//   EXPECT_TRUE(rc::check([](const json::Value& value) { RC_ASSERT(json::parse(json::write(value)) == value); }));
//
// The values favour what breaks code: integers at the edges of every width, doubles near whole numbers, strings around
// 127 bytes with escapes and characters of every UTF-8 length, keys that need quoting, empty and large containers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/escape.hpp"
#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {

// How rapidcheck and gtest print a value: the names are theirs.
// NOLINTBEGIN(readability-identifier-naming)
inline void showValue(const Value& value, std::ostream& to) { to << write(value); }
inline void PrintTo(const View& value, std::ostream* to) { *to << (value.exists() ? write(value) : "(absent)"); }
inline void PrintTo(const Value& value, std::ostream* to) { PrintTo(static_cast<const View&>(value), to); }
// NOLINTEND(readability-identifier-naming)

namespace arbitrary {

inline rc::Gen<std::string> character() {
  const auto point = [](std::uint32_t from, std::uint32_t to) {
    return rc::gen::map(rc::gen::inRange<std::uint32_t>(from, to), [](std::uint32_t value) {
      std::string text;
      std::array<char, 4> utf8;
      text.append(utf8.data(), put_utf8(value, utf8.data()));
      return text;
    });
  };
  const auto special = rc::gen::elementOf(std::vector<std::string>{
      "\"",   "\\",     "/",      "<",      ">",      "&",  "~",  "~0", "~1", ".",  "-",  std::string(1, '\0'),
      "\x7f", "\u2028", "\u2029", "\ufeff", "\uffff", "😀", "\n", "\r", "\t", ": ", " #", "'",
      "{",    "[",      "%",      "@",      "!",      "*"});
  return rc::gen::weightedOneOf<std::string>({{12, point('a', 'z' + 1)},
                                              {3, point('0', '9' + 1)},
                                              {3, special},
                                              {1, point(0, 0x20)},
                                              {1, point(0x80, 0x800)},
                                              {1, point(0x800, 0xd800)},
                                              {1, point(0xe000, 0x10000)},
                                              {1, point(0x10000, 0x110000)}});
}

inline rc::Gen<std::string> text() {
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string out;
    for (const auto& part : parts) out += part;
    return out;
  };
  const auto free = rc::gen::map(rc::gen::container<std::vector<std::string>>(character()), joined);
  const auto around_the_header = rc::gen::map(rc::gen::inRange<std::size_t>(120, 300),
                                              [](std::size_t length) { return std::string(length, 'x'); });
  const auto looks_like_something_else = rc::gen::elementOf(std::vector<std::string>{
      "",     "0", "1",          "-1",       "01",   "1e3", "0x1F", "1.5", "true", "yes", "off",
      "null", "~", "2026-01-02", "12:30:45", ".inf", "=",   "<<",   "-",   "---",  "..."});
  return rc::gen::weightedOneOf<std::string>({{8, free}, {1, around_the_header}, {2, looks_like_something_else}});
}

inline rc::Gen<std::int64_t> integer() {
  const auto edge = rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 64), rc::gen::inRange<std::int64_t>(-2, 3)),
                                 [](const std::pair<int, std::int64_t>& at) {
                                   const auto power = std::uint64_t{1} << at.first;
                                   return static_cast<std::int64_t>(power + static_cast<std::uint64_t>(at.second));
                                 });
  return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-70, 300), edge, rc::gen::arbitrary<std::int64_t>());
}

inline rc::Gen<double> number() {
  const auto finite =
      rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double value) { return std::isfinite(value); });
  const auto any_bits = rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                                       [](std::uint64_t bits) {
                                                         double value = 0;
                                                         std::memcpy(&value, &bits, sizeof value);
                                                         return value;
                                                       }),
                                          [](double value) { return std::isfinite(value); });
  const auto whole = rc::gen::map(integer(), [](std::int64_t value) { return static_cast<double>(value); });
  const auto edge = rc::gen::elementOf(
      std::vector<double>{0.0, -0.0, 0.1, 1e-6, 9.99e-7, 1e20, 1e21, 9223372036854775808.0, -9223372036854775808.0,
                          18446744073709551616.0, std::numeric_limits<double>::max(),
                          std::numeric_limits<double>::min(), std::numeric_limits<double>::denorm_min()});
  // From 2^53 to 2^63 Go writes the shortest digits and zeros, and Kubernetes reads them as the integer they then are:
  // such a double does not come back, and is no value to test laws with.
  return rc::gen::suchThat(rc::gen::oneOf(finite, any_bits, whole, edge), [](double value) {
    const double size = std::fabs(value);
    return size < 9007199254740992.0 || size >= 9223372036854775808.0;
  });
}

inline rc::Gen<Value> value(int depth);

inline rc::Gen<Value> array(int depth) {
  return rc::gen::map(rc::gen::scale(0.5, rc::gen::container<std::vector<Value>>(value(depth - 1))),
                      [](const std::vector<Value>& elements) {
                        Builder builder;
                        builder.begin_array();
                        for (const auto& element : elements) builder.value(element);
                        return builder.end().finish();
                      });
}

inline rc::Gen<Value> object(int depth) {
  const auto member = rc::gen::pair(text(), value(depth - 1));
  return rc::gen::map(rc::gen::scale(0.5, rc::gen::container<std::vector<std::pair<std::string, Value>>>(member)),
                      [](const std::vector<std::pair<std::string, Value>>& members) {
                        std::set<std::string> taken;
                        Builder builder;
                        builder.begin_object();
                        for (const auto& [key, member_value] : members) {
                          if (taken.insert(key).second) builder.key(key).value(member_value);
                        }
                        return builder.end().finish();
                      });
}

inline rc::Gen<Value> scalar() {
  return rc::gen::weightedOneOf<Value>(
      {{1, rc::gen::just(Value())},
       {1, rc::gen::map(rc::gen::arbitrary<bool>(), [](bool yes) { return Value(yes); })},
       {3, rc::gen::map(integer(), [](std::int64_t whole) { return Value(whole); })},
       {2, rc::gen::map(number(), [](double real) { return Value(real); })},
       {4, rc::gen::map(text(), [](const std::string& words) { return Value(words); })}});
}

// A value of at most `depth` levels.
inline rc::Gen<Value> value(int depth) {
  if (depth == 0) return scalar();
  return rc::gen::weightedOneOf<Value>({{3, scalar()},
                                        {2, rc::gen::lazy([depth] { return array(depth); })},
                                        {3, rc::gen::lazy([depth] { return object(depth); })}});
}

}  // namespace arbitrary
}  // namespace flyball::json

template <>
struct rc::Arbitrary<flyball::json::Value> {
  static rc::Gen<flyball::json::Value> arbitrary() { return flyball::json::arbitrary::value(3); }
};
