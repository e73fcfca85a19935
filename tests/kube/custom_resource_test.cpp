// Kinds of our own: the definition that Flyball makes, and objects of it.
#include <fstream>
#include <sstream>

#include "kube_test.hpp"

#include "flyball/client/subresources.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/apiextensions/v1.hpp"
#include "flyball/kube/conditions.hpp"
#include "flyball/kube/crd.hpp"

namespace flyball::kubetest {

struct SailSpec {
  std::int32_t area = 10;
  std::string colour = "white";
  std::optional<std::string> maker = {};
  std::int32_t replicas = 1;
};
FLYBALL_DESCRIBE(SailSpec,
                 (self, "What is wanted.",
                  rule("self.area < 100 || self.colour == 'red'", {.message = "large sails are red"})),
                 (area, "In square metres.", minimum(1), maximum(200)),
                 (colour, "Of the cloth.", allowed("white", "red")), (maker, "Who made it.", max_length(20)),
                 (replicas, "How many."))
struct SailStatus {
  std::int32_t replicas = 0;
  Conditions conditions;
};
FLYBALL_DESCRIBE(SailStatus, (replicas, "How many there are."), (conditions, "Where it stands."))

using Sail = CustomResource<"boats.example.com", "v1", "Sail", SailSpec, SailStatus>;
FLYBALL_RESOURCE(Sail, {.shortNames = {"sl"}, .scale = {{}}, .selectableFields = {".spec.colour"}})

// The same in a later version: a field that today's program does not know.
struct LaterSailSpec {
  std::int32_t area = 10;
  std::string colour = "white";
  std::optional<std::string> maker = {};
  std::int32_t replicas = 1;
  std::optional<std::string> material = {};
};
FLYBALL_DESCRIBE(LaterSailSpec, (area, "In square metres."), (colour, "Of the cloth."), (maker, "Who made it."),
                 (replicas, "How many."), (material, "What it is made of."))
using LaterSail = CustomResource<"ships.example.com", "v1", "Sail", LaterSailSpec>;
struct ShortSailSpec {
  std::int32_t area = 10;
};
FLYBALL_DESCRIBE(ShortSailSpec, (area, "In square metres."))
using ShortSail = CustomResource<"ships.example.com", "v1", "Sail", ShortSailSpec>;

namespace {

namespace extensions = kube::apiextensions::v1;

struct Custom : KubeTest {
  Custom() { install(kube::crd<Sail>()); }

