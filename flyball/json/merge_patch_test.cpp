#include "flyball/json/merge_patch.hpp"

#include <gtest/gtest.h>

#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

TEST(MergePatchTest, DoesWhatTheTableOfTheRfcSays) {
  const Value table = parse(read_file_for_test("merge_patch.json"));
  for (View row : table.items()) {
    EXPECT_EQ(write(merge_patch(row["doc"], row["patch"]), {.sort_keys = true}),
              write(row["expected"], {.sort_keys = true}))
        << write(row);
    const View kubernetes = row["kubernetes"].exists() ? row["kubernetes"] : row["expected"];
    EXPECT_EQ(merge_patch(row["doc"], row["patch"], {.drop_nulls_in_arrays = true}), kubernetes) << write(row);
  }
  EXPECT_GE(table.size(), 16U);
}

TEST(MergePatchTest, KeepsTheOrderAndPutsNewMembersLast) {
  EXPECT_EQ(write(merge_patch(parse(R"({"c":1,"b":{"x":1},"a":3})"), parse(R"({"n":0,"b":{"y":2},"c":4})"))),
            R"({"c":4,"b":{"x":1,"y":2},"a":3,"n":0})");
}

std::string patch_between(const char* from, const char* to, const MergeOptions& options = {}) {
  const auto patch = create_merge_patch(parse(from), parse(to), options);
  return patch ? write(*patch) : "none";
}

TEST(MergePatchTest, CreatesThePatchThatSaysWhatChanged) {
  // [snippet: merge_patch]
  const Value before = parse(R"({"metadata": {"labels": {"app": "web", "old": "x"}}, "spec": {"replicas": 1}})");
  const Value after = parse(R"({"metadata": {"labels": {"app": "web"}}, "spec": {"replicas": 3}})");
  const auto patch = create_merge_patch(before, after);
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(write(*patch), R"({"metadata":{"labels":{"old":null}},"spec":{"replicas":3}})");
  EXPECT_EQ(merge_patch(before, *patch), after);
  // [end]
  EXPECT_EQ(patch_between(R"({"a":1})", R"({"a":1.0})"), "{}");
  EXPECT_EQ(patch_between(R"({"a":[1]})", R"({"a":[1,2]})"), R"({"a":[1,2]})");
  EXPECT_EQ(patch_between(R"({"a":{"b":1}})", R"({"a":{}})"), R"({"a":{"b":null}})");
  EXPECT_EQ(patch_between(R"({"a":1})", R"({"a":{}})"), R"({"a":{}})");
  EXPECT_EQ(patch_between(R"([1])", R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(patch_between(R"({"a":1})", "null"), "null");
}

TEST(MergePatchTest, SaysWhenNoPatchCanExpressTheChange) {
  EXPECT_EQ(patch_between(R"({"a":1})", R"({"a":null})"), "none");
  EXPECT_EQ(patch_between("{}", R"({"a":null})"), "none");
  EXPECT_EQ(patch_between("{}", R"({"a":{"b":{"c":null}}})"), "none");
  EXPECT_EQ(patch_between("1", R"({"a":null})"), "none");
  EXPECT_EQ(patch_between(R"({"a":null})", R"({"a":null,"b":1})"), R"({"b":1})") << "a null that stays is no change";
  EXPECT_EQ(patch_between("{}", R"({"a":[null,{"b":null}]})"), R"({"a":[null,{"b":null}]})") << "arrays are values";
  EXPECT_EQ(patch_between("{}", R"({"a":[{"b":null}]})", {.drop_nulls_in_arrays = true}), "none");
  EXPECT_EQ(patch_between("{}", R"({"a":[null]})", {.drop_nulls_in_arrays = true}), R"({"a":[null]})");
}

}  // namespace
}  // namespace flyball::json
