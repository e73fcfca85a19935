#include "flyball/json/patch.hpp"

#include <gtest/gtest.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/pointer.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

std::vector<PatchRules> rules_of(View row) {
  const std::string_view named = row["rules"].string_or("");
  if (named == "kubernetes") return {PatchRules::kubernetes};
  if (named == "rfc6902") return {PatchRules::rfc6902};
  return {PatchRules::kubernetes, PatchRules::rfc6902};
}

std::string error_of(View document, View patch, const PatchOptions& options = {}) {
  try {
    return "no error but " + write(apply_patch(document, patch, options));
  } catch (const PatchError& error) {
    return error.what();
  }
}

TEST(PatchTest, DoesWhatTheTableOfTheRfcAndOfKubernetesSays) {
  const Value table = parse(read_file_for_test("json_patch.json"));
  for (View row : table.items()) {
    for (const PatchRules rules : rules_of(row)) {
      if (!row["error"].exists()) {
        EXPECT_EQ(write(apply_patch(row["doc"], row["patch"], {.rules = rules}), {.sort_keys = true}),
                  write(row["expected"], {.sort_keys = true}))
            << write(row);
      } else {
        EXPECT_THROW(apply_patch(row["doc"], row["patch"], {.rules = rules}), PatchError) << write(row);
      }
    }
  }
  EXPECT_GE(table.size(), 80U);
}

TEST(PatchTest, EveryWrongPatchGetsItsMessage) {
  const Value table = parse(read_file_for_test("wrong_patches.json"));
  for (View row : table.items()) {
    EXPECT_EQ(error_of(row["doc"], row["patch"], {.rules = rules_of(row).front()}), row["error"].as_string())
        << write(row);
  }
  EXPECT_GE(table.size(), 40U);
}

TEST(PatchTest, ChangesADocumentAndLeavesTheOriginal) {
  // [snippet: patch]
  const Value deployment = parse(R"({"metadata": {"name": "web"}, "spec": {"replicas": 1}})");
  const Value patch = parse(R"([
    {"op": "test",    "path": "/spec/replicas",   "value": 1},
    {"op": "replace", "path": "/spec/replicas",   "value": 3},
    {"op": "add",     "path": "/metadata/labels", "value": {"app": "web"}}])");
  const Value edited = apply_patch(deployment, patch);
  EXPECT_EQ(write(edited), R"({"metadata":{"name":"web","labels":{"app":"web"}},"spec":{"replicas":3}})");
  // [end]
  EXPECT_EQ(deployment["spec"]["replicas"].as_int(), 1);
}

TEST(PatchTest, SaysWhichOperationFailedOnWhat) {
  // [snippet: patch_error]
  const Value deployment = parse(R"({"metadata": {"name": "web"}})");
  const Value patch = parse(R"([{"op": "add", "path": "/metadata/labels/app", "value": "web"}])");
  try {
    apply_patch(deployment, patch);
    FAIL() << "there are no labels yet";
  } catch (const PatchError& error) {
    EXPECT_STREQ(error.what(),
                 R"(patch[0]: add /metadata/labels/app: metadata has no member "labels": add that first)");
    EXPECT_EQ(error.operation(), 0U);
    EXPECT_EQ(error.pointer(), "/metadata/labels/app");
  }
  // [end]
}

TEST(PatchTest, TheLastOfTwoOpsWinsWhereTheParserLetsItThrough) {
  const Value patch = parse(R"([{"op": "add", "path": "/baz", "value": "qux", "op": "remove"}])",
                            {.duplicates = Duplicates::last_wins});
  EXPECT_EQ(error_of(parse(R"({"foo": "bar"})"), patch),
            R"(patch[0]: remove /baz: the document has no member "baz"; it has foo)");
}

TEST(PatchTest, TestComparesValuesAndNotTheirText) {
  const Value patch =
      parse(R"([{"op": "test", "path": "/a", "value": 1.0}, {"op": "test", "path": "/b", "value": "\u0041"}])");
  EXPECT_NO_THROW(apply_patch(parse(R"({"a": 1, "b": "A"})"), patch));
}

