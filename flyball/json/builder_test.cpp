#include "flyball/json/builder.hpp"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

TEST(BuilderTest, MakesAValuePartByPart) {
  // [snippet: json-builder]
  json::Builder b;
  b.begin_object();
  b.key("name").string("web");
  b.key("ports").begin_array().integer(80).integer(443).end();
  b.end();
  const json::Value value = b.finish();
  // [end]
  EXPECT_EQ(write(value), R"({"name":"web","ports":[80,443]})");
}

TEST(BuilderTest, TakesEveryKind) {
  Builder b;
  b.begin_array().null().boolean(true).boolean(false).integer(-129).number(0.5).string("s").value(View());
  b.value(object({{"a", array({1})}})).begin_object().end().begin_array().end();
  EXPECT_EQ(write(b.end().finish()), R"([null,true,false,-129,0.5,"s",null,{"a":[1]},{},[]])");
}

TEST(BuilderTest, IsEmptyAndUsableAgainAfterFinish) {
  Builder b(1000);
  EXPECT_EQ(write(b.integer(1).finish()), "1");
  EXPECT_EQ(b.depth(), 0U);
  EXPECT_EQ(write(b.begin_array().integer(2).end().finish()), "[2]");
}

TEST(BuilderTest, AnUnfinishedBuilderFreesWhatItHeld) {
  Builder b;  // AddressSanitizer watches
  b.begin_array().string(std::string(10000, 'x'));
  EXPECT_EQ(b.depth(), 1U);
}

TEST(BuilderTest, AStringOfUnknownLengthFitsAtEveryBoundary) {
  for (const std::size_t limit : {0U, 1U, 127U, 128U, 129U, 300U, 70000U}) {
    for (const std::size_t length : {0U, 1U, 126U, 127U, 128U, 129U, 300U, 70000U}) {
      if (length > limit) continue;
      Builder b;
      b.begin_array().integer(7);
      const std::string text(length, 't');
      std::memcpy(b.begin_string(limit), text.data(), length);
      b.end_string(length);
      const Value value = b.integer(8).end().finish();
      EXPECT_EQ(value[1].as_string(), text) << limit << ' ' << length;
      EXPECT_EQ(value[2].as_int(), 8) << limit << ' ' << length;
      EXPECT_EQ(value, array({7, text, 8})) << limit << ' ' << length;
    }
  }
}

TEST(BuilderTest, NestedContainersThatShrinkKeepWhatFollows) {
  // Every container starts with the long header and moves its contents when the short one will do.
  Builder b;
  b.begin_object();
  b.key("deep").begin_array().begin_array().begin_object().key("k").begin_array().integer(1).end().end().end().end();
  b.key("long").begin_array().string(std::string(300, 'l')).begin_array().integer(2).end().end();
  b.key("after").integer(3);
  const Value value = b.end().finish();
  EXPECT_EQ(write(value), R"({"deep":[[{"k":[1]}]],"long":[")" + std::string(300, 'l') + R"(",[2]],"after":3})");
}

TEST(BuilderTest, AKeyGivenTwiceStaysInTwice) {
  const Value value = Builder().begin_object().key("a").integer(1).key("a").integer(2).end().finish();
  EXPECT_EQ(value.size(), 2U);
  EXPECT_EQ(value["a"].as_int(), 1);
}

}  // namespace
}  // namespace flyball::json
