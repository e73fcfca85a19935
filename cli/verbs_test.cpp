// describe, events, explain, logs, tree and wait.
#include "cli/cluster_for_test.hpp"
#include "cli/condition_text.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cli {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using ::testing::HasSubstr;
using ::testing::Not;

struct Verbs : ::testing::Test {
  ClusterForTest cluster;
  TestIo& io = cluster.io;

  // A deployment with a set and a pod, as controllers would make them.
  void make_web() {
    ASSERT_EQ(cluster.apply(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
)"),
              kOk)
        << io.err();
    const auto web = cluster.client().get<apps::Deployment>({"default", "web"});
    const auto set = cluster.client().create(apps::ReplicaSet{
        .metadata = {.name = "web-1",
                     .namespace_ = "default",
                     .ownerReferences =
                         {{.apiVersion = "apps/v1", .kind = "Deployment", .name = "web", .uid = web.metadata.uid}}},
        .spec = {.replicas = 2, .selector = web.spec.selector, .template_ = web.spec.template_}});
    const auto pod = cluster.client().create(core::Pod{
        .metadata = {.name = "web-1-a",
                     .namespace_ = "default",
                     .labels = {{"app", "web"}},
                     .ownerReferences =
                         {{.apiVersion = "apps/v1", .kind = "ReplicaSet", .name = "web-1", .uid = set.metadata.uid}}},
        .spec = {.containers = {{.name = "web", .image = "web:1"}}}});
    auto stuck = pod;
    stuck.status.phase = "Pending";
    stuck.status.containerStatuses = {{.name = "web",
                                       .state = {.waiting = {{.reason = "ErrImagePull", .message = "no such image"}}},
                                       .image = "web:1"}};
    cluster.client().update_status(pod, stuck);
  }
};

TEST_F(Verbs, TreeShowsOwnersWithTheirState) {
  make_web();
  ASSERT_EQ(io.run({"tree", "deploy/web"}), kOk) << io.err();
  EXPECT_EQ(io.out(),
            "deployment.apps/web        0/2 ready\n"
            "└─ replicaset.apps/web-1   0/2 ready\n"
            "   └─ pod/web-1-a          ErrImagePull  web: ErrImagePull: no such image\n");
  const std::string one = io.out();
  ASSERT_EQ(io.run({"tree"}), kOk) << io.err();
  EXPECT_EQ(io.out(), one);
}

TEST_F(Verbs, TreeOfNothingSaysSo) {
  ASSERT_EQ(io.run({"tree"}), kOk);
  EXPECT_EQ(io.err(), "Nothing owns anything in namespace default.\n");
}

