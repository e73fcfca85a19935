// Laws of the YAML reader and writer, tried on random values.
#include <array>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/escape.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::json {
namespace {

// Strings made of what trips YAML writers.
std::string nasty_string() {
  static const std::vector<std::string> pieces = {
      "a",
      "b",
      "0",
      "1",
      " ",
      " ",
      "  ",
      "\n",
      "\n",
      "\t",
      "\r",
      "-",
      "- ",
      ":",
      ": ",
      "#",
      " #",
      "'",
      "\"",
      "\\",
      ",",
      "[",
      "]",
      "{",
      "}",
      "&",
      "*",
      "!",
      "|",
      ">",
      "%",
      "@",
      "`",
      "?",
      "? ",
      "=",
      "~",
      "<<",
      ".",
      "---",
      "...",
      "yes",
      "no",
      "null",
      "0x1",
      "1e3",
      "010",
      "1_0",
      "é",
      "日",
      "😀",
      "\x7f",
      "\u0085",
      "\u00a0",
      "\u2028",
      "\ufeff",
      "\x01",
      "\uffff",
      "2026-01-01",
      ".inf",
      "word word word word word word word word word word word word word word word word word word word word"};
  const auto count = *rc::gen::inRange(0, 7);
  std::string text;
  for (int i = 0; i < count; ++i) text += *rc::gen::elementOf(pieces);
  if (count == 6) {
    text += ' ';
    std::array<char, 4> utf8;
    text.append(utf8.data(), put_utf8(*rc::gen::inRange<std::uint32_t>(0x20, 0xd800), utf8.data()));
  }
  return text;
}

void build(Builder& to, int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 6 : 8)) {
    case 0: to.null(); break;
    case 1: to.boolean(*rc::gen::arbitrary<bool>()); break;
    case 2: to.integer(*rc::gen::arbitrary<std::int64_t>()); break;
    case 3: to.number(static_cast<double>(*rc::gen::arbitrary<std::int32_t>()) / 1024.0); break;
    case 4:
    case 5: to.string(nasty_string()); break;
    case 6:
      to.begin_array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) build(to, depth - 1);
      to.end();
      break;
    default:
      to.begin_object();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        to.key(nasty_string() + std::to_string(i));
        build(to, depth - 1);
      }
      to.end();
  }
}

Value random_value() {
  Builder builder;
  build(builder, 4);
  return builder.finish();
}

void check(const char* law, auto&& property) { EXPECT_TRUE(rc::check(law, property)); }

TEST(YamlProperty, ReadingWhatWasWrittenGivesTheSameValue) {
  check("read(write(v)) == v", [] {
    const Value value = random_value();
    const std::string text = write_yaml(value);
    RC_LOG() << write(value) << "\n" << text;
    RC_ASSERT(parse_yaml(text) == value);
  });
}

TEST(YamlProperty, AStringAloneOrAsAKeySurvives) {
  check("string", [] {
    const std::string text = nasty_string();
    const Value value = object({{text, array({text, object({{text, text}})})}});
    RC_LOG() << write_yaml(value);
    RC_ASSERT(parse_yaml(write_yaml(value)) == value);
    RC_ASSERT(parse_yaml(write_yaml(Value(text))) == Value(text));
  });
}

TEST(YamlProperty, WritingIsStable) {
  check("write(read(write(v))) == write(v)", [] {
    const std::string text = write_yaml(random_value());
    RC_ASSERT(write_yaml(parse_yaml(text)) == text);
  });
}

TEST(YamlProperty, JsonIsYaml) {
  check("yaml(json(v)) == v", [] {
    const Value value = random_value();
    RC_ASSERT(parse_yaml(write(object({{"v", value}}))) == View(object({{"v", value}})));
  });
}

}  // namespace
}  // namespace flyball::json
