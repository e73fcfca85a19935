#include "flyball/apiserver/merge/path.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"

namespace flyball::apiserver::merge {
namespace {

PathElement read(std::string_view text) { return path_element_from(text).value(); }

TEST(MergePath, ReadsInMessagesAsUpstreamPrintsIt) {
  const Path path = {PathElement::field("spec"), PathElement::field("containers"),
                     PathElement::key(json::object({{"name", "nginx"}})), PathElement::field("image")};
  EXPECT_EQ(to_string(path), R"(.spec.containers[name="nginx"].image)");
  EXPECT_EQ(to_string(PathElement::key(json::object({{"protocol", "TCP"}, {"containerPort", 80}}))),
            R"([containerPort=80,protocol="TCP"])");
  EXPECT_EQ(to_string(PathElement::value("a\"\n\x01ü")), R"([="a\"\n\x01ü"])");
  EXPECT_EQ(to_string(PathElement::value(true)), "[=true]");
  EXPECT_EQ(to_string(PathElement::index(3)), "[3]");
}

TEST(MergePath, PrintsNumbersThatWereReadAsGoPrintsItsFloats) {
  EXPECT_EQ(to_string(read(R"(k:{"port":8080})")), "[port=8080]");
  EXPECT_EQ(to_string(read(R"(k:{"port":999999})")), "[port=999999]");
  EXPECT_EQ(to_string(read(R"(k:{"port":1000000})")), "[port=1e+06]");
  EXPECT_EQ(to_string(read("v:1234567")), "[=1.234567e+06]");
  EXPECT_EQ(to_string(read("v:0.0001")), "[=0.0001]");
  EXPECT_EQ(to_string(read("v:0.00001")), "[=1e-05]");
  EXPECT_EQ(to_string(read("v:0")), "[=0]");
  EXPECT_EQ(to_string(PathElement::value(1234567)), "[=1234567]");
}

TEST(MergePath, IsWrittenIntoFieldsAsUpstreamWritesIt) {
  for (const char* text :
       {"f:spec", "f:a/b.c", "f:", R"(k:{"name":"x","port":80})", R"(v:"a")", "v:1.5", "v:null", "i:7"}) {
    EXPECT_EQ(to_text(read(text)), text);
  }
  EXPECT_EQ(to_text(read(R"(k:{"b":1,"a":"<"})")), R"(k:{"a":"\u003c","b":1})");
}

TEST(MergePath, RefusesWhatIsNoStepAndPassesOverThoseOfALaterVersion) {
  EXPECT_FALSE(path_element_from("x:whatever").has_value());
  for (const char* text : {"", "f", "spec", "k:", "k:[1]", "k:{", "v:", "v:{a}", "i:", "i:1x", "i:1.5"}) {
    EXPECT_THROW(path_element_from(text), FieldsError) << text;
  }
}

TEST(MergePath, ComesInTheOrderNamesKeysValuesIndexes) {
  const std::vector<std::string> ordered = {"f:a",          "f:b",          R"(k:{"a":1})", R"(k:{"a":1,"b":1})",
                                            R"(k:{"a":2})", R"(k:{"b":0})", "v:-1",         "v:1.5",
                                            "v:2",          R"(v:"a")",     R"(v:"b")",     "v:false",
                                            "v:true",       "v:[]",         "v:[1]",        "v:{}",
                                            R"(v:{"a":1})", "v:null",       "i:1",          "i:2"};
  std::vector<PathElement> elements;
  for (const std::string& text : ordered) elements.push_back(read(text));
  EXPECT_TRUE(std::ranges::is_sorted(elements));
  std::ranges::reverse(elements);
  std::ranges::sort(elements);
  for (std::size_t i = 0; i < ordered.size(); ++i) EXPECT_EQ(to_text(elements[i]), ordered[i]);
  EXPECT_EQ(PathElement::value(2), read("v:2.0"));
}

}  // namespace
}  // namespace flyball::apiserver::merge
