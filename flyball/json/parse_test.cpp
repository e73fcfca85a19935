#include "flyball/json/parse.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(std::string_view text, const ParseOptions& options = {}) {
  try {
    parse(text, options);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseTest, WritesBackAWholePodByteForByte) {
  std::string text = read_file(FLYBALL_SOURCE_DIR "/tests/data/pod.json");
  text.pop_back();
  ASSERT_GT(text.size(), 10'000U);
  EXPECT_EQ(write(parse(text)), text);
}

TEST(ParseTest, HoldsAPodInFewerBytesThanItsText) {
  const std::string text = read_file(FLYBALL_SOURCE_DIR "/tests/data/pod.json");
  EXPECT_LT(parse(text).memory(), text.size());
}

TEST(ParseTest, GivesAValueToReadWithoutChecksOnTheWay) {
  // [snippet: json-parse]
  const json::Value pod = json::parse(R"({
    "metadata": {"name": "web-0", "labels": {"app": "web"}},
    "spec": {"containers": [{"name": "web", "image": "nginx:1.27", "ports": [{"containerPort": 80}]}]}
  })");

  const std::string_view name = pod["metadata"]["name"].as_string();
  const json::View port = pod["spec"]["containers"][0]["ports"][0]["containerPort"];
  for (const auto [key, value] : pod["metadata"]["labels"].entries()) EXPECT_EQ(value.as_string(), "web") << key;
  for (const json::View container : pod["spec"]["containers"].items()) EXPECT_EQ(container["name"].as_string(), "web");

  EXPECT_FALSE(pod["status"]["phase"].exists());  // absent all the way: no check, no exception
  EXPECT_EQ(pod["status"]["phase"].string_or("Pending"), "Pending");
  // [end]
  EXPECT_EQ(name, "web-0");
  EXPECT_EQ(port.as_int(), 80);
}

TEST(ParseTest, AnErrorCarriesItsParts) {
  // [snippet: json-errors]
  try {
    json::parse("{\n  \"spec\": {\"replicas\": 3,}\n}");
    FAIL();
  } catch (const json::ParseError& error) {
    EXPECT_STREQ(error.what(), "line 2, column 26: spec: expected a member after ',', found '}'; remove the comma");
    EXPECT_EQ(error.position().line, 2U);
    EXPECT_EQ(error.path(), "spec");
  }
  // [end]
}

TEST(ParseTest, NamesLineColumnAndPathOfAMistake) {
  EXPECT_EQ(error_of("{\n  \"spec\": {\"ports\": [80, x]}\n}"),
            "line 2, column 26: spec.ports[1]: expected a value, found 'x'");
}

TEST(ParseTest, RefusesAMemberThatStandsTwice) {
  EXPECT_EQ(error_of(R"({"a": {"b": 1, "b": 2}})"), "line 1, column 16: a.b: the member \"b\" stands twice");
}

TEST(ParseTest, FindsARepeatAmongManyMembers) {
  std::string text = "{";
  for (int i = 0; i < 500; ++i) text += "\"member" + std::to_string(i) + "\":0,";
  EXPECT_EQ(parse(text + "\"last\":1}").size(), 501U);
  EXPECT_NE(error_of(text + "\"member7\":1}").find("the member \"member7\" stands twice"), std::string::npos);
}

TEST(ParseTest, LastWinsKeepsTheLastValueAndReportsTheRepeat) {
  std::vector<InputError> reports;
  const Value value =
      parse(R"({"a":1,"b":{"c":1,"c":[2]},"a":3})", {.duplicates = Duplicates::last_wins, .reports = &reports});
  EXPECT_EQ(write(value), R"({"a":3,"b":{"c":[2]}})");
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].path(), "b.c");
  EXPECT_EQ(reports[1].path(), "a");
}

TEST(ParseTest, StopsAtTheDepthAndSizeLimits) {
  EXPECT_EQ(parse("[[[]]]", {.limits = {.depth = 3}}).size(), 1U);
  EXPECT_EQ(error_of("[[[]]]", {.limits = {.depth = 2}}),
            "line 1, column 3: [0][0]: nested deeper than the 2 levels allowed");
  EXPECT_EQ(error_of("[1,2,3]", {.limits = {.size = 6}}), "the text has 7 bytes, more than the 6 allowed");
}

}  // namespace
}  // namespace flyball::json
