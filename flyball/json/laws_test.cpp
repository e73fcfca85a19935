// Laws of the json room, tried on random values and random damage.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/json/detail/arbitrary_for_test.hpp"
#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

// The same value with the members of every object in another order.
void copy_reversed(View value, Builder& to) {
  if (value.is_array()) {
    to.begin_array();
    for (View element : value.items()) copy_reversed(element, to);
    to.end();
  } else if (value.is_object()) {
    std::vector<Entry> entries(value.entries().begin(), value.entries().end());
    std::ranges::reverse(entries);
    to.begin_object();
    for (const auto& [key, member] : entries) copy_reversed(member, to.key(key));
    to.end();
  } else {
    to.value(value);
  }
}

Value reversed(View value) {
  Builder builder;
  copy_reversed(value, builder);
  return builder.finish();
}

// Parses, and checks that a refusal is a ParseError that points into the text, and that skipping agrees.
bool parses(std::string_view text) {
  bool skipped = true;
  try {
    Reader reader(text);
    reader.skip();
    reader.finish();
  } catch (const ParseError&) {
    skipped = false;
  }
  try {
    parse(text, {.duplicates = Duplicates::last_wins});
  } catch (const ParseError& error) {
    RC_ASSERT(error.position().line >= 1U);
    RC_ASSERT(error.position().column <= text.size() + 1);
    RC_ASSERT(!skipped);
    return false;
  }
  RC_ASSERT(skipped);
  return true;
}

TEST(LawsTest, ParsingWhatWasWrittenGivesTheValueBack) {
  EXPECT_TRUE(rc::check([](const Value& value) {
    RC_ASSERT(parse(write(value)) == value);
    RC_ASSERT(parse(write(value, {.indent = 2})) == value);
    RC_ASSERT(parse(write(value, {.sort_keys = true})) == value);
    RC_ASSERT(parse(write(value, {.escape_html = false})) == value);
  }));
}

TEST(LawsTest, WritingWhatWasParsedGivesCanonicalTextBack) {
  EXPECT_TRUE(rc::check([](const Value& value) {
    // Once around first: the double -0 is written -0 and read as the integer 0, as Kubernetes reads it.
    const std::string canonical = write(parse(write(value)));
    RC_ASSERT(write(parse(canonical)) == canonical);
    RC_ASSERT(write(parse(write(parse(canonical), {.indent = 3}))) == canonical);
  }));
}

TEST(LawsTest, ReorderedMembersChangeNeitherEqualityNorHashNorSortedText) {
  EXPECT_TRUE(rc::check([](const Value& value) {
    const Value other = reversed(value);
    RC_ASSERT(other == value);
    RC_ASSERT(value == other);
    RC_ASSERT(other.hash() == value.hash());
    RC_ASSERT(write(other, {.sort_keys = true}) == write(value, {.sort_keys = true}));
  }));
}

TEST(LawsTest, EqualValuesHaveEqualHashesAndEqualityIsSymmetric) {
  EXPECT_TRUE(rc::check([](const Value& a, const Value& b) {
    RC_ASSERT((a == b) == (b == a));
    RC_ASSERT(a == a);
    RC_ASSERT(!(a == b) || a.hash() == b.hash());
    RC_ASSERT((a == b) == (parse(write(a)) == parse(write(b))));
  }));
}

TEST(LawsTest, AnIntegerEqualsADoubleExactlyWhenTheyAreTheSameNumber) {
  EXPECT_TRUE(rc::check([] {
    const auto whole = *arbitrary::integer();
    const auto real = *arbitrary::number();
    const bool in_range = real >= -9223372036854775808.0 && real < 9223372036854775808.0;
    const bool same = in_range && std::trunc(real) == real && static_cast<std::int64_t>(real) == whole;
    RC_ASSERT((Value(whole) == Value(real)) == same);
    if (same) RC_ASSERT(Value(whole).hash() == Value(real).hash());
  }));
}

TEST(LawsTest, ACopyOfAPartEqualsThePart) {
  EXPECT_TRUE(rc::check([](const Value& value) {
    for (View element : value.items()) {
      RC_ASSERT(Value(element) == element);
      RC_ASSERT(value.slice(element) == element);
    }
    for (auto [key, member] : value.entries()) {
      RC_ASSERT(value[key] == member);
      RC_ASSERT(Value(member).encoded_size() == member.encoded_size());
    }
  }));
}

TEST(LawsTest, EveryCutOfADocumentIsRefused) {
  EXPECT_TRUE(rc::check([](const Value& value) {
    const std::string text = write(array({value}));
    const std::size_t step = 1 + text.size() / 100;
    for (std::size_t length = 0; length < text.size(); length += step) RC_ASSERT(!parses(text.substr(0, length)));
    RC_ASSERT(parses(text));
  }));
}

TEST(LawsTest, RandomDamageIsRefusedOrReadButNeverCrashes) {
  const std::string pod = read_file_for_test("pod.json");
  EXPECT_TRUE(rc::check([&pod](const Value& value) {
    std::string text = *rc::gen::arbitrary<bool>() ? pod : write(value, {.indent = 1});
    const int wounds = *rc::gen::inRange(1, 6);
    for (int i = 0; i < wounds; ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const auto byte = *rc::gen::oneOf(rc::gen::arbitrary<char>(),
                                        rc::gen::elementOf(std::string("{}[],:\"\\u0129-+.eEtfn \n\xc3\xe2\xf0")));
      switch (*rc::gen::inRange(0, 3)) {
        case 0: text[at] = byte; break;
        case 1: text.insert(at, 1, byte); break;
        default: text.erase(at, 1); break;
      }
      if (text.empty()) break;
    }
    if (!parses(text)) return;
    const Value read = parse(text, {.duplicates = Duplicates::last_wins});
    RC_ASSERT(parse(write(read)) == read);
  }));
}

}  // namespace
}  // namespace flyball::json
