#include "flyball/apiserver/schema/json_path.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

std::string found(std::string_view path) {
  const json::Value object = json::parse(R"({"a": {"b.c": 1, "list": [1, 2, 3, 4], "d": {"e": "x"}},
      "items": [{"n": "one", "v": 1, "t": true}, {"n": "two", "v": 2}, {"v": 3}]})");
  const JsonPath parsed(path);
  const auto results = parsed.find(object);
  if (!results) return "does not fit";
  std::string text;
  for (const json::View one : *results) text.append(text.empty() ? "" : " ").append(json::write(one));
  return text;
}

TEST(JsonPathTest, FollowsMembers) {
  EXPECT_EQ(found(".a.d.e"), R"("x")");
  EXPECT_EQ(found(R"(.a.b\.c)"), "1");
  EXPECT_EQ(found(R"(.a['b\.c'])"), "1");
  EXPECT_EQ(found("$.a.d['e']"), R"("x")");
  EXPECT_EQ(found(".a.nothing.here"), "");
}

TEST(JsonPathTest, TakesPartsOfLists) {
  EXPECT_EQ(found(".a.list[0]"), "1");
  EXPECT_EQ(found(".a.list[-1]"), "4");
  EXPECT_EQ(found(".a.list[1:3]"), "2 3");
  EXPECT_EQ(found(".a.list[::2]"), "1 3");
  EXPECT_EQ(found(".a.list[*]"), "1 2 3 4");
  EXPECT_EQ(found(".a.list[0,2]"), "1 3");
  EXPECT_EQ(found(".a.list[9]"), "does not fit");
  EXPECT_EQ(found(".a.d[0]"), "does not fit");
}

TEST(JsonPathTest, Filters) {
  EXPECT_EQ(found(R"(.items[?(@.n=="two")].v)"), "2");
  EXPECT_EQ(found(R"(.items[?(@.n!='two')].v)"), "1");
  EXPECT_EQ(found(".items[?(@.v>=2)].v"), "2 3");
  EXPECT_EQ(found(".items[?(@.n)].v"), "1 2");
  EXPECT_EQ(found(".items[?(@.t==true)].n"), R"("one")");
  EXPECT_EQ(found(".items[?(@.v==\"2\")].n"), "does not fit");
}

TEST(JsonPathTest, GoesThroughAllThatIsBelow) {
  EXPECT_EQ(found("..v"), "1 2 3");
  EXPECT_EQ(found(".a.d.*"), R"("x")");
}

TEST(JsonPathTest, RefusesWhatIsNoPath) {
  EXPECT_THROW(JsonPath("[0"), JsonPathError);
  EXPECT_THROW(JsonPath("[?(@.a"), JsonPathError);
  EXPECT_THROW(JsonPath("[x]"), JsonPathError);
  EXPECT_THROW(JsonPath("....a"), JsonPathError);
}

}  // namespace
}  // namespace flyball::apiserver
