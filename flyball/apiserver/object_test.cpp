#include "flyball/apiserver/object.hpp"

#include <gtest/gtest.h>

#include "flyball/apiserver/kind_resource.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver {
namespace {

Bytes stored_map() {
  const ResourcePointer maps = kind_resource("v1", "ConfigMap");
  return std::make_shared<const StoredText>(
      Object::parse(maps, R"({"metadata":{"name":"settings"},"data":{"key":"value"}})").text());
}

TEST(ObjectTest, WhatIsStoredIsItsTextAndValue) {
  const Bytes text = stored_map();
  const Object object = Object::stored(kind_resource("v1", "ConfigMap"), text);
  EXPECT_EQ(object.metadata().name, "settings");
  EXPECT_EQ(object.text(), *text);
  EXPECT_EQ(object.value(), json::parse(*text));
}

TEST(ObjectTest, WhatIsChangedAfterwardsIsSaid) {
  Object object = Object::stored(kind_resource("v1", "ConfigMap"), stored_map());
  object.value();
  ObjectMeta& metadata = object.metadata();
  metadata.labels["app"] = "web";
  EXPECT_EQ(object.value()["metadata"]["labels"]["app"].string_or(""), "web");
  metadata.labels["app"] = "shop";
  EXPECT_NE(object.text().find(R"("app":"shop")"), std::string::npos);
}

}  // namespace
}  // namespace flyball::apiserver
