#include "cli/cluster_for_test.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cli {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using ::testing::HasSubstr;

constexpr const char* kInstall = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
)";

struct Deploy : ::testing::Test {
  ClusterForTest cluster;
  TestIo& io = cluster.io;
  Deploy() { io.write("dist/install.yaml", kInstall); }

  // What the deployment controller says when all is well.
  void make_ready() {
    auto web = cluster.client().get<apps::Deployment>({"shop", "web"});
    auto ready = web;
    ready.status.observedGeneration = web.metadata.generation;
    ready.status.replicas = ready.status.readyReplicas = ready.status.updatedReplicas = 1;
    cluster.client().update_status(web, ready);
  }
};

TEST_F(Deploy, AppliesInAGoodOrderAndWaitsForTheOperator) {
  ASSERT_EQ(io.run({"deploy", "--wait=false"}), kOk) << io.err();
  EXPECT_EQ(io.out(),
            "namespace/shop created\ncustomresourcedefinition.apiextensions.k8s.io/widgets.example.com created\n"
            "deployment.apps/web created\n");
  make_ready();
  ASSERT_EQ(io.run({"deploy"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("  deployment.apps/web  1/1 ready\n"));
}

TEST_F(Deploy, SaysWhyAPodIsNotReady) {
  ASSERT_EQ(io.run({"deploy", "--wait=false"}), kOk) << io.err();
  const auto pod =
      cluster.client().create(core::Pod{.metadata = {.name = "web-a", .namespace_ = "shop", .labels = {{"app", "web"}}},
                                        .spec = {.containers = {{.name = "web", .image = "web:1"}}}});
  auto stuck = pod;
  stuck.status.phase = "Pending";
  stuck.status.containerStatuses = {{.name = "web",
                                     .state = {.waiting = {{.reason = "ErrImagePull", .message = "no such image"}}},
                                     .image = "web:1"}};
  cluster.client().update_status(pod, stuck);
  EXPECT_EQ(io.run({"deploy", "--timeout", "1s"}), kFailed);
  EXPECT_THAT(io.out(), HasSubstr("    pod/web-a ErrImagePull  web: ErrImagePull: no such image\n"));
  EXPECT_THAT(
      io.err(),
      HasSubstr(
          "deployment.apps/web is not ready: 0/1 ready\n  pod/web-a ErrImagePull  web: ErrImagePull: no such image\n"));
}

TEST_F(Deploy, WithoutManifestsSaysHowToMakeThem) {
  std::filesystem::remove(io.folder() / "dist/install.yaml");
  EXPECT_EQ(io.run({"deploy"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("there is no dist/install.yaml; `flyball manifests` makes it"));
}

TEST_F(Deploy, UndeployTakesTheObjectsOfItsKindsFirst) {
  ASSERT_EQ(io.run({"deploy", "--wait=false"}), kOk) << io.err();
  ASSERT_EQ(
      cluster.apply("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, finalizers: [example.com/clean]}}"),
      kOk)
      << io.err();
  EXPECT_EQ(io.run({"undeploy", "--timeout", "1s"}), kFailed);
  EXPECT_THAT(io.out(), HasSubstr("widget.example.com/w deleted\n"));
  EXPECT_THAT(io.err(), HasSubstr("it waits for its finalizers example.com/clean"));
  EXPECT_TRUE(cluster.client().find<apps::Deployment>({"shop", "web"})) << "it has to clean up first";
  cluster.client()
      .dynamic({"example.com", "v1", "Widget"})
      .patch({"default", "w"},
             client::Patch::merge(json::object({{"metadata", json::object({{"finalizers", nullptr}})}})));
  // Nobody here empties namespaces: it is left to the namespace controller.
  EXPECT_EQ(io.run({"undeploy", "--timeout", "1s"}), kFailed);
  EXPECT_THAT(
      io.out(),
      HasSubstr("deployment.apps/web deleted\ncustomresourcedefinition.apiextensions.k8s.io/widgets.example.com "
                "deleted\nnamespace/shop deleted\n"));
}

}  // namespace
}  // namespace flyball::cli
