// The generated types as people use them.
#include <gtest/gtest.h>

#include "flyball/kube/apiextensions/v1.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/labels.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/networking/v1.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace {

using namespace flyball;
namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

// What the architecture's example needs of a custom resource.
struct Memcached {
  kube::meta::v1::ObjectMeta metadata;
  struct Spec {
    std::int32_t size = 1;
    std::string image = "memcached:1.6";
  } spec;
};

// [snippet: deployment-for]
apps::Deployment deployment_for(const Memcached& m) {
  const Labels labels{{"app", "memcached"}, {"memcached_cr", m.metadata.name}};
  return {
      .metadata = {.name = m.metadata.name},
      .spec = {.replicas = m.spec.size,
               .selector = {.matchLabels = labels},
               .template_ = {.metadata = {.labels = labels},
                             .spec = {.containers = {{.name = "memcached",
                                                      .image = m.spec.image,
                                                      .ports = {{.name = "memcached", .containerPort = 11211}}}}}}},
  };
}
// [end]

TEST(TypesTest, TheArchitecturesDeploymentReadsLikeItsYaml) {
  EXPECT_EQ(reflect::encode(deployment_for({.metadata = {.name = "cache"}, .spec = {.size = 3}})),
            R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"cache"},"spec":{"replicas":3,)"
            R"("selector":{"matchLabels":{"app":"memcached","memcached_cr":"cache"}},)"
            R"("template":{"metadata":{"labels":{"app":"memcached","memcached_cr":"cache"}},)"
            R"("spec":{"containers":[{"name":"memcached","image":"memcached:1.6",)"
            R"("ports":[{"name":"memcached","containerPort":11211}]}]}}}})");
}

