// Laws that hold for every value: what is printed parses back, arithmetic is arithmetic, order is an order.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::kube {
namespace {

using rc::gen::container;
using rc::gen::elementOf;
using rc::gen::inRange;

std::string digits(int most) {
  std::string text = *container<std::string>(inRange('0', static_cast<char>('9' + 1)));
  if (text.size() > static_cast<std::size_t>(most)) text.resize(static_cast<std::size_t>(most));
  return text;
}

std::string any_quantity_text() {
  const std::string suffix = *elementOf(std::vector<std::string>{
      "", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "e-7", "E5"});
  const std::string fraction = *rc::gen::arbitrary<bool>() ? "." + digits(12) : "";
  return *elementOf(std::vector<std::string>{"", "-", "+"}) +
         *elementOf(std::vector<std::string>{"0", "1", "7", "1024"}) + digits(24) + fraction + suffix;
}

Quantity any_quantity() { return Quantity(any_quantity_text()); }

// Binary suffixes are held at 2^63-1 when they are parsed, so a larger sum prints as what it is but does not come back.
bool within_binary(const Quantity& quantity) {
  return quantity.format() != Quantity::Format::binary_si ||
         (quantity <= "9223372036854775807" && quantity >= "-9223372036854775807");
}

TEST(LawsTest, WhatAQuantityPrintsIsTheSameQuantityAndPrintsTheSame) {
  EXPECT_TRUE(rc::check([] {
    const Quantity quantity = any_quantity();
    const Quantity back(quantity.to_string());
    RC_ASSERT(back == quantity);
    RC_ASSERT(back.to_string() == quantity.to_string());
  }));
}

TEST(LawsTest, QuantitiesAddLikeNumbers) {
  EXPECT_TRUE(rc::check([] {
    const Quantity a = any_quantity();
    const Quantity b = any_quantity();
    const Quantity c = any_quantity();
    RC_ASSERT(a + b == b + a);
    RC_ASSERT((a + b) + c == a + (b + c));
    RC_ASSERT((a - b) + b == a);
    RC_ASSERT((a + -a).is_zero());
    RC_ASSERT(-(-a) == a);
    RC_ASSERT((a + b).sign() == (a > -b) - (a < -b));
    if (within_binary(a + b)) RC_ASSERT(Quantity((a + b).to_string()) == a + b);
  }));
}

TEST(LawsTest, QuantitiesAreInOneOrder) {
  EXPECT_TRUE(rc::check([] {
    const Quantity a = any_quantity();
    const Quantity b = any_quantity();
    const Quantity c = any_quantity();
    RC_ASSERT((a < b) + (a == b) + (a > b) == 1);
    RC_ASSERT(!(a <= b && b <= c) || a <= c);
    RC_ASSERT((a < b) == (a - b < "0"));
    RC_ASSERT(!(a <= b) || a.value() <= b.value());
  }));
}

TEST(LawsTest, IntegersAreQuantitiesOfTheSameValue) {
  EXPECT_TRUE(rc::check([](std::int64_t number, std::int64_t other) {
    RC_ASSERT(Quantity(number).value() == number);
    RC_ASSERT((Quantity(number) < Quantity(other)) == (number < other));
    std::int64_t sum = 0;
    RC_PRE(!__builtin_add_overflow(number, other, &sum));
    RC_ASSERT((Quantity(number) + Quantity(other)).value() == sum);
  }));
}

std::string any_label_word() {
  const auto letter = elementOf(std::string("abcXYZ019"));
  const auto inner = elementOf(std::string("ab-_.Z9"));
  return std::string(1, *letter) + (*container<std::string>(inner)).substr(0, 30) + std::string(1, *letter);
}

Requirement any_requirement() {
  const std::string key = *rc::gen::arbitrary<bool>() ? "example.com/" + any_label_word() : any_label_word();
  switch (*inRange(0, 7)) {
    case 0: return Requirement(key, Operator::exists);
    case 1: return Requirement(key, Operator::does_not_exist);
    case 2: return Requirement(key, Operator::equals, {any_label_word()});
    case 3: return Requirement(key, Operator::not_equals, {""});
    case 4: return Requirement(key, Operator::greater_than, {std::to_string(*inRange(0, 1000))});
    case 5: return Requirement(key, Operator::not_in, {any_label_word(), ""});
    default: return Requirement(key, Operator::in, {any_label_word(), any_label_word()});
  }
}

TEST(LawsTest, WhatASelectorPrintsParsesToTheSameSelector) {
  EXPECT_TRUE(rc::check([] {
    Selector selector;
    for (int n = *inRange(0, 6); n > 0; --n) selector.add(any_requirement());
    const Selector back = Selector::parse(selector.to_string());
    RC_ASSERT(back.to_string() == selector.to_string());
    RC_ASSERT(Selector::parse(back.to_string()) == back);
    Labels labels;
    for (const Requirement& requirement : selector.requirements()) {
      if (*rc::gen::arbitrary<bool>()) continue;
      labels[requirement.key()] = requirement.values().empty() ? "x" : requirement.values()[0];
    }
    RC_ASSERT(back.matches(labels) == selector.matches(labels));
  }));
}

TEST(LawsTest, ASelectorFromLabelsMatchesThem) {
  EXPECT_TRUE(rc::check([] {
    Labels labels;
    for (int n = *inRange(0, 6); n > 0; --n) labels[any_label_word()] = any_label_word();
    const Selector selector = Selector::from_labels(labels);
    RC_ASSERT(selector.matches(labels));
    RC_ASSERT(Selector::parse(selector.to_string()) == selector);
  }));
}

TEST(LawsTest, FieldValuesSurviveEscaping) {
  EXPECT_TRUE(rc::check([](const std::string& value) {
    RC_ASSERT(unescape_field_value(escape_field_value(value)) == value);
    const auto selector = FieldSelector().require("a", value, *rc::gen::arbitrary<bool>());
    RC_ASSERT(FieldSelector::parse(selector.to_string()) == selector);
  }));
}

TEST(LawsTest, TimesAndSpansParseBack) {
  EXPECT_TRUE(rc::check([](std::int64_t nanos) {
    RC_ASSERT(Duration::parse(Duration::from_nanos(nanos).to_string()).nanos() == nanos);
    const std::int64_t seconds = *inRange<std::int64_t>(detail::kYearOne, 253'402'300'800);
    RC_ASSERT(Time::parse(Time::from_unix(seconds).to_string()).unix_seconds() == seconds);
    const std::int64_t micros = seconds * 1'000'000 + *inRange<std::int64_t>(0, 1'000'000);
    RC_ASSERT(MicroTime::parse(MicroTime::from_unix_micros(micros).to_string()).unix_micros() == micros);
  }));
}

TEST(LawsTest, NumbersOrWordsParseBack) {
  EXPECT_TRUE(rc::check([](std::int32_t number) {
    RC_ASSERT(IntOrString::parse(IntOrString(number).to_string()) == IntOrString(number));
    const std::int64_t total = *inRange(0, 1'000'000);
    const IntOrString percent = std::to_string(*inRange(0, 100)) + "%";
    const std::int64_t up = percent.scaled_value(total, Round::up);
    const std::int64_t down = percent.scaled_value(total, Round::down);
    RC_ASSERT(up - down == 0 || up - down == 1);
    RC_ASSERT(down >= 0 && up <= total);
  }));
}

TEST(LawsTest, KeysParseBack) {
  EXPECT_TRUE(rc::check([] {
    const ObjectKey key{*rc::gen::arbitrary<bool>() ? any_label_word() : "", any_label_word()};
    RC_ASSERT(ObjectKey::parse(key.to_string()) == key);
    const GroupVersionKind kind{*rc::gen::arbitrary<bool>() ? any_label_word() : "", any_label_word(), "Kind"};
    RC_ASSERT(GroupVersionKind::parse(kind.api_version(), "Kind") == kind);
  }));
}

}  // namespace
}  // namespace flyball::kube
