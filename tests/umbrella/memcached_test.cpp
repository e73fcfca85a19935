// The operator of docs/architecture.md, letter by letter.
#include <gtest/gtest.h>  // before `using namespace flyball`: it has a `testing` too

// clang-format off: the page breaks its lines for reading, and this is a copy of it
// [snippet: memcached]
#include <flyball/flyball.hpp>
#include <flyball/kube/apps/v1.hpp>
#include <flyball/kube/core/v1.hpp>

using namespace flyball;
namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

struct MemcachedSpec {
  int32_t size = 1;
  std::string image = "memcached:1.6";
};
FLYBALL_DESCRIBE(MemcachedSpec,
    (size, "How many memcached pods to run.", minimum(1), maximum(10)),
    (image, "The image every pod runs."))

struct MemcachedStatus {
  std::vector<std::string> nodes;
  Conditions conditions;
};
FLYBALL_DESCRIBE(MemcachedStatus,
    (nodes, "Names of the pods that are ready."),
    (conditions, "Where the cache stands."))

using Memcached = CustomResource<"cache.example.com", "v1alpha1", "Memcached", MemcachedSpec, MemcachedStatus>;

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

void reconcile(Context& ctx, Memcached& m) {           // m is your own copy, with the status that is stored now
  ctx.apply(deployment_for(m));                       // server-side apply; owned by m, in m's namespace
  m.status.nodes.clear();
  for (const auto& pod : ctx.list<core::Pod>({.labels = {{"memcached_cr", m.metadata.name}}}))
    if (is_ready(pod)) m.status.nodes.push_back(pod.metadata.name);
  m.status.conditions.set("Available", m.status.nodes.size() == size_t(m.spec.size), "PodsReady");
}                                                     // status is written once, here, and only if it changed

int main(int argc, char** argv) {
  Operator op("memcached-operator");
  op.reconcile<Memcached>(reconcile).owns<apps::Deployment>().reads<core::Pod>();
  return op.main(argc, argv);                         // run | manifests | crd | rbac | version
}
// [end]
// clang-format on

namespace {

constexpr std::string_view kDeployment = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: sessions
spec:
  replicas: 3
  selector:
    matchLabels:
      app: memcached
      memcached_cr: sessions
  template:
    metadata:
      labels:
        app: memcached
        memcached_cr: sessions
    spec:
      containers:
      - image: memcached:1.6
        name: memcached
        ports:
        - containerPort: 11211
          name: memcached
)";

TEST(MemcachedTest, TheDeploymentIsTheOneItsYamlSays) {
  const Memcached m{.metadata = {.name = "sessions"}, .spec = {.size = 3}, .status = {}};
  EXPECT_EQ(json::write_yaml(json::parse(reflect::encode(deployment_for(m)))), kDeployment);
  EXPECT_EQ(reflect::decode_yaml<apps::Deployment>(kDeployment, {.strict = true}), deployment_for(m));
}

TEST(MemcachedTest, TheStatusIsWrittenAsTheExampleWritesIt) {
  Memcached m{.metadata = {.name = "sessions", .generation = 4}, .spec = {.size = 1}, .status = {}};
  const core::Pod pod{.metadata = {.name = "sessions-0"}, .spec = {}, .status = {}};
  m.status.nodes.push_back(pod.metadata.name);
  m.status.conditions.set("Available", m.status.nodes.size() == size_t(m.spec.size), "PodsReady");
  m.status.conditions.stamp(Time::parse("2026-01-01T00:00:00Z"), m.metadata.generation);
  EXPECT_EQ(reflect::encode(m.status),
            R"({"nodes":["sessions-0"],"conditions":[{"type":"Available","status":"True","observedGeneration":4,)"
            R"("lastTransitionTime":"2026-01-01T00:00:00Z","reason":"PodsReady","message":""}]})");
}

TEST(MemcachedTest, TheProgramKnowsItsPermissions) {
  Operator op("memcached-operator");
  op.reconcile<Memcached>(reconcile).owns<apps::Deployment>().reads<core::Pod>();
  const std::string rules = op.rbac().yaml({.name = "memcached-operator", .namespace_ = "memcached-system"});
  EXPECT_NE(rules.find("memcacheds/status"), std::string::npos) << rules;
  EXPECT_NE(rules.find("deployments"), std::string::npos) << rules;
}

TEST(MemcachedTest, TheDefinitionNeedsNothingMoreThanTheStructs) {
  const json::Value definition = crd<Memcached>();
  EXPECT_EQ(definition["metadata"]["name"].as_string(), "memcacheds.cache.example.com");
  const json::View version = definition["spec"]["versions"][0];
  EXPECT_TRUE(version["subresources"].contains("status"));
  const json::View size = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["size"];
  EXPECT_EQ(json::write(size),
            R"({"type":"integer","format":"int32","default":1,"description":"How many memcached pods to run.",)"
            R"("minimum":1,"maximum":10})");
}

}  // namespace
