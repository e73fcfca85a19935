#include "flyball/apiserver/kinds/rules.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/kinds/cron_schedule.hpp"
#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/pod_resources.hpp"
#include "flyball/apiserver/kinds/pod_subresources.hpp"
#include "flyball/apiserver/kinds/text_diff.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/batch/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/storage/v1.hpp"
#include "flyball/reflect/decode_yaml.hpp"

namespace flyball::apiserver {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
namespace meta = kube::meta::v1;

const Rules& rules_of(std::string_view api_version, std::string_view kind) {
  return *find_rules(*kube::find_kind(api_version, kind));
}

TEST(KindRules, AKindWithoutRulesOfItsOwnHasNone) { EXPECT_EQ(find_rules(*kube::find_kind("v1", "Binding")), nullptr); }

TEST(KindRules, TheyBelongToTheVersionOfTheKind) {
  EXPECT_NE(find_rules(*kube::find_kind("autoscaling/v1", "HorizontalPodAutoscaler")),
            find_rules(*kube::find_kind("autoscaling/v2", "HorizontalPodAutoscaler")));
}

TEST(KindRules, JobsAndReplicationControllersOrphanWhatTheyOwn) {
  EXPECT_TRUE(rules_of("batch/v1", "Job").traits().orphans_by_default);
  EXPECT_TRUE(rules_of("v1", "ReplicationController").traits().orphans_by_default);
  EXPECT_FALSE(rules_of("apps/v1", "ReplicaSet").traits().orphans_by_default);
}

TEST(KindRules, ALeaseNeedsAResourceVersionAndCanBePut) {
  const Traits traits = rules_of("coordination.k8s.io/v1", "Lease").traits();
  EXPECT_FALSE(traits.unconditional_update);
  EXPECT_TRUE(traits.create_on_update);
}

TEST(KindRules, ADeploymentsGenerationCountsItsAnnotationsToo) {
  EXPECT_EQ(rules_of("apps/v1", "Deployment").traits().generation_also, "annotations");
}

TEST(KindRules, AStatusOfADeploymentCannotChangeItsLabels) {
  apps::Deployment old;
  old.metadata.labels = {{"app", "a"}};
  old.spec.replicas = 3;
  apps::Deployment next;
  next.metadata.labels = {{"app", "b"}};
  next.status.replicas = 1;
  rules_of("apps/v1", "Deployment").prepare_status_object(&next, &old);
  EXPECT_EQ(next.metadata.labels, old.metadata.labels);
  EXPECT_EQ(next.spec.replicas, 3);
  EXPECT_EQ(next.status.replicas, 1);
}

TEST(KindRules, APodThatIsNotOnANodeOrIsOverGoesAtOnce) {
  const Rules& rules = rules_of("v1", "Pod");
  core::Pod pod;
  pod.spec.terminationGracePeriodSeconds = 30;
  EXPECT_EQ(rules.grace_of(&pod, 10), 0);
  pod.spec.nodeName = "node";
  EXPECT_EQ(rules.grace_of(&pod, 10), 10);
  EXPECT_EQ(rules.grace_of(&pod, std::nullopt), 30);
  EXPECT_EQ(rules.grace_of(&pod, -5), 1);
  pod.status.phase = "Failed";
  EXPECT_EQ(rules.grace_of(&pod, 10), 0);
  const core::ConfigMap map;
  EXPECT_EQ(rules_of("v1", "ConfigMap").grace_of(&map, 10), std::nullopt);
}

TEST(KindRules, ADaemonSetCountsTheChangesOfItsTemplate) {
  const Rules& rules = rules_of("apps/v1", "DaemonSet");
  apps::DaemonSet old;
  rules.prepare_create_object(&old);
  constexpr const char* kGeneration = "deprecated.daemonset.template.generation";
  EXPECT_EQ(old.metadata.annotations.at(kGeneration), "1");
  apps::DaemonSet next = old;
  next.spec.minReadySeconds = 3;
  rules.prepare_update_object(&next, &old);
  EXPECT_EQ(next.metadata.annotations.at(kGeneration), "1");
  next.spec.template_.spec.nodeName = "node";
  rules.prepare_update_object(&next, &old);
  EXPECT_EQ(next.metadata.annotations.at(kGeneration), "2");
}

TEST(KindRules, APersistentVolumesPhaseHasATime) {
  const Rules& rules = rules_of("v1", "PersistentVolume");
  const Writer first{.now = kube::Time::parse("2026-01-01T10:00:00Z")};
  const Writer second{.now = kube::Time::parse("2026-01-01T11:00:00Z")};
  core::PersistentVolume old;
  rules.prepare_create_object(&old);
  rules.stamp_object(&old, nullptr, false, first);
  EXPECT_EQ(old.status.lastPhaseTransitionTime, first.now);
  core::PersistentVolume next = old;
  rules.stamp_object(&next, &old, true, second);
  EXPECT_EQ(next.status.lastPhaseTransitionTime, first.now);
  next.status.phase = "Bound";
  rules.stamp_object(&next, &old, true, second);
  EXPECT_EQ(next.status.lastPhaseTransitionTime, second.now);
}

TEST(KindRules, APodsFirstAddressStandsInTwoFields) {
  const Rules& rules = rules_of("v1", "Pod");
  core::Pod pod;
  pod.status.podIP = "1.2.3.4";
  rules.default_object(&pod);
  EXPECT_EQ(pod.status.podIPs, std::vector<core::PodIP>{{.ip = "1.2.3.4"}});
  pod.status.podIP = "5.6.7.8";
  rules.default_object(&pod);
  EXPECT_EQ(pod.status.podIPs, std::vector<core::PodIP>{{.ip = "5.6.7.8"}});
  pod.status.podIP.clear();
  rules.default_object(&pod);
  EXPECT_EQ(pod.status.podIP, "5.6.7.8");
}

struct PodDoors : testing::Test {
  PodDoors()
      : old(reflect::decode_yaml<core::Pod>(R"(
metadata: {name: web, labels: {app: a}}
spec:
  containers: [{name: c, image: x, resources: {requests: {cpu: 100m}}}]
)")) {
    default_pod(old);
    old.status.qosClass = "Burstable";
    next = old;
  }

