#include "flyball/json/draft.hpp"

#include <gtest/gtest.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

std::string built(Draft& draft) { return write(draft.build()); }

TEST(DraftTest, EditsByPointerAndByNode) {
  // [snippet: draft]
  const Value deployment = parse(R"({
    "metadata": {"name": "web", "managedFields": [{"manager": "kubectl"}]},
    "spec": {"template": {"spec": {"containers": [{"name": "web"}, {"name": "proxy", "imagePullPolicy": "Never"}]}}}})");

  Draft draft(deployment);
  draft.set("/spec/replicas", 3);
  draft.set("/metadata/labels/app", "web");  // makes the labels
  draft.erase("/metadata/managedFields");
  for (Draft::Node container : draft.find("/spec/template/spec/containers").elements()) {
    if (!container["imagePullPolicy"]) container.set("imagePullPolicy", "Always");
  }
  const Value edited = draft.build();
  // [end]
  EXPECT_EQ(
      write(edited),
      R"({"metadata":{"name":"web","labels":{"app":"web"}},"spec":{"template":{"spec":{"containers":)"
      R"([{"name":"web","imagePullPolicy":"Always"},{"name":"proxy","imagePullPolicy":"Never"}]}},"replicas":3}})");
  EXPECT_FALSE(deployment["spec"]["replicas"].exists());
}

TEST(DraftTest, WithoutEditsBuildsTheSameBytes) {
  const Value value = parse(R"({"b":[1,{"c":null}],"a":"x"})");
  Draft draft(value);
  draft.find("/b/1/c");
  EXPECT_EQ(built(draft), write(value));
}

TEST(DraftTest, StartsEmptyWhenThereIsNothingToEdit) {
  Draft draft;
  EXPECT_EQ(built(draft), "{}");
  draft.set("", array({1}));
  draft.set("/-", 2);
  EXPECT_EQ(built(draft), "[1,2]");
}

TEST(DraftTest, KeepsAliveWhatItWasGiven) {
  Draft draft;
  {
    const Value big = parse(R"({"part": {"deep": ["one", "two"]}})");
    draft.set("/shared", big.slice(big["part"]));
    draft.set("/copied", big["part"]["deep"]);  // a View
    draft.root().set(std::string("key made of a temporary"), std::string("text made of a temporary"));
  }
  EXPECT_EQ(built(draft), R"({"shared":{"deep":["one","two"]},"copied":["one","two"],)"
                          R"("key made of a temporary":"text made of a temporary"})");
}

TEST(DraftTest, NodesReadWhatStandsThereNow) {
  Draft draft(parse(R"({"a": {"x": 1}, "list": [1, 2]})"));
  Draft::Node a = draft.root()["a"];
  EXPECT_EQ(a.kind(), Kind::object);
  EXPECT_TRUE(a.view().is_object());
  a.set("y", 2);
  EXPECT_FALSE(a.view().exists());
  EXPECT_EQ(a.size(), 2U);
  EXPECT_EQ(a["y"].view().as_int(), 2);
  EXPECT_EQ(write(a.value()), R"({"x":1,"y":2})");
  EXPECT_TRUE(a.equals(parse(R"({"y":2,"x":1.0})")));
  EXPECT_FALSE(a.equals(parse(R"({"y":2,"x":1,"z":null})")));
  EXPECT_FALSE(a.equals(parse("[]")));
  Draft::Node list = draft.root()["list"];
  list.erase(0);
  EXPECT_TRUE(list.equals(parse("[2]")));
  EXPECT_FALSE(list.equals(parse("[3]")));
  EXPECT_EQ(list.kind(), Kind::array);
}

TEST(DraftTest, AbsentNodesLeadToAbsentNodes) {
  Draft draft(parse(R"({"a": 1, "list": []})"));
  const Draft::Node none = draft.root()["b"]["c"][0];
  EXPECT_FALSE(none.exists());
  EXPECT_EQ(none.kind(), Kind::absent);
  EXPECT_EQ(none.size(), 0U);
  EXPECT_TRUE(none.members().empty());
  EXPECT_TRUE(none.elements().empty());
  EXPECT_FALSE(none.value().exists());
  EXPECT_FALSE(draft.find("/a/b").exists());
  EXPECT_FALSE(draft.find("/list/0").exists());
  EXPECT_FALSE(draft.erase("/nowhere/at/all").exists());
  EXPECT_FALSE(draft.root().erase("b").exists());
  EXPECT_FALSE(draft.root()["list"].erase(0).exists());
  EXPECT_EQ(built(draft), R"({"a":1,"list":[]})");
}

TEST(DraftTest, KeepsTheOrderOfKeysAndPutsNewOnesLast) {
  Draft draft(parse(R"({"c": 1, "a": 2, "b": 3})"));
  draft.root().set("a", 0);
  draft.root().set("d", 4);
  draft.root().erase("c");
  draft.root().set("c", 5);
  EXPECT_EQ(built(draft), R"({"a":0,"b":3,"d":4,"c":5})");
}

TEST(DraftTest, InsertsReplacesAndErasesElements) {
  Draft draft(parse("[1, 2, 3]"));
  draft.insert("/0", 0);
  draft.insert("/4", 4);
  draft.insert("/-", 5);
  draft.set("/2", "two");
  draft.erase("/1");
  EXPECT_EQ(built(draft), R"([0,"two",3,4,5])");
}

