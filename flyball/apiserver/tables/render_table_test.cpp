// The texts are what kube-apiserver v1.36.3 answered to the same objects, without the descriptions of the columns.
#include "flyball/apiserver/tables/render_table.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/api_error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {
namespace {

const std::string kColumns = R"([{"name":"Name","type":"string","format":"name","description":"","priority":0},)"
                             R"({"name":"Data","type":"string","format":"","description":"","priority":0},)"
                             R"({"name":"Age","type":"string","format":"","description":"","priority":0}])";

std::string metadata(const std::string& name, int version) {
  return R"({"name":")" + name + R"(","namespace":"default","uid":"u","resourceVersion":")" + std::to_string(version) +
         R"(","creationTimestamp":"2026-11-16T05:23:02Z"})";
}

json::Value config_map(const std::string& name, int version) {
  return json::parse(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":)" + metadata(name, version) + "}");
}

TableOptions printed(IncludeObject include) {
  return {.include = include, .now = kube::Time::parse("2026-11-16T05:23:02Z").as<WallTime>()};
}

const KindTable& config_maps() { return find_table("", "v1", "ConfigMap"); }

std::string table_text(const std::string& meta, const std::string& columns, const std::string& rows) {
  return R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":)" + meta + R"(,"columnDefinitions":)" + columns +
         R"(,"rows":)" + rows + "}";
}

TEST(RenderTable, OfOneObjectCarriesItsMetadata) {
  const json::Value table = render_table(config_maps(), config_map("c0", 371), printed(IncludeObject::metadata));
  EXPECT_EQ(json::write(table), table_text(R"({"resourceVersion":"371"})", kColumns,
                                           R"([{"cells":["c0",0,"0s"],"object":{"kind":"PartialObjectMetadata",)"
                                           R"("apiVersion":"meta.k8s.io/v1","metadata":)" +
                                               metadata("c0", 371) + "}}]"));
}

TEST(RenderTable, CarriesNothingWhenNothingIsAskedFor) {
  const json::Value table = render_table(config_maps(), config_map("c0", 371), printed(IncludeObject::none));
  EXPECT_EQ(json::write(table),
            table_text(R"({"resourceVersion":"371"})", kColumns, R"([{"cells":["c0",0,"0s"],"object":null}])"));
}

TEST(RenderTable, CarriesTheWholeObject) {
  const json::Value object = config_map("c0", 371);
  const json::Value table = render_table(config_maps(), object, printed(IncludeObject::object));
  EXPECT_EQ(json::write(table["rows"][0]["object"]), json::write(object));
}

TEST(RenderTable, OfTheOldVersionSaysSoInRowsToo) {
  TableOptions options = printed(IncludeObject::metadata);
  options.version = "v1beta1";
  const json::Value table = render_table(config_maps(), config_map("c0", 371), options);
  EXPECT_EQ(table["apiVersion"].as_string(), "meta.k8s.io/v1beta1");
  EXPECT_EQ(table["rows"][0]["object"]["apiVersion"].as_string(), "meta.k8s.io/v1beta1");
}

TEST(RenderTable, OfAListHasTheMetadataOfTheList) {
  const std::vector<json::Value> page = {config_map("c0", 371), config_map("c1", 372)};
  const TableMeta meta{.resourceVersion = "373", .continue_ = "more", .remainingItemCount = 2};
  const json::Value table = render_table(config_maps(), page, meta, printed(IncludeObject::none));
  EXPECT_EQ(json::write(table),
            table_text(R"({"resourceVersion":"373","continue":"more","remainingItemCount":2})", kColumns,
                       R"([{"cells":["c0",0,"0s"],"object":null},{"cells":["c1",0,"0s"],"object":null}])"));
}

TEST(RenderTable, OfAnEmptyListHasNoRows) {
  const TableMeta meta{.resourceVersion = "373"};
  const json::Value own = render_table(config_maps(), {}, meta, printed(IncludeObject::none));
  EXPECT_EQ(json::write(own["rows"]), "[]");
  const json::Value plain = render_table(plain_table(), {}, meta, printed(IncludeObject::none));
  EXPECT_EQ(json::write(plain["rows"]), "null");
}

