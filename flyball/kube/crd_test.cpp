#include "flyball/kube/crd.hpp"

#include <gtest/gtest.h>

#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/conditions.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace crd_example {

using namespace flyball;

// [snippet: crd-memcached]
struct MemcachedSpec {
  int32_t size = 1;
  std::string image = "memcached:1.6";
};
FLYBALL_DESCRIBE(MemcachedSpec, (size, "How many memcached pods to run.", minimum(1), maximum(10)),
                 (image, "The image every pod runs."))

struct MemcachedStatus {
  std::vector<std::string> nodes;
  Conditions conditions;
};
FLYBALL_DESCRIBE(MemcachedStatus, (nodes, "Names of the pods that are ready."), (conditions, "Where the cache stands."))

using Memcached = CustomResource<"cache.example.com", "v1alpha1", "Memcached", MemcachedSpec, MemcachedStatus>;
FLYBALL_RESOURCE(Memcached, {.shortNames = {"mc"}, .columns = {{"Size", "integer", ".spec.size"}}})
// [end]

struct ProxySpec {
  int32_t replicas = 1;
};
FLYBALL_DESCRIBE(ProxySpec, (replicas, "How many."))
using Proxy = CustomResource<"net.example.com", "v1", "Proxy", ProxySpec>;
using OldProxy = CustomResource<"net.example.com", "v1beta1", "Proxy", ProxySpec>;
FLYBALL_RESOURCE(OldProxy, {.deprecated = true, .deprecationWarning = "use v1"})

struct BadSpec {
  bool on = false;
};
FLYBALL_DESCRIBE(BadSpec, (on, "On."))
using BadColumn = CustomResource<"net.example.com", "v1", "BadColumn", BadSpec>;
FLYBALL_RESOURCE(BadColumn, {.columns = {{"On", "bool", ".spec.on"}}})

struct BadKey {
  std::vector<kube::core::v1::EnvVar> env;
};
FLYBALL_DESCRIBE(BadKey, (env, "Variables.", list_type("map"), list_map_key("nam")))

struct FleetSpec {
  int32_t replicas = 1;
  std::string region = "here";
  std::map<std::string, std::string> labels;
};
FLYBALL_DESCRIBE(FleetSpec, (replicas, "How many."), (region, "Where."), (labels, "To choose by."))
struct FleetStatus {
  int32_t replicas = 0;
  std::string selector;
};
FLYBALL_DESCRIBE(FleetStatus, (replicas, "How many are there."), (selector, "Which."))
using Fleet = CustomResource<"net.example.com", "v1", "Fleet", FleetSpec, FleetStatus>;
FLYBALL_RESOURCE(
    Fleet,
    {.plural = "armada",
     .singular = "ship",
     .shortNames = {"fl", "flt"},
     .categories = {"all"},
     .clusterScoped = true,
     .scale = {{.labelSelectorPath = ".status.selector"}},
     .selectableFields = {".spec.region"},
     .conversion = {{.serviceName = "converter", .serviceNamespace = "ships", .path = "/convert", .caBundle = "Y2E="}}})

}  // namespace crd_example