  core::Pod old;
  core::Pod next;
  Problems problems;
};

TEST_F(PodDoors, ResizingChangesNothingButResources) {
  next.metadata.labels = {{"app", "b"}};
  next.spec.containers[0].image = "y";
  next.spec.containers[0].resources.requests["cpu"] = "200m";
  keep_all_but_resources(next, old);
  validate_resize(next, old, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  core::Pod expected = old;
  expected.spec.containers[0].resources.requests["cpu"] = "200m";
  EXPECT_EQ(next, expected);
}

TEST_F(PodDoors, ResizingTakesNothingAwayAndKeepsTheQuality) {
  next.spec.containers[0].resources = {};
  keep_all_but_resources(next, old);
  validate_resize(next, old, problems);
  EXPECT_EQ(problems.text(),
            "[spec: Invalid value: \"Burstable\": Pod QOS Class may not change as a result of resizing, "
            "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed]");
}

TEST_F(PodDoors, EphemeralContainersCanOnlyBeAdded) {
  core::EphemeralContainer shell;
  shell.name = "shell";
  shell.image = "busybox";
  next.spec.ephemeralContainers = {shell};
  next.spec.nodeName = "other";
  default_pod(next);
  keep_all_but_ephemeral_containers(next, old);
  EXPECT_EQ(next.spec.nodeName, "");
  validate_ephemeral_containers(next, old, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  validate_ephemeral_containers(old, next, problems);
  EXPECT_EQ(problems.text(),
            "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"shell\" may not be removed\n");
}

// What kube-apiserver v1.36 warned of.
TEST(KindRules, WhatAPodDoesNotDoAsItSeemsIsWarnedOf) {
  const auto pod = reflect::decode_yaml<core::Pod>(R"(
metadata: {name: web}
spec:
  imagePullSecrets: [{name: a}, {name: a}, {}]
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule}]
  containers:
  - {name: a, image: x, env: [{name: A, value: a}, {name: A, value: b}, {name: A, value: "$(A):c"}],
     ports: [{containerPort: 80, name: p}, {containerPort: 80, name: q}]}
  - {name: b, image: x, ports: [{containerPort: 81, name: p}], resources: {requests: {memory: 1500m}}}
  volumes: [{name: v, glusterfs: {endpoints: a, path: b}}]
)");
  const std::string same_port_name =
      "spec.containers[1].ports[0]: duplicate port name \"p\" with spec.containers[0].ports[0], services and probes "
      "that "
      "select ports by name will use spec.containers[0].ports[0]";
  const std::vector<std::string> expected = {
      "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
      "spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+",
      "spec.imagePullSecrets[1].name: duplicate name \"a\"",
      "spec.imagePullSecrets[2].name: invalid empty name \"\"",
      "spec.containers[0].env[1]: hides previous definition of \"A\", which may be dropped when using apply",
      "spec.containers[1].resources.requests[memory]: fractional byte value \"1500m\" is invalid, must be an integer",
      "spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]",
      same_port_name};
  EXPECT_EQ(rules_of("v1", "Pod").warnings_of(&pod, nullptr), expected);
  EXPECT_TRUE(rules_of("v1", "Pod").warnings_of(&pod, &pod).empty());
}

TEST(ImageNames, LatestIsTheTagOfAnImageWithoutOne) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"nginx", "latest"},
      {"nginx:latest", "latest"},
      {"nginx:1.25", "1.25"},
      {"localhost:5000/a/b", "latest"},
      {"quay.io/a/b:v1", "v1"},
      {"nginx@sha256:0123456789012345678901234567890123456789012345678901234567890123", ""},
      {"UPPER", ""},
      {"foo/Bar", ""},
      {"Foo.Bar/x", "latest"},
      {"a__b/c-d:x.y", "x.y"},
      {"a___b", ""},
      {"", ""},
  };
  for (const auto& [image, tag] : cases) EXPECT_EQ(image_tag(image), tag) << image;
}

