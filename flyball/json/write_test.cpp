#include "flyball/json/write.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/text_writer.hpp"

namespace flyball::json {
namespace {

std::string escaped(std::string_view text, bool html = true) {
  std::string out;
  write_string(text, out, html);
  return out;
}

TEST(WriteTest, CompactByDefaultWithKeysInTheirOrder) {
  EXPECT_EQ(write(parse(R"({ "b" : [ 1 , { } , [ ] ] , "a" : null })")), R"({"b":[1,{},[]],"a":null})");
}

TEST(WriteTest, IndentsAsGoDoes) {
  // [snippet: json-write]
  const json::Value value = json::parse(R"({"b":[1,{}],"a":{"x":[]}})");
  const std::string text = json::write(value, {.indent = 2, .sort_keys = true});
  // [end]
  EXPECT_EQ(text, R"({
  "a": {
    "x": []
  },
  "b": [
    1,
    {}
  ]
})");
}

TEST(WriteTest, SortsKeysByTheirBytesAtEveryLevel) {
  EXPECT_EQ(write(parse(R"({"b":1,"a":{"é":1,"z":2,"Z":3,"":4},"aa":2})"), {.sort_keys = true}),
            R"({"a":{"":4,"Z":3,"z":2,"é":1},"aa":2,"b":1})");
}

TEST(WriteTest, EscapesWhatGoEscapes) {
  EXPECT_EQ(escaped("a<b>&c"), R"("a\u003cb\u003e\u0026c")");
  EXPECT_EQ(escaped("a<b>&c", false), R"("a<b>&c")");
  EXPECT_EQ(escaped("\"\\/"), R"("\"\\/")");
  EXPECT_EQ(escaped("\n\r\t\b\f"), R"("\n\r\t\b\f")");
  EXPECT_EQ(escaped(std::string_view("\0\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(escaped("\u2028\u2029\u202a"), "\"\\u2028\\u2029\u202a\"");
  EXPECT_EQ(escaped("\u2028\u2029", false), R"("\u2028\u2029")");
  EXPECT_EQ(escaped("grün 😀"), "\"grün 😀\"");
}

TEST(WriteTest, EscapesAtEveryOffsetOfALongString) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\n';
    EXPECT_EQ(escaped(text), '"' + std::string(at, 'x') + "\\n" + std::string(39 - at, 'x') + '"') << at;
    text.replace(at, 1, "\u2028");
    EXPECT_EQ(escaped(text), '"' + std::string(at, 'x') + "\\u2028" + std::string(39 - at, 'x') + '"') << at;
    text.replace(at, 3, "€");
    EXPECT_EQ(escaped(text), '"' + text + '"') << at;
    text.replace(at, 3, "<");
    EXPECT_EQ(escaped(text, false), '"' + text + '"') << at;
    EXPECT_EQ(escaped(text), '"' + std::string(at, 'x') + "\\u003c" + std::string(39 - at, 'x') + '"') << at;
  }
}

TEST(WriteTest, AByteIsEscapedWhereverItStandsInATextOfAnyLength) {
  for (std::size_t size = 1; size < 36; ++size) {
    EXPECT_EQ(escaped(std::string(size, 'x')), '"' + std::string(size, 'x') + '"');
    for (std::size_t at = 0; at < size; ++at) {
      for (const auto& [byte, as] : {std::pair{'"', "\\\""}, {'\\', "\\\\"}, {'&', "\\u0026"}, {'\x1f', "\\u001f"}}) {
        std::string text(size, 'x');
        text[at] = byte;
        EXPECT_EQ(escaped(text), '"' + text.substr(0, at) + as + text.substr(at + 1) + '"') << size << " " << at;
      }
    }
  }
}

TEST(WriteTest, KeysAreEscapedAsStringsAre) {
  EXPECT_EQ(write(object({{"<\n>", 1}})), R"({"\u003c\n\u003e":1})");
  EXPECT_EQ(write(object({{"<\n>", 1}}), {.escape_html = false}), R"({"<\n>":1})");
}

TEST(WriteTest, AppendsToWhatIsThere) {
  std::string text = "data: ";
  write(array({1}), text);
  EXPECT_EQ(text, "data: [1]");
}

TEST(WriteTest, AbsentWritesAsNull) { EXPECT_EQ(write(View()), "null"); }

TEST(WriteTest, SummariesReadInASentence) {
  EXPECT_EQ(summary(View()), "nothing");
  EXPECT_EQ(summary(Value()), "null");
  EXPECT_EQ(summary(Value(true)), "the boolean true");
  EXPECT_EQ(summary(Value(3)), "the integer 3");
  EXPECT_EQ(summary(Value(1.5)), "the number 1.5");
  EXPECT_EQ(summary(Value("a\n<b>")), R"(the string "a\n<b>")");
  EXPECT_EQ(summary(array({1, 2})), "an array of 2");
  EXPECT_EQ(summary(object()), "an object of 0");
}

TEST(WriteTest, LongStringsAreCutInSummariesButNotWithinACharacter) {
  EXPECT_EQ(summary(Value(std::string(60, 'x'))), "the string \"" + std::string(60, 'x') + "\"");
  EXPECT_EQ(summary(Value(std::string(61, 'x'))), "the string \"" + std::string(60, 'x') + "\"…");
  EXPECT_EQ(summary(Value(std::string(59, 'x') + "ü")), "the string \"" + std::string(59, 'x') + "\"…");
}

TEST(TextWriterTest, AfterItIsFinishedTheStringBelongsToTheCaller) {
  std::string text;
  std::string taken;
  {
    TextWriter writer(text);
    writer.begin_array().integer(1).end_array();
    writer.finish();
    EXPECT_EQ(text, "[1]");
    taken = std::move(text);
    text = "mine";
  }
  EXPECT_EQ(taken, "[1]");
  EXPECT_EQ(text, "mine");
}

TEST(TextWriterTest, LeavesTheStringAloneWhenNothingIsWritten) {
  std::string text = "[1,";
  TextWriter(text).finish();
  EXPECT_EQ(text, "[1,");
}

TEST(TextWriterTest, GoesOnAfterWhatTheStringHeld) {
  std::string text = "data: ";
  TextWriter writer(text);
  writer.integer(1);
  writer.finish();
  EXPECT_EQ(text, "data: 1");
}

}  // namespace
}  // namespace flyball::json
