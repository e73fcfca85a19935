#include "flyball/json/reader.hpp"

#include <string>

#include <gtest/gtest.h>

namespace flyball::json {
namespace {

template <class Read>
std::string error_of(std::string_view text, Read read) {
  Reader reader(text);
  try {
    read(reader);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReaderTest, FillsAStructWithoutBuildingAnything) {
  const std::string_view text = R"({"name": "web", "status": {"nodes": ["a"]}, "replicas": 3})";
  std::string name;
  std::int64_t replicas = 0;
  // [snippet: json-reader]
  json::Reader reader(text);
  reader.begin_object();
  while (const auto member = reader.next_member()) {
    if (*member == "name") {
      name = reader.string();
    } else if (*member == "replicas") {
      replicas = reader.number().as_int;
    } else {
      reader.skip();
    }
  }
  reader.finish();  // nothing but white space may follow
  // [end]
  EXPECT_EQ(name, "web");
  EXPECT_EQ(replicas, 3);
}

TEST(ReaderTest, PeeksAtEveryKind) {
  const auto peeked = [](std::string_view text) { return Reader(text).peek(); };
  EXPECT_EQ(peeked(" null"), Kind::null);
  EXPECT_EQ(peeked("true"), Kind::boolean);
  EXPECT_EQ(peeked("false"), Kind::boolean);
  EXPECT_EQ(peeked("-1"), Kind::number);
  EXPECT_EQ(peeked("0.5"), Kind::number);
  EXPECT_EQ(peeked("\"\""), Kind::string);
  EXPECT_EQ(peeked("\n[1]"), Kind::array);
  EXPECT_EQ(peeked("{}"), Kind::object);
}

TEST(ReaderTest, SkipAndRawPassOverOneValueOfAnyKind) {
  Reader reader(R"([ {"a": [1, {"b": "]"}]} , "x\"y", 3 ])");
  reader.begin_array();
  EXPECT_TRUE(reader.next_element());
  EXPECT_EQ(reader.raw(), R"({"a": [1, {"b": "]"}]})");
  EXPECT_TRUE(reader.next_element());
  reader.skip();
  EXPECT_TRUE(reader.next_element());
  EXPECT_EQ(reader.number().as_int, 3);
  EXPECT_FALSE(reader.next_element());
  reader.finish();
}

TEST(ReaderTest, StringsPointIntoTheTextUntilSomethingIsEscaped) {
  const std::string text = R"(["plain", "a\nb", "\ud83d\ude00", "\ud83d", "\ud83dx\udc00", "\ud83d\ud83d\ude00"])";
  Reader reader(text);
  reader.begin_array();
  reader.next_element();
  EXPECT_EQ(reader.string().data(), text.data() + 2);
  reader.next_element();
  EXPECT_EQ(reader.string(), "a\nb");
  reader.next_element();
  EXPECT_EQ(reader.string(), "😀");
  reader.next_element();
  EXPECT_EQ(reader.string(), "\ufffd");
  reader.next_element();
  EXPECT_EQ(reader.string(), "\ufffdx\ufffd");
  reader.next_element();
  EXPECT_EQ(reader.string(), "\ufffd😀");
}

TEST(ReaderTest, TheWrongKindIsAnErrorAtThatPlace) {
  const auto in_object = [](auto read) {
    return [read](Reader& reader) {
      reader.begin_object();
      reader.next_member();
      read(reader);
    };
  };
  const std::string_view text = R"({"size": "three"})";
  EXPECT_EQ(error_of(text, in_object([](Reader& r) { r.number(); })),
            "line 1, column 10: size: expected a number, found '\"'");
  EXPECT_EQ(error_of(text, in_object([](Reader& r) { r.boolean(); })),
            "line 1, column 10: size: expected false, found '\"'");
  EXPECT_EQ(error_of(text, in_object([](Reader& r) { r.begin_array(); })),
            "line 1, column 10: size: expected an array, found '\"'");
  EXPECT_EQ(error_of(text, in_object([](Reader& r) { r.begin_object(); })),
            "line 1, column 10: size: expected an object, found '\"'");
  EXPECT_EQ(error_of(R"({"size": 3})", in_object([](Reader& r) { r.string(); })),
            "line 1, column 10: size: expected a string, found '3'");
  EXPECT_EQ(error_of(R"({"size": 3})", in_object([](Reader& r) { r.null(); })),
            "line 1, column 10: size: expected null, found '3'");
}

TEST(ReaderTest, KnowsItsPathAndPosition) {
  Reader reader("{\n  \"spec\": {\"ports\": [80,\n    443]}}");
  reader.begin_object();
  reader.next_member();
  EXPECT_EQ(reader.path(), "spec");
  reader.begin_object();
  reader.next_member();
  EXPECT_EQ(reader.position_of(reader.member_offset()), (Position{2, 12}));
  reader.begin_array();
  EXPECT_EQ(reader.depth(), 3U);
  reader.next_element();
  reader.skip();
  reader.next_element();
  EXPECT_EQ(reader.path(), "spec.ports[1]");
  EXPECT_EQ(reader.peek(), Kind::number);
  EXPECT_EQ(reader.position(), (Position{3, 5}));
}

TEST(ReaderTest, TheCallersOwnComplaintCarriesPlaceAndPath) {
  EXPECT_EQ(error_of(R"({"a.b": [1]})",
                     [](Reader& reader) {
                       reader.begin_object();
                       reader.next_member();
                       reader.begin_array();
                       reader.next_element();
                       reader.fail("must be even");
                     }),
            "line 1, column 10: [\"a.b\"][0]: must be even");
}

TEST(ReaderTest, StopsAtItsLimits) {
  Reader deep("[[1]]", {.depth = 1});
  EXPECT_THROW(deep.skip(), ParseError);
  EXPECT_THROW(Reader("[1]", {.size = 2}), ParseError);
  Reader exact("[1]", {.depth = 1, .size = 3});
  exact.skip();
  exact.finish();
}

TEST(ReaderTest, FinishRefusesWhatFollows) {
  EXPECT_EQ(error_of("1 2",
                     [](Reader& reader) {
                       reader.skip();
                       reader.finish();
                     }),
            "line 1, column 3: expected the end of the text, found '2'");
}

}  // namespace
}  // namespace flyball::json