TEST(PodResources, TheStartOfAPodMayNeedMoreThanItsContainers) {
  const auto spec = reflect::decode_yaml<core::PodSpec>(R"(
initContainers:
- {name: side, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
- {name: init, resources: {requests: {cpu: "2", memory: 1Gi}}}
containers:
- {name: a, resources: {requests: {cpu: 500m}}}
- {name: b, resources: {requests: {cpu: 500m}}}
)");
  const ResourceList all = aggregate_requests(spec);
  EXPECT_EQ(all.at("cpu"), kube::Quantity("2100m"));
  EXPECT_EQ(all.at("memory"), kube::Quantity("1Gi"));
}

TEST(PodResources, OnlyAPodThatIsLimitedThroughoutIsGuaranteed) {
  const auto quality = [](const std::string& resources) {
    return qos_class(reflect::decode_yaml<core::PodSpec>("{containers: [{name: a, resources: " + resources + "}]}"));
  };
  EXPECT_EQ(quality("{}"), "BestEffort");
  EXPECT_EQ(quality("{requests: {cpu: 1}}"), "Burstable");
  EXPECT_EQ(quality("{requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}"), "Guaranteed");
  EXPECT_EQ(quality("{requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 1Gi}}"), "Burstable");
  EXPECT_EQ(quality("{requests: {cpu: 1}, limits: {cpu: 1}}"), "Burstable");
}

// What kube-apiserver v1.36 said of each of these.
TEST(CronSchedules, WhatIsWrongIsSaidInTheWordsOfTheRealServer) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"* * * * *", ""},
      {"*/15 9-17 * JAN MON-FRI", ""},
      {"@hourly", ""},
      {"@every 1h30m", ""},
      {"foo", "expected exactly 5 fields, found 1: [foo]"},
      {"61 * * * *", "end of range (61) above maximum (59): 61"},
      {"1 1 0 * *", "beginning of range (0) below minimum (1): 0"},
      {"1 2-1 * * *", "beginning of range (2) beyond end of range (1): 2-1"},
      {"*/0 * * * *", "step of range should be a positive number: */0"},
      {"@foo", "unrecognized descriptor: @foo"},
      {"* * * * 1-2-3", "too many hyphens: 1-2-3"},
      {"a * * * *", R"(failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax)"},
  };
  for (const auto& [schedule, problem] : cases) EXPECT_EQ(cron_problem(schedule), problem) << schedule;
}

TEST(TextDiff, ShowsWhatChangedWithThreeLinesAround) {
  const json::Value from = json::parse(R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9})");
  const json::Value to = json::parse(R"({"a":1,"b":2,"c":3,"d":4,"e":50,"f":6,"g":7,"h":8,"i":9})");
  EXPECT_EQ(unified_diff(from, to),
            "@@ -3,7 +3,7 @@\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4,\n- \"e\": 5,\n+ \"e\": 50,\n  \"f\": 6,\n"
            "  \"g\": 7,\n  \"h\": 8,\n");
  EXPECT_EQ(unified_diff(from, from), "");
}

struct MetadataRules : testing::Test {
  MetadataRules() {
    old.name = "a";
    old.uid = "u";
    old.resourceVersion = "1";
    next = old;
  }
  std::string update() const {
    Problems problems;
    validate_metadata_update(next, old, problems);
    return problems.text();
  }

  meta::ObjectMeta old;
  meta::ObjectMeta next;
};

TEST_F(MetadataRules, AnObjectThatIsBeingDeletedGetsNoFinalizers) {
  old.deletionTimestamp = next.deletionTimestamp = kube::Time::parse("2026-01-01T10:00:00Z");
  old.finalizers = {"a/b"};
  next.finalizers = {"a/b", "c/d"};
  EXPECT_EQ(update(),
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new "
            "finalizers []string{\"c/d\"}");
  next.finalizers.clear();
  EXPECT_EQ(update(), Problems().text());
}

TEST_F(MetadataRules, WhatIdentifiesAnObjectCannotChange) {
  next.uid = "v";
  EXPECT_EQ(update(), "metadata.uid: Invalid value: \"v\": field is immutable");
  next = old;
  next.resourceVersion.clear();
  EXPECT_EQ(update(), "metadata.resourceVersion: Invalid value: \"\": must be specified for an update");
}

TEST_F(MetadataRules, AGeneratedNameMayEndWithADash) {
  Problems problems;
  next.generateName = "web-";
  next.name = "web-abcde";
  validate_metadata(next, false, kube::names::dns1123_subdomain, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  next.namespace_ = "default";
  validate_metadata(next, false, kube::names::dns1123_subdomain, problems);
  EXPECT_EQ(problems.text(), "metadata.namespace: Forbidden: not allowed on this type");
}

}  // namespace
}  // namespace flyball::apiserver