namespace flyball::kube {
namespace {

using crd_example::Memcached;

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CrdTest, IsMadeFromTheStructs) {
  EXPECT_EQ(json::write_yaml(crd<Memcached>()), R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: memcacheds.cache.example.com
spec:
  group: cache.example.com
  names:
    kind: Memcached
    listKind: MemcachedList
    plural: memcacheds
    shortNames:
    - mc
    singular: memcached
  scope: Namespaced
  versions:
  - additionalPrinterColumns:
    - jsonPath: .spec.size
      name: Size
      type: integer
    - jsonPath: .metadata.creationTimestamp
      name: Age
      type: date
    name: v1alpha1
    schema:
      openAPIV3Schema:
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          spec:
            properties:
              image:
                default: memcached:1.6
                description: The image every pod runs.
                type: string
              size:
                default: 1
                description: How many memcached pods to run.
                format: int32
                maximum: 10
                minimum: 1
                type: integer
            type: object
          status:
            properties:
              conditions:
                description: Where the cache stands.
                items:
                  properties:
                    lastTransitionTime:
                      format: date-time
                      type: string
                    message:
                      type: string
                    observedGeneration:
                      format: int64
                      type: integer
                    reason:
                      type: string
                    status:
                      type: string
                    type:
                      type: string
                  required:
                  - type
                  type: object
                type: array
                x-kubernetes-list-map-keys:
                - type
                x-kubernetes-list-type: map
              nodes:
                description: Names of the pods that are ready.
                items:
                  type: string
                type: array
            type: object
        required:
        - spec
        type: object
    served: true
    storage: true
    subresources:
      status: {}
)");
}

TEST(CrdTest, ManyVersionsOfOneResource) {
  const json::Value definition = crd<crd_example::Proxy, crd_example::OldProxy>();
  EXPECT_EQ(definition["metadata"]["name"].as_string(), "proxies.net.example.com");
  const json::View versions = definition["spec"]["versions"];
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_TRUE(versions[0]["storage"].as_bool());
  EXPECT_FALSE(versions[0].contains("subresources"));
  EXPECT_FALSE(versions[1]["storage"].as_bool());
  EXPECT_EQ(versions[1]["deprecationWarning"].as_string(), "use v1");
}

TEST(CrdTest, WhatCannotBeRightIsAnErrorThatSaysSo) {
  EXPECT_EQ((error_of([] { crd<Memcached, crd_example::Proxy>(); })),
            "net.example.com/v1 Proxy and cache.example.com/v1alpha1 Memcached are not versions of one resource: group "
            "and kind must be the same");
  EXPECT_EQ((error_of([] { crd<crd_example::Proxy, crd_example::Proxy>(); })),
            "net.example.com/v1 Proxy is given twice");
  EXPECT_EQ(
      error_of([] { crd<crd_example::BadColumn>(); }),
      "net.example.com/v1 BadColumn: the column On has the type \"bool\"; expected integer, number, string, boolean "
      "or date");
  const auto told = [](ResourceOptions options) {
    return error_of([&] {
      crd({{.type = reflect::type_of<crd_example::Fleet>(), .options = std::move(options), .has_status = true}});
    });
  };
  EXPECT_EQ(
      told({.columns = {{"Size", "integer", "spec.size"}}}),
      "net.example.com/v1 Fleet: the column Size has the path \"spec.size\"; expected one that starts with a dot, "
      "such as .spec.size");
  EXPECT_EQ(
      told({.columns = {{"Size", "integer", ".spec.size"}}}),
      "net.example.com/v1 Fleet: the column Size has the path \".spec.size\", but the resource has no such field");
  EXPECT_EQ(told({.columns = {{"App", "string", ".spec.labels.app"}, {"Who", "string", ".metadata.labels.who"}}}),
            "no error");
  EXPECT_EQ(told({.scale = {{.specReplicasPath = ".status.replicas"}}}),
            "net.example.com/v1 Fleet: specReplicasPath is \".status.replicas\"; expected a path below .spec.");
  EXPECT_EQ(told({.selectableFields = {".spec.labels"}}),
            "net.example.com/v1 Fleet: the selectable field \".spec.labels\" is of the type object; expected string, "
            "integer or boolean");
  EXPECT_EQ(told({.conversion = ConversionWebhook{}}),
            "net.example.com/v1 Fleet: the conversion webhook needs either a url or a serviceName");
  EXPECT_EQ(told({.deprecationWarning = "use v2"}),
            "net.example.com/v1 Fleet: deprecationWarning is given, but deprecated is not set");
}

TEST(CrdTest, VersionsWithOneSchemaSelectTheSameFields) {
  const CrdVersion fleet = crd_version<crd_example::Fleet>();
  CrdVersion other =
      crd_version<CustomResource<"net.example.com", "v2", "Fleet", crd_example::FleetSpec, crd_example::FleetStatus>>();
  EXPECT_EQ(error_of([&] { crd({fleet, other}); }),
            "net.example.com/v2 Fleet and net.example.com/v1 Fleet have the same schema but not the same "
            "selectableFields: the API server refuses that");
  other.options.selectableFields = {".spec.region"};
  EXPECT_EQ(error_of([&] { crd({fleet, other}); }), "no error");
}

TEST(CrdTest, WhatIsSaidOfTheResourceStandsInTheDefinition) {
  const json::Value spec = json::Value(crd<crd_example::Fleet>()["spec"]);
  EXPECT_EQ(json::write(spec["names"]),
            R"({"kind":"Fleet","listKind":"FleetList","plural":"armada","singular":"ship","shortNames":["fl","flt"],)"
            R"("categories":["all"]})");
  EXPECT_EQ(spec["scope"].as_string(), "Cluster");
  EXPECT_EQ(json::write(spec["conversion"]),
            R"({"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"ships","name":"converter",)"
            R"("path":"/convert","port":443},"caBundle":"Y2E="},"conversionReviewVersions":["v1"]}})");
  const json::View version = spec["versions"][0];
  EXPECT_EQ(json::write(version["subresources"]),
            R"({"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas",)"
            R"("labelSelectorPath":".status.selector"}})");
  EXPECT_EQ(json::write(version["selectableFields"]), R"([{"jsonPath":".spec.region"}])");
}

TEST(CustomResourceTest, ItsKindSaysWhatTheDefinitionSays) {
  const reflect::KindInfo& fleet = *reflect::type_of<crd_example::Fleet>().kind;
  EXPECT_EQ(fleet.plural, "armada");
  EXPECT_EQ(fleet.singular, "ship");
  EXPECT_FALSE(fleet.namespaced);
  EXPECT_EQ(fleet.short_names.text(), "fl,flt");
  EXPECT_TRUE(fleet.categories.contains("all"));
  const reflect::KindInfo& memcached = *reflect::type_of<Memcached>().kind;
  EXPECT_EQ(memcached.plural, "memcacheds");
  EXPECT_EQ(memcached.singular, "memcached");
  EXPECT_TRUE(memcached.namespaced);
  EXPECT_EQ(memcached.short_names.text(), "mc");
}

