#include "flyball/kube/equality.hpp"

#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/conditions.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/scalars.hpp"
#include "flyball/reflect/decode_yaml.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/reflect/encode.hpp"

namespace equality_example {

using namespace flyball;

struct Git {
  std::string url;
};
FLYBALL_DESCRIBE(Git, (url, "Where."))
struct Bucket {
  std::string name;
};
FLYBALL_DESCRIBE(Bucket, (name, "Which."))
struct Common {
  std::map<std::string, std::string> labels;
};
FLYBALL_DESCRIBE(Common, (labels, "To choose by."))
struct Percent {
  int32_t value = 0;
};
FLYBALL_WRAP(Percent, value, "A share.")
struct Port {
  std::string name;
  int32_t number = 0;
};
FLYBALL_DESCRIBE(Port, (name, "Its name."), (number, "Which.", optional))

struct Build {
  int32_t size = 1;
  kube::Quantity memory = "1Gi";
  std::variant<std::monostate, Git, Bucket> source;
  Common common;
  Percent share;
  json::Value settings;
  std::vector<Port> ports;
  std::vector<std::string> hosts;
  std::vector<std::string> steps;
  Conditions conditions;
};
FLYBALL_DESCRIBE(Build, (size), (memory), (source, alternatives("git", "bucket")), (common, inlined), (share, optional),
                 (settings), (ports, list_type("map"), list_map_key("name")), (hosts, unique_items), (steps),
                 (conditions))

}  // namespace equality_example

