// Everything a description can say, in one resource: its definition, byte for byte, and its way through the codec.
// tests/kube/gadget asks the real kube-apiserver what it thinks of it.
#include <set>

#include <gtest/gtest.h>

#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/detail/gadget_for_test.hpp"
#include "flyball/kube/equality.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::kube {
namespace {

using gadget_example::Gadget;
using gadget_example::GadgetSpec;
using gadget_example::OldGadget;

struct Used {
  std::set<const reflect::Type*> types;
  std::set<reflect::AttributeKind> attributes;
  std::set<reflect::Shape> shapes;

  void visit(const reflect::Type& type) {
    if (!types.insert(&type).second) return;
    shapes.insert(type.shape);
    for (const reflect::Attribute& attribute : type.attributes) attributes.insert(attribute.kind);
    if (type.element != nullptr) visit(type.element());
    for (const reflect::Field& field : type.fields) visit(field.type());
    for (const reflect::TypeRef alternative : type.alternatives) visit(alternative());
  }
};

TEST(GadgetTest, UsesEveryAttributeAndEveryShape) {
  Used used;
  used.visit(reflect::type_of<Gadget>());
  for (int i = 0; i <= static_cast<int>(reflect::AttributeKind::schemaless); ++i) {
    EXPECT_TRUE(used.attributes.contains(static_cast<reflect::AttributeKind>(i))) << "attribute " << i;
  }
  for (int i = 0; i <= static_cast<int>(reflect::Shape::wrapped); ++i) {
    EXPECT_TRUE(used.shapes.contains(static_cast<reflect::Shape>(i))) << "shape " << i;
  }
}

TEST(GadgetTest, ItsDefinitionIsTheGoldenOne) {
  const std::string definition = json::write_yaml(crd<Gadget, OldGadget>());
  EXPECT_EQ(definition, json::read_file_for_test("gadget_crd.yaml"))
      << "If this is what it should be now, put it there:\n"
      << definition;
}

// tests/data/gadget_defaulted.json is what the real server made of the same object.
TEST(GadgetTest, TheStructFillsInWhatTheServerFillsIn) {
  auto spec = reflect::decode<GadgetSpec>(R"({"name":"a","hosts":["x"]})", {.strict = true});
  const json::Value from_server = json::parse(json::read_file_for_test("gadget_defaulted.json"));
  EXPECT_EQ(spec.setting, "");
  spec.setting = "auto";  // the one default that only the server knows
  EXPECT_EQ(json::parse(reflect::encode(spec)), from_server);
  const auto again = reflect::decode<GadgetSpec>(json::write(from_server), {.strict = true});
  EXPECT_FALSE(difference(again, spec));
}

TEST(GadgetTest, EveryWordOfKubernetesReadsAndWrites) {
  constexpr std::string_view kText =
      R"({"name":"a","tier":"gold","endpoint":"http://x","replicas":6,"bytes":9007199254740993,"pages":4294967295,)"
      R"("ticks":18446744073709551615,"ratio":0.25,"weight":1.5,"mode":"Primary","surge":10,"note":"n","setting":"s",)"
      R"("serviceClass":"c","ports":[{"name":"p","number":1}],"hosts":["x"],"lots":[1],"labels":{"a":"b"},)"
      R"("slots":{"east":[1]},"source":{"bucket":{"name":"b"}},"paused":true,"selector":{"a":"b"},)"
      R"("reach":{"host":"h"},"scaling":{"least":1,"most":1},"grown":1,"schedule":"@hourly","memory":"1500m",)"
      R"("port":"http","window":"1h0m0.5s","since":"2026-01-01T10:00:00Z","seen":"2026-01-01T10:00:00.000001Z",)"
      R"("secret":"aHVudGVyMg==","raw":{"b":1,"a":[2.50]},"values":{"deep":[1,null]},"either":"x","known":{"debug":true},)"
      R"("template":{"apiVersion":"v1","kind":"Pod"},"legacy":[1],)"
      R"("doors":[{"containerPort":80,"protocol":"UDP"}],"password":{"name":"s","key":"k"}})";
  const auto spec = reflect::decode<GadgetSpec>(kText, {.strict = true});
  EXPECT_EQ(reflect::encode(spec), kText);
  EXPECT_EQ(spec.memory, "1.5");
  EXPECT_EQ(spec.port.as_string(), "http");
  EXPECT_EQ(spec.window.to_string(), "1h0m0.5s");
  EXPECT_EQ(spec.since, Time::parse("2026-01-01T10:00:00Z"));
  EXPECT_EQ(spec.seen->unix_micros() % 1'000'000, 1);
  EXPECT_EQ(spec.secret.str(), "hunter2");
  EXPECT_EQ(spec.raw.text(), R"({"b":1,"a":[2.50]})");
  EXPECT_EQ(std::get<gadget_example::Bucket>(spec.source).name, "b");
  EXPECT_TRUE(spec.common.paused);
  EXPECT_EQ(spec.reach->host, "h");
}

TEST(GadgetTest, AWrongWordNamesWhatWasExpected) {
  const auto told = [](std::string_view text) {
    try {
      reflect::decode<GadgetSpec>(text, {.strict = true});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(
      told(R"({"memory":"lots"})"),
      "line 1, column 11: memory: expected a quantity such as 500m or 256Mi, found \"lots\": quantities must match "
      "the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  EXPECT_EQ(told(R"({"window":"5 minutes"})"),
            "line 1, column 11: window: expected a duration such as 1m30s, found the string \"5 minutes\"");
  EXPECT_EQ(told(R"({"window":5})"),
            "line 1, column 11: window: expected a duration such as 1m30s, found the integer 5");
  EXPECT_EQ(told(R"({"since":"yesterday"})"),
            "line 1, column 10: since: expected a time such as 2026-01-02T15:04:05Z, found the string \"yesterday\"");
  EXPECT_EQ(told(R"({"seen":"2026-01-01T10:00:00Z"})"),
            "line 1, column 9: seen: expected a time such as 2026-01-02T15:04:05.000000Z, found the string "
            "\"2026-01-01T10:00:00Z\"");
  EXPECT_EQ(told(R"({"port":1.5})"), "line 1, column 9: port: expected a 32-bit integer or a string, found 1.5");
  EXPECT_EQ(told(R"({"secret":"%"})"), "line 1, column 11: secret: expected base64 text");
}

}  // namespace
}  // namespace flyball::kube