TEST(RenderTable, LaterEventsOfAWatchTellNoColumns) {
  TableOptions options = printed(IncludeObject::none);
  options.headers = false;
  EXPECT_EQ(json::write(render_table(config_maps(), config_map("c1", 372), options)),
            table_text(R"({"resourceVersion":"372"})", "null", R"([{"cells":["c1",0,"0s"],"object":null}])"));
}

TEST(RenderTable, TheBookmarkThatEndsTheInitialEventsKeepsItsMetadata) {
  TableOptions options = printed(IncludeObject::none);
  options.headers = false;
  const std::string meta = R"({"resourceVersion":"373","annotations":{"k8s.io/initial-events-end":"true"}})";
  const json::Value bookmark = json::parse(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":)" + meta + "}");
  EXPECT_EQ(json::write(render_table(config_maps(), bookmark, options)),
            table_text(R"({"resourceVersion":"373"})", "null",
                       R"([{"cells":["",0,"\u003cunknown\u003e"],"object":{"kind":"PartialObjectMetadata",)"
                       R"("apiVersion":"meta.k8s.io/v1","metadata":)" +
                           meta + "}}]"));
}

TEST(RenderTable, APodThatIsDoneSaysSo) {
  const json::Value pod = json::parse(R"({"metadata":{"name":"p"},"status":{"phase":"Failed"}})");
  const json::Value table = render_table(find_table("", "v1", "Pod"), pod, printed(IncludeObject::none));
  EXPECT_EQ(json::write(table["rows"][0]["conditions"]),
            R"([{"type":"Completed","status":"True","reason":"Failed","message":"The pod failed."}])");
}

TEST(RenderTable, FlowSchemasAreListedInTheOrderTheyCount) {
  const auto schema = [](const std::string& name, int precedence) {
    return json::parse(R"({"metadata":{"name":")" + name + R"("},"spec":{"matchingPrecedence":)" +
                       std::to_string(precedence) + "}}");
  };
  const std::vector<json::Value> stored = {schema("a", 900), schema("c", 10), schema("b", 10)};
  const KindTable& kind = find_table("flowcontrol.apiserver.k8s.io", "v1", "FlowSchema");
  const json::Value table = render_table(kind, stored, {}, printed(IncludeObject::none));
  std::string order;
  for (const json::View row : table["rows"].items()) order += row["cells"][0].as_string();
  EXPECT_EQ(order, "bca");
}

TEST(RenderTable, TakesColumnsOfAnybody) {
  struct Sizes final : KindTable {
    std::span<const TableColumn> columns() const override { return columns_; }
    json::Value cells(json::View object, WallTime) const override { return json::array({object["size"].as_int()}); }
    std::array<TableColumn, 1> columns_ = {
        TableColumn{.name = "Size", .type = "integer", .format = "int32", .priority = 2, .description = "How many."}};
  };
  const json::Value table = render_table(Sizes(), json::parse(R"({"size":3})"), printed(IncludeObject::none));
  EXPECT_EQ(
      json::write(table),
      table_text("{}", R"([{"name":"Size","type":"integer","format":"int32","description":"How many.","priority":2}])",
                 R"([{"cells":[3],"object":null}])"));
}

TEST(IncludeObjectWord, IsOneOfThree) {
  EXPECT_EQ(include_object(""), IncludeObject::metadata);
  EXPECT_EQ(include_object("Metadata"), IncludeObject::metadata);
  EXPECT_EQ(include_object("Object"), IncludeObject::object);
  EXPECT_EQ(include_object("None"), IncludeObject::none);
  try {
    include_object("Bad");
    FAIL() << "taken";
  } catch (const ApiError& error) {
    EXPECT_TRUE(error.is_bad_request());
    EXPECT_EQ(error.message(),
              "Unable to convert to Table as requested: includeObject: Invalid value: \"Bad\": must be 'Metadata', "
              "'Object', 'None', or empty");
  }
}

}  // namespace
}  // namespace flyball::apiserver