TEST(DraftTest, MovesPartsWithoutCopyingThem) {
  Draft draft(parse(R"({"from": {"oldName": {"x": [1]}}, "to": [], "gone": 0})"));
  Draft::Node moved = draft.erase("/from/oldName");
  moved["x"].append(2);
  draft.set("/to/-", moved);
  moved["x"].append(3);  // still the same node
  draft.root()["gone"].set(draft.root()["to"].erase(0));
  EXPECT_EQ(built(draft), R"({"from":{},"to":[],"gone":{"x":[1,2,3]}})");
}

TEST(DraftTest, EditsWhilePassingOverMembers) {
  Draft draft(parse(R"({"a": null, "b": 1, "c": null})"));
  for (auto [key, node] : draft.root().members()) {
    if (node.kind() == Kind::null) draft.root().erase(key);
  }
  EXPECT_EQ(built(draft), R"({"b":1})");
}

TEST(DraftTest, MakesContainersWhereThereAreNone) {
  Draft draft(parse(R"({"null": null, "full": {"x": 1}})"));
  draft.root().ensure_object("null").set("a", 1);
  draft.root().ensure_object("full").set("y", 2);
  draft.root().ensure_array("list").append("e");
  draft.set("/deep/er/still", true);
  EXPECT_EQ(built(draft), R"({"null":{"a":1},"full":{"x":1,"y":2},"list":["e"],"deep":{"er":{"still":true}}})");
}

TEST(DraftTest, NodesSurviveTheMoveOfTheDraft) {
  Draft draft(parse(R"({"a": {}})"));
  Draft::Node a = draft.root()["a"];
  Draft other = std::move(draft);
  a.set("b", 1);
  EXPECT_EQ(built(other), R"({"a":{"b":1}})");
}

TEST(DraftTest, ReplacingAParentLeavesItsOldChildrenHarmless) {
  Draft draft(parse(R"({"a": {"b": {"c": 1}}})"));
  Draft::Node b = draft.find("/a/b");
  draft.set("/a", 5);
  b.set("c", 2);
  EXPECT_EQ(write(b.value()), R"({"c":2})");
  EXPECT_EQ(built(draft), R"({"a":5})");
}

TEST(DraftTest, LargeObjectsFindEveryKeyThroughManyEdits) {
  Draft draft;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i) draft.root().set("key" + std::to_string(i), i + round);
    for (int i = 0; i < 2000; i += 2) EXPECT_TRUE(draft.root().erase("key" + std::to_string(i)).exists());
    EXPECT_EQ(draft.root().size(), 1000U);
    EXPECT_FALSE(draft.root()["key0"].exists());
    EXPECT_EQ(draft.root()["key1999"].view().as_int(), 1999 + round);
  }
  for (int i = 1; i < 2000; i += 2) draft.root().erase("key" + std::to_string(i));
  EXPECT_EQ(built(draft), "{}");
}

TEST(DraftTest, LongArraysTakeEditsAnywhere) {
  Draft draft(array());
  std::vector<int> model;
  Draft::Node root = draft.root();
  for (int i = 0; i < 5000; ++i) {
    const auto place = static_cast<std::size_t>(i * 7919) % (model.size() + 1);
    root.insert(place, i);
    model.insert(model.begin() + static_cast<std::ptrdiff_t>(place), i);
    if (i % 3 == 0) {
      const auto gone = static_cast<std::size_t>(i * 104729) % model.size();
      root.erase(gone);
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(gone));
    }
  }
  const Value value = draft.build();
  ASSERT_EQ(value.size(), model.size());
  std::size_t i = 0;
  for (View element : value.items()) EXPECT_EQ(element.as_int(), model[i++]);
}

TEST(DraftTest, DepthDoesNotMatter) {
  constexpr int kLevels = 20'000;
  Draft draft(array());
  Draft::Node node = draft.root();
  for (int i = 1; i < kLevels; ++i) node = node.append(array());
  const Value value = draft.build();
  int levels = 0;
  for (View at = value; at.is_array(); at = at[0]) ++levels;
  EXPECT_EQ(levels, kLevels);
}

TEST(DraftTest, SaysWhyAnEditIsNotPossible) {
  const auto error_of = [](auto edit) -> std::string {
    Draft draft(parse(R"({"text": "x", "list": [1, 2]})"));
    try {
      edit(draft);
      return "no error";
    } catch (const std::exception& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of([](Draft& d) { d.set("/text/a", 1); }), R"(text.a: text is the string "x", which has no members)");
  EXPECT_EQ(error_of([](Draft& d) { d.set("/list/2", 1); }),
            R"(list[2]: list has 2 elements: there is no place "2"; to append, use "-")");
  EXPECT_EQ(error_of([](Draft& d) { d.insert("/list/3", 1); }),
            R"(list[3]: list has 2 elements: there is no place "3"; to append, use "-")");
  EXPECT_EQ(error_of([](Draft& d) { d.set("/list/x/y", 1); }), R"(list.x.y: list has 2 elements, none of them is "x")");
  EXPECT_EQ(error_of([](Draft& d) { d.erase(""); }), "the whole document cannot be erased: set it to another value");
  EXPECT_EQ(error_of([](Draft& d) { d.root()["list"].set("a", 1); }),
            "expected an object to set a member of, found an array of 2");
  EXPECT_EQ(error_of([](Draft& d) { d.root()["text"].append(1); }),
            R"(expected an array to insert into, found the string "x")");
  EXPECT_EQ(error_of([](Draft& d) { d.root()["list"].insert(3, 1); }),
            "the array has 2 elements, nothing can be inserted at 3");
}

}  // namespace
}  // namespace flyball::json