TEST(CrdTest, AKeyThatABuiltInElementDoesNotHaveIsAnError) {
  EXPECT_EQ(error_of([] { reflect::schema<crd_example::BadKey>(); }),
            "EnvVar.nam is a list map key, but there is no such field");
}

// What controller-gen writes for the same types: without it, server-side apply would replace lists as a whole.
TEST(CrdTest, BuiltInTypesSayHowTheirFieldsAreMerged) {
  const json::Value pod = reflect::schema<core::v1::PodTemplateSpec>();
  const json::View containers = pod["properties"]["spec"]["properties"]["containers"];
  EXPECT_EQ(containers["x-kubernetes-list-type"].as_string(), "map");
  EXPECT_EQ(json::write(containers["x-kubernetes-list-map-keys"]), R"(["name"])");
  const json::View ports = containers["items"]["properties"]["ports"];
  EXPECT_EQ(json::write(ports["x-kubernetes-list-map-keys"]), R"(["containerPort","protocol"])");
  EXPECT_EQ(ports["items"]["properties"]["protocol"]["default"].as_string(), "TCP");
  EXPECT_EQ(containers["items"]["properties"]["command"]["x-kubernetes-list-type"].as_string(), "atomic");
  EXPECT_EQ(reflect::schema<core::v1::SecretKeySelector>()["x-kubernetes-map-type"].as_string(), "atomic");
  // A status requires its keys and sets no defaults.
  const json::Value status = reflect::schema<core::v1::PodTemplateSpec>({.status = true});
  const json::View in_status = status["properties"]["spec"]["properties"]["containers"]["items"];
  EXPECT_EQ(json::write(in_status["properties"]["ports"]["items"]["required"]), R"(["containerPort","protocol"])");
  EXPECT_EQ(json::write(in_status["required"]), R"(["name"])");
}

TEST(CrdTest, EveryBuiltInKindButThatOfDefinitionsHasASchema) {
  for (const reflect::TypeRef type : all_kinds()) {
    const bool defines = type().kind->kind.starts_with("CustomResourceDefinition");
    EXPECT_EQ(error_of([&] { reflect::schema(type()); }) == "no error", !defines) << type().kind->kind;
  }
}

TEST(CustomResourceTest, EncodesWithItsKindAndDecodesBack) {
  Memcached m{.metadata = {.name = "sessions", .namespace_ = "shop"}, .spec = {.size = 3}};
  const std::string text = reflect::encode(m);
  EXPECT_EQ(text, R"({"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","metadata":{"name":"sessions",)"
                  R"("namespace":"shop"},"spec":{"size":3,"image":"memcached:1.6"}})");
  const auto back = reflect::decode<Memcached>(text, {.strict = true});
  EXPECT_EQ(back.metadata, m.metadata);
  EXPECT_EQ(back.spec.size, 3);
}

TEST(ConditionsTest, KeepTransitionTimeAndGenerationByThemselves) {
  Conditions conditions;
  conditions.set("Available", false, "Starting", "0 of 3 pods are ready");
  conditions.stamp(Time::parse("2026-01-01T00:00:00Z"), 1);
  EXPECT_EQ(conditions.find("Available")->lastTransitionTime, Time::parse("2026-01-01T00:00:00Z"));
  EXPECT_EQ(conditions.find("Available")->observedGeneration, 1);

  // Still false: another reason is no transition.
  conditions.set("Available", false, "Starting", "2 of 3 pods are ready");
  conditions.stamp(Time::parse("2026-01-01T00:01:00Z"), 2);
  EXPECT_EQ(conditions.find("Available")->lastTransitionTime, Time::parse("2026-01-01T00:00:00Z"));
  EXPECT_EQ(conditions.find("Available")->observedGeneration, 2);

  conditions.set("Available", true, "PodsReady");
  conditions.stamp(Time::parse("2026-01-01T00:02:00Z"), 2);
  EXPECT_TRUE(conditions.is_true("Available"));
  EXPECT_EQ(conditions.find("Available")->lastTransitionTime, Time::parse("2026-01-01T00:02:00Z"));
  EXPECT_EQ(conditions.size(), 1U);

  conditions.set_unknown("Upgradable", "NoIdea");
  EXPECT_FALSE(conditions.is_true("Upgradable"));
  EXPECT_FALSE(conditions.is_false("Upgradable"));
  conditions.remove("Upgradable");
  EXPECT_EQ(conditions.find("Upgradable"), nullptr);
}

}  // namespace
}  // namespace flyball::kube