TEST(PatchTest, KeepsTheOrderOfMembers) {
  const Value patch = parse(R"([{"op": "replace", "path": "/a", "value": 0}, {"op": "add", "path": "/z", "value": 9},
                                {"op": "remove", "path": "/b"}, {"op": "add", "path": "/b", "value": 2}])");
  EXPECT_EQ(write(apply_patch(parse(R"({"c": 3, "a": 1, "b": 5})"), patch)), R"({"c":3,"a":0,"z":9,"b":2})");
}

Value repeat(std::size_t count, const char* operation) {
  const Value one = parse(operation);
  Builder patch;
  patch.begin_array();
  for (std::size_t i = 0; i < count; ++i) patch.value(one);
  return patch.end().finish();
}

TEST(PatchTest, StopsAtTheLimitOfOperations) {
  const char* operation = R"({"op": "test", "path": "/a", "value": 1})";
  const Value document = parse(R"({"a": 1})");
  EXPECT_NO_THROW(apply_patch(document, repeat(10'000, operation)));
  EXPECT_EQ(error_of(document, repeat(10'001, operation)),
            "patch: has 10001 operations, more than the 10000 allowed: split it");
  EXPECT_NO_THROW(apply_patch(document, repeat(10'001, operation), {.max_operations = 20'000}));
}

TEST(PatchTest, StopsAtTheLimitOfCopiedBytes) {
  const Value document = parse(R"({"a": ["<>"], "list": []})");
  const char* operation = R"({"op": "copy", "from": "/a", "path": "/list/-"})";
  // Each copy counts the 16 bytes of ["\u003c\u003e"].
  EXPECT_NO_THROW(apply_patch(document, repeat(2, operation), {.max_copied_bytes = 32}));
  EXPECT_EQ(error_of(document, repeat(3, operation), {.max_copied_bytes = 32}),
            "patch[2]: copy /a to /list/-: the copies of this patch add 48 bytes, more than the 32 allowed");
  // A copy into itself doubles: 30 of them would make a gigabyte.
  EXPECT_NE(
      error_of(document, repeat(30, R"({"op": "copy", "from": "/a", "path": "/a/-"})")).find("more than the 3145728"),
      std::string::npos);
}

std::string nested(std::size_t depth) {
  std::string path;
  for (std::size_t i = 0; i < depth; ++i) path += "/a";
  return path;
}

TEST(PatchTest, RefusesToNestDeeperThanTheLimit) {
  std::string text;
  for (int i = 0; i < 998; ++i) text += R"({"a":)";
  const Value document = parse(text + R"({"b":{}})" + std::string(998, '}'));
  const auto operation = [](const char* op, const std::string& from, const std::string& path) {
    return array({object({{"op", op}, {"from", from}, {"path", path}, {"value", object()}})});
  };
  EXPECT_NO_THROW(apply_patch(document, operation("add", "", nested(998) + "/c")));
  const std::string deep = "the result would be nested deeper than the 1000 levels allowed";
  EXPECT_NE(error_of(document, operation("add", "", nested(998) + "/b/c")).find(deep), std::string::npos);
  EXPECT_NE(error_of(document, operation("copy", "/a/a", nested(998) + "/c")).find(deep), std::string::npos);
  const Value two = object({{"x", document.slice(document["a"])}, {"y", document.slice(document["a"])}});
  EXPECT_NE(error_of(two, operation("move", "/x", "/y/a/c")).find(deep), std::string::npos);
}

TEST(PatchTest, ThousandsOfLevelsDoNotOverflowTheStack) {
  Builder patch;
  patch.begin_array();
  std::string path;
  for (int i = 0; i < 3000; ++i) {
    path += "/a";
    patch.value(object({{"op", "add"}, {"path", path}, {"value", object()}}));
  }
  const Value made = apply_patch(object(), patch.end().finish(), {.max_depth = 20'000});
  EXPECT_TRUE(find(made, path).is_object());
}

}  // namespace
}  // namespace flyball::json
