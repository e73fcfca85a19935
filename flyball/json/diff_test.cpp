#include "flyball/json/diff.hpp"

#include <gtest/gtest.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

std::string changes_between(const char* from, const char* to) {
  const Value a = parse(from);
  const Value b = parse(to);
  const auto changes = diff(a, b);
  EXPECT_EQ(apply_patch(a, to_json_patch(changes), {.rules = PatchRules::rfc6902}), b);
  return print(changes);
}

TEST(DiffTest, ListsWhatChangedForPeopleAndAsAPatch) {
  // [snippet: diff]
  const Value before =
      parse(R"({"metadata": {"labels": {"app": "web"}}, "spec": {"replicas": 1, "args": ["a", "b"]}})");
  const Value after = parse(R"({"metadata": {}, "spec": {"replicas": 3, "args": ["a", "x", "b"], "paused": true}})");
  const auto changes = diff(before, after);
  EXPECT_EQ(print(changes),
            "metadata.labels: removed {\"app\":\"web\"}\n"
            "spec.replicas: 1 → 3\n"
            "spec.args[1]: added \"x\"\n"
            "spec.paused: added true\n");
  EXPECT_EQ(apply_patch(before, to_json_patch(changes)), after);
  // [end]
  EXPECT_EQ(write(to_json_patch(changes)),
            R"([{"op":"remove","path":"/metadata/labels"},{"op":"replace","path":"/spec/replicas","value":3},)"
            R"({"op":"add","path":"/spec/args/1","value":"x"},{"op":"add","path":"/spec/paused","value":true}])");
}

TEST(DiffTest, EqualDocumentsHaveNoChanges) {
  EXPECT_EQ(changes_between(R"({"a":1,"b":[{"c":2}]})", R"({"b":[{"c":2.0}],"a":1})"), "");
  EXPECT_EQ(diff(View(), Value()).size(), 0U);
}

TEST(DiffTest, NamesFieldsAsPeopleWriteThem) {
  EXPECT_EQ(changes_between(R"({"annotations":{"example.com/a":"<1>"}})", R"({"annotations":{"example.com/a":"<2>"}})"),
            "annotations[\"example.com/a\"]: \"<1>\" → \"<2>\"\n");
  EXPECT_EQ(changes_between(R"({"ports":{"80":1}})", R"({"ports":{"80":2}})"), "ports.80: 1 → 2\n");
  EXPECT_EQ(changes_between("1", "[]"), "the document: 1 → []\n");
  EXPECT_EQ(changes_between(R"({"a":null})", R"({"a":{}})"), "a: null → {}\n");
}

TEST(DiffTest, CutsLongValuesBetweenCharacters) {
  std::string text(98, 'x');
  const Value from = object({{"a", text + "éé"}});
  EXPECT_EQ(print(diff(from, object())), "a: removed \"" + text + "…\n");
}

TEST(DiffTest, KeepsTheElementsThatStayed) {
  EXPECT_EQ(changes_between("[1,2,3,4]", "[2,3,4,5]"), "[0]: removed 1\n[3]: added 5\n");
  EXPECT_EQ(changes_between("[1,2,3]", "[1,9,2,8,3]"), "[1]: added 9\n[3]: added 8\n");
  EXPECT_EQ(changes_between("[1,2,3,4,5]", "[1,3,5]"), "[1]: removed 2\n[2]: removed 4\n");
  EXPECT_EQ(changes_between(R"([{"n":"a","v":1},{"n":"b"}])", R"([{"n":"new"},{"n":"a","v":2},{"n":"b"}])"),
            "[0].n: \"a\" → \"new\"\n[0].v: removed 1\n[1]: added {\"n\":\"a\",\"v\":2}\n");
  EXPECT_EQ(changes_between(R"([{"n":"a","v":1},{"n":"b"}])", R"([{"n":"a","v":2},{"n":"b"}])"), "[0].v: 1 → 2\n");
}

TEST(DiffTest, LongArraysAreComparedPairByPair) {
  Builder from;
  Builder to;
  from.begin_array();
  to.begin_array();
  for (int i = 0; i < 1000; ++i) {
    from.integer(i);
    to.integer(-i - 1);
  }
  const Value a = from.end().finish();
  const Value b = to.end().finish();
  const auto changes = diff(a, b);
  EXPECT_EQ(changes.size(), 1000U);
  EXPECT_EQ(apply_patch(a, to_json_patch(changes)), b);
}

}  // namespace
}  // namespace flyball::json
