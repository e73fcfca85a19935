// Every line of tests/data/tables/*.jsonl is a row that the real kube-apiserver printed, with its columns and the
// object it was made of; ours must be the same. tests/data/tables/record makes them anew.
#include "flyball/apiserver/tables/table.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

const std::string kFolder = FLYBALL_SOURCE_DIR "/tests/data/tables/";

std::vector<json::Value> recorded(const std::string& topic) {
  std::ifstream file(kFolder + topic + ".jsonl");
  std::vector<json::Value> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

// The moment something happens in the middle of the second it was recorded in.
WallTime printed_at(const json::Value& line) {
  return WallTime(std::chrono::seconds(line["now"].as_int()) + std::chrono::milliseconds(500));
}

const KindTable& table_for(json::View object) {
  const std::string_view version = object["apiVersion"].as_string();
  const std::size_t slash = version.find('/');
  const std::string_view group = slash == std::string_view::npos ? "" : version.substr(0, slash);
  return find_table(group, slash == std::string_view::npos ? version : version.substr(slash + 1),
                    object["kind"].as_string());
}

json::Value columns_of(const KindTable& table) {
  std::string text;
  for (const TableColumn& column : table.columns()) {
    text += text.empty() ? "[" : ",";
    text += json::write(json::array({column.name, column.type, column.format, column.priority}));
  }
  return json::parse(text + "]");
}

class PrintedTables : public testing::TestWithParam<const char*> {};

TEST_P(PrintedTables, HaveTheColumnsAndCellsOfTheRealServer) {
  const std::vector<json::Value> lines = recorded(GetParam());
  ASSERT_FALSE(lines.empty());
  for (const json::Value& line : lines) {
    const json::View object = line["object"];
    SCOPED_TRACE(std::string(object["kind"].as_string()) + " " + std::string(object["metadata"]["name"].as_string()));
    const KindTable& table = table_for(object);
    EXPECT_EQ(json::write(columns_of(table)), json::write(line["columns"]));
    EXPECT_EQ(json::write(table.cells(object, printed_at(line))), json::write(line["cells"]));
    EXPECT_TRUE(table.conditions(object) == line["conditions"]) << json::write(line["conditions"]);
  }
}

INSTANTIATE_TEST_SUITE_P(Topics, PrintedTables,
                         testing::Values("pods", "workloads", "core", "network", "storage", "access", "cluster"),
                         [](const auto& topic) { return std::string(topic.param); });

TEST(KindTables, AKindWithoutATableHasItsNameAndWhenItWasCreated) {
  const KindTable& table = find_table("example.com", "v1", "Thing");
  EXPECT_EQ(&table, &plain_table());
  EXPECT_EQ(json::write(columns_of(table)), R"([["Name","string","name",0],["Created At","date","",0]])");
  const json::Value thing = json::parse(R"({"metadata":{"name":"t","creationTimestamp":"2026-01-01T10:00:00Z"}})");
  EXPECT_EQ(json::write(table.cells(thing, WallTime())), R"(["t","2026-01-01T10:00:00Z"])");
}

TEST(KindTables, TheSameKindOfAnotherGroupIsAnotherKind) {
  EXPECT_EQ(&find_table("example.com", "v1", "Pod"), &plain_table());
  EXPECT_NE(&find_table("", "v1", "Event"), &find_table("events.k8s.io", "v1", "Event"));
}

TEST(KindTables, ABookmarkIsARowOfAnObjectThatHasNothing) {
  const json::Value empty = json::parse(R"({"metadata":{"resourceVersion":"7"}})");
  EXPECT_EQ(json::write(find_table("", "v1", "ConfigMap").cells(empty, WallTime())), R"(["",0,"\u003cunknown\u003e"])");
  EXPECT_EQ(json::write(find_table("rbac.authorization.k8s.io", "v1", "Role").cells(empty, WallTime())),
            R"(["","0001-01-01T00:00:00Z"])");
}

// What is stored has the right shape; a cell would be the wrong place to find out that it has not.
TEST(KindTables, NoObjectIsTooOddToPrint) {
  for (const char* topic : {"pods", "workloads", "core", "network", "storage", "access", "cluster"}) {
    for (const json::Value& line : recorded(topic)) {
      const KindTable& table = table_for(line["object"]);
      for (const char* odd : {"{}", "7", R"({"metadata":[],"spec":"x","status":3})",
                              R"({"metadata":{"name":5,"labels":[1],"creationTimestamp":"never"},"spec":{"ports":7,)"
                              R"("containers":[null,3],"metrics":[{}],"selector":{"matchExpressions":[{}]}},)"
                              R"("status":{"conditions":[7,{}],"containerStatuses":[null],"hard":{"cpu":"x"}}})"}) {
        EXPECT_TRUE(table.cells(json::parse(odd), WallTime()).is_array());
      }
    }
  }
}

}  // namespace
}  // namespace flyball::apiserver