TEST(TypesTest, EveryShapeTakesAPlainInitialiser) {
  // [snippet: shapes]
  const core::Pod pod{
      .metadata = {.name = "web", .annotations = {{"note", "hello"}}},
      .spec = {.containers = {{.name = "web",
                               .image = "nginx",
                               .env = {{.name = "MODE", .value = "fast"}},
                               .resources = {.limits = {{"cpu", "500m"}, {"memory", "256Mi"}}},
                               .livenessProbe = {{.httpGet = {{.path = "/healthz", .port = 8080}}, .periodSeconds = 5}},
                               .securityContext = {{.runAsNonRoot = true}}}},
               .volumes = {{.name = "config", .configMap = {{.name = "settings", .optional = true}}}},
               .terminationGracePeriodSeconds = 0},
  };
  // [end]
  const std::string text = reflect::encode(pod);
  EXPECT_NE(text.find(R"("volumes":[{"name":"config","configMap":{"name":"settings","optional":true}}])"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("livenessProbe":{"httpGet":{"path":"/healthz","port":8080},"periodSeconds":5})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("terminationGracePeriodSeconds":0)"), std::string::npos) << text;
  EXPECT_EQ(reflect::decode<core::Pod>(text, {.strict = true}), pod);
}

TEST(TypesTest, PresenceOfAnOptionalSurvives) {
  EXPECT_EQ(reflect::decode<apps::DeploymentSpec>(R"({"replicas":0})").replicas, 0);
  EXPECT_EQ(reflect::decode<apps::DeploymentSpec>("{}").replicas, std::nullopt);
  EXPECT_EQ(reflect::encode(core::VolumeSource{.emptyDir = {{}}}), R"({"emptyDir":{}})");
}

TEST(TypesTest, BytesAreBase64InJson) {
  const core::Secret secret{.data = {{"password", "hunter2"}}};
  const std::string text = reflect::encode(secret);
  EXPECT_NE(text.find(R"("data":{"password":"aHVudGVyMg=="})"), std::string::npos) << text;
  EXPECT_EQ(reflect::decode<core::Secret>(text).data.at("password").str(), "hunter2");
}

TEST(TypesTest, ASchemaMayBeAnObjectAListOrABoolean) {
  using kube::apiextensions::v1::JSONSchemaProps;
  const std::string text =
      R"({"type":"object","items":[{"type":"string"}],"properties":{"a":{"items":{"type":"integer"}}},)"
      R"("additionalProperties":false,"dependencies":{"b":["c"],"d":{"type":"string"}},"additionalItems":{}})";
  const auto schema = reflect::decode<JSONSchemaProps>(text, {.strict = true});
  EXPECT_EQ(schema.items->schemas.at(0).type, "string");
  EXPECT_EQ(schema.properties.at("a").items->schema->type, "integer");
  EXPECT_FALSE(schema.additionalProperties->allows);
  EXPECT_TRUE(schema.additionalItems->allows);
  EXPECT_EQ(json::Value(reflect::decode<json::Value>(reflect::encode(schema))), reflect::decode<json::Value>(text));
}

template <class T>
std::string error_of(std::string_view text) {
  try {
    reflect::decode<T>(text, {.strict = true});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TypesTest, AnotherKindIsRefusedWithBothNames) {
  EXPECT_EQ(error_of<apps::Deployment>(R"({"apiVersion":"apps/v1","kind":"Deployment"})"), "no error");
  EXPECT_EQ(error_of<apps::Deployment>(R"({"apiVersion":"apps/v1beta1","kind":"Deployment"})"),
            "line 1, column 15: apiVersion: expected apps/v1, found the string \"apps/v1beta1\"");
  EXPECT_EQ(error_of<core::Pod>(R"({"kind":"Deployment"})"),
            "line 1, column 9: kind: expected Pod, found the string \"Deployment\"");
  EXPECT_EQ(error_of<kube::meta::v1::DeleteOptions>(R"({"apiVersion":"policy/v1","kind":"DeleteOptions"})"),
            "no error");
}

TEST(TypesTest, AMistypedFieldIsNamedWithTheNearestOne) {
  EXPECT_EQ(
      error_of<apps::Deployment>(R"({"spec":{"template":{"spec":{"container":[]}}}})"),
      "line 1, column 30: spec.template.spec.container: unknown field \"container\"; did you mean \"containers\"?");
  EXPECT_EQ(error_of<core::Container>(R"({"resources":{"limits":{"cpu":"lots"}},"name":"a"})").substr(0, 96),
            "line 1, column 31: resources.limits.cpu: expected a quantity such as 500m or 256Mi, found \"lots\"");
  EXPECT_EQ(error_of<core::Secret>(R"({"data":{"a":"%"}})"), "line 1, column 14: data.a: expected base64 text");
}

TEST(TypesTest, KindsAreFoundByNameAndByResource) {
  const reflect::Type* type = kube::find_kind("apps", "v1", "Deployment");
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(type, &reflect::type_of<apps::Deployment>());
  EXPECT_EQ(kube::find_kind("v1", "Pod"), &reflect::type_of<core::Pod>());
  EXPECT_EQ(kube::find_resource("apps", "v1", "deployments"), type);
  EXPECT_EQ(kube::find_kind("apps", "v1", "Deploymint"), nullptr);
  EXPECT_EQ(type->kind->list_kind, "DeploymentList");
  EXPECT_TRUE(type->kind->namespaced);
  EXPECT_TRUE(type->kind->short_names.contains("deploy"));
  EXPECT_TRUE(type->kind->verbs.contains("watch"));
  ASSERT_EQ(type->kind->subresources.size(), 2U);
  EXPECT_EQ(type->kind->subresources[0].name, "scale");
  EXPECT_EQ(type->kind->subresources[0].api_version, "autoscaling/v1");
}

TEST(TypesTest, TheIndexIsSortedAndCompleteInItself) {
  EXPECT_GT(kube::all_kinds().size(), 300U);
  for (const reflect::TypeRef type : kube::all_kinds()) {
    const reflect::KindInfo& info = *type().kind;
    EXPECT_EQ(kube::find_kind(info.group, info.version, info.kind), &type()) << info.api_version << " " << info.kind;
    if (!info.list_kind.empty()) {
      const reflect::Type* list = kube::find_kind(info.group, info.version, info.list_kind);
      ASSERT_NE(list, nullptr) << info.list_kind;
      EXPECT_EQ(list->kind->item_kind, info.kind);
    }
  }
  for (const reflect::TypeRef type : kube::served_kinds()) {
    const reflect::KindInfo& info = *type().kind;
    EXPECT_EQ(kube::find_resource(info.group, info.version, info.plural), &type()) << info.plural;
  }
}

TEST(TypesTest, FieldsCarryWhatMergeAndApplyNeed) {
  const reflect::Type& container = reflect::type_of<core::Container>();
  const auto ports = std::find_if(container.fields.begin(), container.fields.end(),
                                  [](const reflect::Field& field) { return field.name == "ports"; });
  ASSERT_NE(ports->facts, nullptr);
  EXPECT_EQ(ports->facts->list, reflect::ListType::map);
  EXPECT_EQ(ports->facts->list_keys.text(), "containerPort,protocol");
  EXPECT_EQ(ports->facts->merge_key, "containerPort");
  EXPECT_TRUE(ports->facts->patch_merge);
}

}  // namespace