namespace flyball::kube {
namespace {

using apps::v1::Deployment;
using core::v1::Pod;
using core::v1::Service;
using equality_example::Build;

// Asks the struct and the JSON of it with its type: both must say the same.
template <class T>
std::string changed(std::string_view from, std::string_view to) {
  const auto a = reflect::decode_yaml<T>(from, {.strict = true});
  const auto b = reflect::decode_yaml<T>(to, {.strict = true});
  const auto typed = difference(a, b);
  const auto dynamic =
      difference(reflect::type_of<T>(), json::parse(reflect::encode(a)), json::parse(reflect::encode(b)));
  EXPECT_EQ(typed.has_value(), dynamic.has_value()) << from << "\n→ " << to;
  if (typed && dynamic) {
    EXPECT_EQ(typed->path, dynamic->path);
  }
  EXPECT_EQ(semantic_equal(a, b), !typed);
  return typed ? typed->to_string() : "same";
}

template <class T>
std::string wanting(std::string_view actual, std::string_view desired) {
  const auto a = reflect::decode_yaml<T>(actual, {.strict = true});
  const auto b = reflect::decode_yaml<T>(desired, {.strict = true});
  const auto typed = missing(a, b);
  const auto dynamic = missing(reflect::type_of<T>(), json::parse(reflect::encode(a)), json::parse(reflect::encode(b)));
  EXPECT_EQ(typed.has_value(), dynamic.has_value()) << actual << "\n→ " << desired;
  if (typed && dynamic) {
    EXPECT_EQ(typed->path, dynamic->path);
    EXPECT_EQ(typed->to, dynamic->to);
  }
  EXPECT_EQ(holds(a, b), !typed);
  return typed ? typed->to_string() : "holds";
}

TEST(EqualityTest, QuantitiesAreEqualByValueAndTimesByInstant) {
  EXPECT_EQ(changed<Pod>("spec: {containers: [{name: a, resources: {limits: {cpu: 1, memory: 1Gi}}}]}",
                         "spec: {containers: [{name: a, resources: {limits: {cpu: 1000m, memory: 1024Mi}}}]}"),
            "same");
  EXPECT_EQ(changed<Pod>("metadata: {creationTimestamp: '2026-01-01T12:00:00+02:00'}",
                         "metadata: {creationTimestamp: '2026-01-01T10:00:00Z'}"),
            "same");
  EXPECT_EQ(changed<Pod>("spec: {containers: [{name: a, resources: {limits: {cpu: 1}}}]}",
                         "spec: {containers: [{name: a, resources: {limits: {cpu: 1001m}}}]}"),
            "spec.containers[0].resources.limits.cpu: \"1\" → \"1001m\"");
}

TEST(EqualityTest, AnEmptyListOrMapEqualsNoneButAnOptionalThatIsSetDoesNot) {
  EXPECT_EQ(changed<Pod>("metadata: {labels: {}, finalizers: []}\nspec: {containers: []}", "{}"), "same");
  EXPECT_EQ(changed<Deployment>("spec: {replicas: 0}", "{}"), "spec.replicas: removed 0");
  EXPECT_EQ(changed<Pod>("{}", "spec: {volumes: [{name: a, emptyDir: {}}]}"),
            "spec.volumes[0]: added {\"name\":\"a\",\"emptyDir\":{}}");
  EXPECT_EQ(changed<Pod>("spec: {volumes: [{name: a}]}", "spec: {volumes: [{name: a, emptyDir: {}}]}"),
            "spec.volumes[0].emptyDir: added {}");
}

TEST(EqualityTest, TheOrderOfAListCountsAndThatOfAMapDoesNot) {
  EXPECT_EQ(changed<Pod>("metadata: {labels: {a: x, b: z}, finalizers: [a, b]}",
                         "metadata: {labels: {b: z, a: x}, finalizers: [b, a]}"),
            "metadata.finalizers[0]: \"a\" → \"b\"");
  EXPECT_EQ(changed<Pod>("metadata: {labels: {a: x, example.com/b: z}}", "metadata: {labels: {a: x}}"),
            "metadata.labels[\"example.com/b\"]: removed \"z\"");
}

TEST(EqualityTest, DescribedStructsAreComparedByTheirTables) {
  EXPECT_EQ(changed<Build>("memory: 1Gi", "memory: 1024Mi"), "same");
  EXPECT_EQ(changed<Build>("source: {git: {url: a}}", "source: {git: {url: b}}"), "source.git.url: \"a\" → \"b\"");
  EXPECT_EQ(changed<Build>("labels: {a: x}", "labels: {a: z}"), "labels.a: \"x\" → \"z\"");
  EXPECT_EQ(changed<Build>("share: 1", "share: 2"), "share: 1 → 2");
  EXPECT_EQ(changed<Build>("settings: {deep: [1, {x: 1}]}", "settings: {deep: [1, {x: 2}]}"),
            "settings.deep[1].x: 1 → 2");
  Build git;
  git.source = equality_example::Git{"a"};
  Build bucket;
  bucket.source = equality_example::Bucket{"a"};
  EXPECT_EQ(difference(git, bucket)->to_string(), "source: \"git\" → \"bucket\"");
}

constexpr std::string_view kStored = R"(
metadata: {name: web, namespace: shop, uid: u, resourceVersion: '7', labels: {app: web, added: by-somebody}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: sidecar, image: injected}
      - name: web
        image: nginx
        imagePullPolicy: Always
        resources: {limits: {cpu: 500m}}
        command: [run, fast]
        ports: [{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP, name: dns}]
status: {replicas: 3}
)";

std::string wanting_of_stored(std::string_view container, std::string_view more = {}) {
  return wanting<Deployment>(kStored, "spec: {template: {spec: {containers: [{name: web" + std::string(container) +
                                          "}]}}" + std::string(more) + "}");
}

TEST(EqualityTest, WhatTheServerAddedDoesNotCount) {
  EXPECT_EQ(wanting<Deployment>(kStored, R"(
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: nginx, resources: {limits: {cpu: '0.5'}}, ports: [{containerPort: 80}]}]
)"),
            "holds");
}

TEST(EqualityTest, AnOperatorAsksBeforeItWrites) {
  const auto stored = reflect::decode_yaml<Deployment>(kStored);
  // [snippet: holds]
  const Deployment desired{.metadata = {.labels = {{"app", "web"}}}, .spec = {.replicas = 5}};
  EXPECT_FALSE(holds(stored, desired));
  EXPECT_EQ(missing(stored, desired)->to_string(), "spec.replicas: 3 → 5");
  EXPECT_TRUE(semantic_equal(Quantity("1"), Quantity("1000m")));
  // [end]
}