TEST_F(Verbs, DescribeShowsStateConditionsAndEvents) {
  make_web();
  const auto pod = cluster.client().get<core::Pod>({"default", "web-1-a"});
  ASSERT_EQ(cluster.apply("{apiVersion: v1, kind: Event, metadata: {name: e1}, reason: Failed, message: no such image, "
                          "count: 3, type: Warning, involvedObject: {apiVersion: v1, kind: Pod, namespace: default, "
                          "name: web-1-a, uid: " +
                          pod.metadata.uid + "}}"),
            kOk)
      << io.err();
  ASSERT_EQ(io.run({"describe", "pod", "web-1-a"}), kOk) << io.err();
  EXPECT_THAT(io.out(),
              HasSubstr("Name:        web-1-a\nNamespace:   default\nKind:        Pod (v1)\nLabels:      app=web\n"));
  EXPECT_THAT(io.out(), HasSubstr("Owner:       ReplicaSet/web-1\n"));
  EXPECT_THAT(io.out(), HasSubstr("State:       ErrImagePull\nWhy:         web: ErrImagePull: no such image\n"));
  EXPECT_THAT(io.out(), HasSubstr("image: web:1"));
  EXPECT_THAT(io.out(), HasSubstr("Warning   Failed   no such image (3 times)\n"));
  ASSERT_EQ(io.run({"events", "--for", "pod/web-1-a"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("Failed   pod/web-1-a   no such image (3 times)\n"));
  ASSERT_EQ(io.run({"events", "--type", "Normal"}), kOk);
  EXPECT_EQ(io.err(), "No events found in namespace default.\n");
}

TEST_F(Verbs, DescribeKeepsSecrets) {
  ASSERT_EQ(
      cluster.apply("{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hunter22hunter22}}"),
      kOk)
      << io.err();
  ASSERT_EQ(io.run({"describe", "secret", "s"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("password: "));
  EXPECT_THAT(io.out(), Not(HasSubstr("aHVudGVy")));
}

TEST_F(Verbs, WaitEndsWhenTheConditionIsMet) {
  make_web();
  EXPECT_EQ(io.run({"wait", "pod/web-1-a", "--for", ".status.phase=Pending"}), kOk) << io.err();
  EXPECT_EQ(io.out(), "pod/web-1-a condition met\n");
  EXPECT_EQ(io.run({"wait", "pod/web-1-a", "--timeout", "1s"}), kFailed);
  EXPECT_THAT(io.err(),
              HasSubstr("timed out waiting for pod/web-1-a: it is ErrImagePull (web: ErrImagePull: no such image)"));
  EXPECT_EQ(io.run({"wait", "pod/gone", "--for", "delete"}), kOk) << io.err();
  EXPECT_EQ(io.run({"wait", "pod", "--all", "--for", "create"}), kOk) << io.err();
  EXPECT_EQ(io.run({"wait", "pod/web", "--for", "luck"}), kUsage);
  EXPECT_EQ(io.run({"wait", "pods"}), kUsage);
}

TEST_F(Verbs, LogsFindThePodsBehindAnObject) {
  ASSERT_EQ(
      cluster.apply(
          "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}"),
      kOk)
      << io.err();
  EXPECT_EQ(io.run({"logs", "svc/web"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("there is no pod with the labels app=web in namespace default"));
  EXPECT_EQ(io.run({"logs"}), kUsage);
  EXPECT_EQ(io.run({"logs", "nobody"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("pods \"nobody\" not found"));
}

TEST_F(Verbs, ExplainShowsWhatASchemaSays) {
  ASSERT_EQ(cluster.apply(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: What is wanted.
            required: [size]
            properties:
              size: {type: integer, description: How many., minimum: 1, default: 3}
              parts: {type: array, items: {type: object, properties: {name: {type: string}}}}
)"),
            kOk)
      << io.err();
  ASSERT_EQ(io.run({"explain", "widgets.spec"}), kOk) << io.err();
  EXPECT_EQ(io.out(),
            "GROUP:      example.com\nKIND:       Widget\nVERSION:    v1\n\nFIELD: spec <Object>\n\nDESCRIPTION:\n"
            "    What is wanted.\n\nFIELDS:\n"
            "  parts   <[]Object>\n\n"
            "  size   <integer> -required-\n    default 3, minimum 1\n    How many.\n\n");
  ASSERT_EQ(io.run({"explain", "widgets.example.com.spec.parts", "--recursive"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("FIELDS:\n  name   <string>\n"));
  EXPECT_EQ(io.run({"explain", "widget.spec.colour"}), kFailed);
  EXPECT_THAT(io.err(), HasSubstr("field \"colour\" does not exist in Widget.spec"));
  ASSERT_EQ(io.run({"explain", "deploy.spec.replicas"}), kOk) << io.err();
  EXPECT_THAT(io.out(), HasSubstr("FIELD: spec.replicas <integer>"));
  EXPECT_EQ(io.run({"explain", "wonder"}), kFailed);
}

TEST(States, OfPodsReplicasAndConditions) {
  const auto word = [](const char* yaml) { return state_of(json::parse_yaml(yaml)).word; };
  EXPECT_EQ(word("{kind: Pod, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}"), "Running");
  EXPECT_EQ(word("{kind: Pod, status: {phase: Running, conditions: [{type: Ready, status: 'False'}]}}"), "not ready");
  EXPECT_EQ(word("{kind: Pod, metadata: {deletionTimestamp: x}, status: {phase: Running}}"), "Terminating");
  EXPECT_EQ(word("{kind: Cache, status: {conditions: [{type: Ready, status: 'False', reason: NoImage}]}}"),
            "not Ready: NoImage");
  EXPECT_EQ(word("{kind: Cache, status: {conditions: [{type: Available, status: 'True'}]}}"), "Available");
  EXPECT_EQ(word("{kind: ConfigMap}"), "");
  EXPECT_TRUE(state_of(json::parse_yaml("{kind: Deployment, spec: {replicas: 0, template: {}}}")).good);
  EXPECT_EQ(
      word("{kind: Deployment, spec: {replicas: 2, template: {}}, status: {readyReplicas: 2, updatedReplicas: 1}}"),
      "1/2 updated");
}

}  // namespace
}  // namespace flyball::cli