  void install(const json::Value& definition) const {
    const auto definitions = client.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"});
    definitions.apply(definition, {.force = true});
    const std::string name(definition["metadata"]["name"].as_string());
    eventually(name + " is established", [&] {
      const auto now = client.get<extensions::CustomResourceDefinition>({.name = name});
      for (const auto& condition : now.status.conditions) {
        if (condition.type == "Established" && condition.status == "True") return true;
      }
      return false;
    });
    const json::View spec = definition["spec"];
    const kube::GroupVersionKind kind{std::string(spec["group"].as_string()),
                                      std::string(spec["versions"][0]["name"].as_string()),
                                      std::string(spec["names"]["kind"].as_string())};
    eventually(name + " is told by discovery", [&] {
      try {
        return client.mapper().resource(kind, soon()).kind == kind;
      } catch (const ApiError& error) {
        return !error.is_not_found();
      }
    });
  }
  static Sail sail(std::string name) { return {.metadata = {.name = std::move(name)}, .spec = {.area = 20}}; }
};

TEST_F(Custom, TheDefinitionIsStructuralAndKeptAsItIs) {
  const auto now = client.get<extensions::CustomResourceDefinition>({.name = "sails.boats.example.com"});
  for (const auto& condition : now.status.conditions)
    EXPECT_NE(condition.type, "NonStructuralSchema") << condition.message;
  EXPECT_THAT(now.spec.names.shortNames, ElementsAre("sl"));
}

TEST_F(Custom, AnObjectComesBackAsItWas) {
  auto made = client.create(sail("main"));
  EXPECT_EQ(made.spec.area, 20);
  EXPECT_EQ(client.get<Sail>({.name = "main"}).metadata, made.metadata);
  EXPECT_THAT(names_of(client.list<Sail>({.namespace_ = ns})), ElementsAre("main"));
}

TEST_F(Custom, TheServerFillsInTheDefaultsOfTheStruct) {
  const auto sails = client.dynamic({"boats.example.com", "v1", "Sail"});
  const json::Value made = sails.create(json::object({{"apiVersion", "boats.example.com/v1"},
                                                      {"kind", "Sail"},
                                                      {"metadata", json::object({{"name", "bare"}, {"namespace", ns}})},
                                                      {"spec", json::object({})}}));
  EXPECT_EQ(made["spec"]["area"].as_int(), 10);
  EXPECT_EQ(made["spec"]["colour"].as_string(), "white");
  EXPECT_FALSE(made["spec"]["maker"].exists());
}

TEST_F(Custom, WhatTheDefinitionDoesNotKnowIsPruned) {
  const auto sails = client.dynamic({"boats.example.com", "v1", "Sail"});
  const json::Value made = sails.create(json::object({{"apiVersion", "boats.example.com/v1"},
                                                      {"kind", "Sail"},
                                                      {"metadata", json::object({{"name", "odd"}, {"namespace", ns}})},
                                                      {"spec", json::object({{"area", 7}, {"shape", "lateen"}})}}),
                                        {.validation = client::FieldValidation::ignore});
  EXPECT_FALSE(made["spec"]["shape"].exists());
}

TEST_F(Custom, StrictValidationNamesWhatItDoesNotKnow) {
  const auto sails = client.dynamic({"boats.example.com", "v1", "Sail"});
  const auto error = refusal([&] {
    sails.create(json::object({{"apiVersion", "boats.example.com/v1"},
                               {"kind", "Sail"},
                               {"metadata", json::object({{"name", "odd"}, {"namespace", ns}})},
                               {"spec", json::object({{"shape", "lateen"}})}}),
                 {.validation = client::FieldValidation::strict});
  });
  EXPECT_THAT(error.what(), HasSubstr("unknown field \"spec.shape\""));
}

TEST_F(Custom, TheSchemaIsEnforcedFieldByField) {
  auto wrong = sail("wrong");
  wrong.spec.area = 0;
  wrong.spec.colour = "green";
  const auto error = refusal([&] { client.create(wrong); });
  EXPECT_TRUE(error.is_invalid());
  std::vector<std::string> fields;
  fields.reserve(error.causes().size());
  for (const auto& cause : error.causes()) fields.push_back(cause.field);
  EXPECT_THAT(fields, AllOf(Contains("spec.area"), Contains("spec.colour")));
}

TEST_F(Custom, TheRulesAreEnforcedInTheirOwnWords) {
  auto large = sail("large");
  large.spec.area = 150;
  EXPECT_THAT(refusal([&] { client.create(large); }).what(), HasSubstr("large sails are red"));
  large.spec.colour = "red";
  EXPECT_EQ(client.create(large).spec.area, 150);
}

TEST_F(Custom, TheStatusIsKeptApart) {
  auto with_status = sail("main");
  with_status.status.replicas = 7;
  EXPECT_EQ(client.create(with_status).status.replicas, 0) << "a create says nothing of the status";
  const auto now = client.edit_status<Sail>({.name = "main"}, [](Sail& s) {
    s.status.replicas = 1;
    s.status.conditions.set("Ready", true, "Hoisted");
    s.status.conditions.stamp(kube::Time::parse("2026-01-01T00:00:00Z"), 1);
  });
  EXPECT_EQ(now.status.replicas, 1);
  EXPECT_TRUE(client.get<Sail>({.name = "main"}).status.conditions.is_true("Ready"));
  EXPECT_EQ(now.metadata.generation, 1);
}

TEST_F(Custom, ItScales) {
  client.create(sail("main"));
  EXPECT_EQ(client::scale<Sail>(client, {.name = "main"}, 4).spec.replicas, 4);
  EXPECT_EQ(client.get<Sail>({.name = "main"}).spec.replicas, 4);
}

TEST_F(Custom, ItsSelectableFieldsSelect) {
  client.create(sail("white"));
  auto red = sail("red");
  red.spec.colour = "red";
  client.create(red);
  EXPECT_THAT(names_of(client.list<Sail>({.namespace_ = ns, .fields = kube::FieldSelector::parse("spec.colour=red")})),
              ElementsAre("red"));
}

TEST_F(Custom, ApplyKnowsItsOwners) {
  client.apply(sail("main"), {.field_manager = "alpha"});
  auto other = sail("main");
  other.spec.area = 30;
  EXPECT_TRUE(refusal([&] { client.apply(other, {.field_manager = "beta"}); }).is_conflict());
  EXPECT_EQ(client.apply(other, {.force = true, .field_manager = "beta"}).spec.area, 30);
}

TEST_F(Custom, AStrategicPatchIsForBuiltInKindsOnly) {
  client.create(sail("main"));
  const auto error =
      refusal([&] { client.patch<Sail>({.name = "main"}, Patch::strategic(R"({"spec":{"area":5}})"_json)); });
  EXPECT_EQ(error.reason(), Reason::UnsupportedMediaType);
}

TEST_F(Custom, MergeAndJsonPatchesWork) {
  client.create(sail("main"));
  EXPECT_EQ(client.patch<Sail>({.name = "main"}, Patch::merge(R"({"spec":{"area":5}})"_json)).spec.area, 5);
  EXPECT_EQ(
      client.patch<Sail>({.name = "main"}, Patch::json(R"([{"op":"replace","path":"/spec/area","value":6}])"_json))
          .spec.area,
      6);
}

TEST_F(Custom, ItsMetadataAloneComesToo) {
  client.create(sail("main"));
  EXPECT_EQ(client.metadata<Sail>().get({.name = "main"}).metadata.name, "main");
  EXPECT_THAT(names_of(client.metadata<Sail>().list({.namespace_ = ns})), ElementsAre("main"));
}

TEST_F(Custom, AnUpdateKeepsFieldsThatAreNewerThanTheProgram) {
  install(kube::crd<LaterSail>());
  client.create(LaterSail{.metadata = {.name = "main"}, .spec = {.area = 5, .material = "hemp"}});
  const auto read = client.get<ShortSail>({.name = "main"});
  auto changed = read;
  changed.spec.area = 6;
  client.update(read, changed);
  const auto now = client.get<LaterSail>({.name = "main"});
  EXPECT_EQ(now.spec.area, 6);
  EXPECT_EQ(now.spec.material, "hemp");
}

TEST_F(Custom, TheDefinitionWithEveryAttributeIsAcceptedAndFillsInAsItsStructDoes) {
  std::stringstream text;
  text << std::ifstream("tests/data/gadget_crd.yaml").rdbuf();
  ASSERT_FALSE(text.str().empty()) << "tests run in the repository's root";
  const json::Value definition = json::parse_yaml(text.str());
  install(definition);
  const auto now = client.get<extensions::CustomResourceDefinition>(
      {.name = std::string(definition["metadata"]["name"].as_string())});
  for (const auto& condition : now.status.conditions)
    EXPECT_NE(condition.type, "NonStructuralSchema") << condition.message;

  const auto gadgets = client.dynamic({"try.example.com", "v1", "Gadget"});
  const json::Value made = gadgets.create(json::object({{"apiVersion", "try.example.com/v1"},
                                                        {"kind", "Gadget"},
                                                        {"metadata", json::object({{"name", "g"}, {"namespace", ns}})},
                                                        {"spec", R"({"name":"a","hosts":["x"],"unknown":1})"_json}}),
                                          {.validation = client::FieldValidation::ignore});
  std::stringstream expected;
  expected << std::ifstream("tests/data/gadget_defaulted.json").rdbuf();
  EXPECT_EQ(json::write(made["spec"]), json::write(json::parse(expected.str())));
  const auto error =
      refusal([&] { gadgets.patch({.name = "g"}, Patch::merge(R"({"spec":{"replicas":4,"tier":"bronze"}})"_json)); });
  EXPECT_TRUE(error.is_invalid());
  EXPECT_THAT(error.what(),
              AllOf(HasSubstr("should be a multiple of 3"), HasSubstr("supported values: \"gold\", \"silver\"")));
}

}  // namespace
}  // namespace flyball::kubetest