TEST(EqualityTest, ElementsAreFoundByTheirKeysAndKeysHaveDefaults) {
  EXPECT_EQ(wanting_of_stored(", ports: [{containerPort: 80, name: dns, protocol: UDP}]"), "holds");
  EXPECT_EQ(wanting_of_stored(", ports: [{containerPort: 80, name: dns}]"),
            "spec.template.spec.containers[0].ports[0].name: \"\" → \"dns\"");
  EXPECT_EQ(wanting_of_stored(", ports: [{containerPort: 81}]"),
            "spec.template.spec.containers[0].ports[0]: added {\"containerPort\":81}");
  EXPECT_EQ(wanting_of_stored(", image: nginx:2"), "spec.template.spec.containers[0].image: \"nginx\" → \"nginx:2\"");
}

TEST(EqualityTest, AListWithoutKeysMustBeTheSameAsAWhole) {
  EXPECT_EQ(wanting_of_stored(", command: [run, fast]"), "holds");
  EXPECT_EQ(wanting_of_stored(", command: [run]"), "spec.template.spec.containers[0].command[1]: removed \"fast\"");
  EXPECT_EQ(wanting_of_stored("", ", paused: true"), "spec.paused: false → true");
}

TEST(EqualityTest, SetsAndKeysOfDescribedStructs) {
  constexpr std::string_view kBuild =
      "{hosts: [a, b], steps: [x, z], ports: [{name: p, number: 1}, {name: q, number: 2}], "
      "conditions: [{type: A, status: 'True', lastTransitionTime: null, reason: R, message: m}]}";
  EXPECT_EQ(wanting<Build>(kBuild, "{hosts: [b], ports: [{name: q}]}"), "holds");
  EXPECT_EQ(wanting<Build>(kBuild, "{hosts: [c]}"), "hosts[0]: added \"c\"");
  EXPECT_EQ(wanting<Build>(kBuild, "{ports: [{name: q, number: 3}]}"), "ports[0].number: 2 → 3");
  EXPECT_EQ(wanting<Build>(kBuild, "{steps: [z]}"), "steps[0]: \"x\" → \"z\"");
  // A default of the struct is written, so it is asked for.
  EXPECT_EQ(wanting<Build>("{size: 2}", "{}"), "size: 2 → 1");
}

TEST(EqualityTest, JsonAloneKnowsNullAndEmptyLists) {
  const auto changed_json = [](std::string_view from, std::string_view to) {
    const auto found = difference(json::parse(from), json::parse(to));
    return found ? found->to_string() : "same";
  };
  EXPECT_EQ(changed_json(R"({"a":null,"b":[],"c":1})", R"({"c":1.0})"), "same");
  EXPECT_EQ(changed_json(R"({"a":{}})", "{}"), "a: removed {}");
  EXPECT_EQ(changed_json(R"({"a":[1,2]})", R"({"a":[1]})"), "a[1]: removed 2");
  EXPECT_EQ(changed_json("1", "2"), "1 → 2");
  EXPECT_TRUE(holds(json::parse(R"({"a":{"x":1,"y":2},"b":3})"), json::parse(R"({"a":{"x":1}})")));
  EXPECT_EQ(missing(json::parse(R"({"a":{"x":1}})"), json::parse(R"({"a":{"x":1,"y":"2"}})"))->to_string(),
            "a.y: added \"2\"");
}

TEST(EqualityTest, ALongValueIsCutBetweenCharacters) {
  std::string text = "x";
  for (int i = 0; i < 60; ++i) text += "é";
  const auto found = difference(json::Value(text), json::Value("y"));
  EXPECT_TRUE(found->from.ends_with("é…")) << found->from;
}

}  // namespace
}  // namespace flyball::kube
