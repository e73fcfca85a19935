// What the server serves, and the mapper that knows it.
#include "flyball/client/discovery.hpp"

#include <algorithm>

#include "kube_test.hpp"

#include "flyball/client/mapper.hpp"
#include "flyball/kube/crd.hpp"

namespace flyball::kubetest {

struct LateSpec {
  std::int32_t size = 1;
};
FLYBALL_DESCRIBE(LateSpec, (size, "How big."))
using Latecomer = CustomResource<"late.example.com", "v1", "Latecomer", LateSpec>;
FLYBALL_RESOURCE(Latecomer, {.shortNames = {"lc"}})

namespace {

struct Discovery : KubeTest {
  client::RestMapper& mapper = client.mapper();
};

TEST_F(Discovery, TellsEveryBuiltInKindWithItsVerbs) {
  const auto all = mapper.all(soon());
  EXPECT_GT(all.size(), 50U);
  const auto pods = std::find_if(all.begin(), all.end(), [](const auto& one) {
    return one.resource.kind == kube::GroupVersionKind{"", "v1", "Pod"};
  });
  ASSERT_NE(pods, all.end());
  EXPECT_EQ(pods->resource.plural, "pods");
  EXPECT_TRUE(pods->resource.namespaced);
  EXPECT_THAT(pods->verbs, AllOf(Contains("watch"), Contains("deletecollection")));
  EXPECT_THAT(pods->subresources, AllOf(Contains("status"), Contains("log"), Contains("eviction")));
  EXPECT_THAT(pods->short_names, ElementsAre("po"));
}

TEST_F(Discovery, MapsKindsToResourcesAndBack) {
  EXPECT_EQ(mapper.resource({"apps", "v1", "Deployment"}, soon()).plural, "deployments");
  EXPECT_FALSE(mapper.resource({"", "v1", "Node"}, soon()).namespaced);
  EXPECT_EQ(mapper.kind({"networking.k8s.io", "v1", "networkpolicies"}, soon()).kind, "NetworkPolicy");
}

TEST_F(Discovery, WithoutAVersionTheServersFavouriteIsTaken) {
  EXPECT_EQ(mapper.resource({.group = "apps", .kind = "Deployment"}, soon()).kind.version, "v1");
  EXPECT_EQ(mapper.resource({.group = "autoscaling", .kind = "HorizontalPodAutoscaler"}, soon()).kind.version, "v2");
}

TEST_F(Discovery, TakesNamesAsPeopleTypeThem) {
  for (const char* name :
       {"deploy", "deployment", "deployments", "Deployment", "deployments.apps", "deployments.v1.apps"}) {
    EXPECT_EQ(mapper.resolve(name, soon()).kind, (kube::GroupVersionKind{"apps", "v1", "Deployment"})) << name;
  }
  EXPECT_EQ(mapper.resolve("events", soon()).kind.kind, "Event");
}

TEST_F(Discovery, AKindNobodyServesIsNotFoundByItsName) {
  const auto error = refusal([&] { (void)mapper.resource({"example.org", "v1", "Unicorn"}, soon()); });
  EXPECT_TRUE(error.is_not_found());
  EXPECT_THAT(error.what(), HasSubstr("Unicorn"));
}

TEST_F(Discovery, LearnsOfADefinitionThatCameLater) {
  (void)mapper.all(soon());
  client.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).create(kube::crd<Latecomer>());
  eventually("it is served", [&] {
    try {
      return mapper.resource({"late.example.com", "v1", "Latecomer"}, soon()).plural == "latecomers";
    } catch (const ApiError& error) {
      return !error.is_not_found();
    }
  });
  EXPECT_EQ(mapper.resolve("lc", soon()).kind.kind, "Latecomer");
  const json::Value made = client.dynamic({"late.example.com", "v1", "Latecomer"})
                               .create(json::object({{"apiVersion", "late.example.com/v1"},
                                                     {"kind", "Latecomer"},
                                                     {"metadata", json::object({{"name", "first"}, {"namespace", ns}})},
                                                     {"spec", json::object({{"size", 2}})}}));
  EXPECT_EQ(made["spec"]["size"].as_int(), 2);
  client.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"})
      .delete_({.name = "latecomers.late.example.com"});
}

TEST_F(Discovery, OurOwnTableOfBuiltInKindsAgreesWithTheServer) {
  const auto same = [&](const client::Resource& ours) {
    const client::Resource theirs = mapper.resource(ours.kind, soon());
    EXPECT_EQ(ours.plural, theirs.plural);
    EXPECT_EQ(ours.namespaced, theirs.namespaced) << ours.plural;
    EXPECT_EQ(ours.status, theirs.status) << ours.plural;
  };
  same(client::resource_of<core::Pod>());
  same(client::resource_of<core::Node>());
  same(client::resource_of<core::ConfigMap>());
  same(client::resource_of<core::Namespace>());
  same(client::resource_of<core::Endpoints>());
  same(client::resource_of<apps::Deployment>());
  same(client::resource_of<apps::ControllerRevision>());
}

}  // namespace
}  // namespace flyball::kubetest
