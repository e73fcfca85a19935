// Memcached: runs as many memcached pods as a Memcached resource asks for. The whole operator.
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
FLYBALL_DESCRIBE(MemcachedSpec, (size, "How many memcached pods to run.", minimum(1), maximum(10)),
                 (image, "The image every pod runs."))

struct MemcachedStatus {
  std::vector<std::string> nodes;
  Conditions conditions;
};
FLYBALL_DESCRIBE(MemcachedStatus, (nodes, "Names of the pods that are ready."), (conditions, "Where the cache stands."))

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

void reconcile(Context& ctx, Memcached& m) {  // m is your own copy, with the status that is stored now
  ctx.apply(deployment_for(m));               // server-side apply; owned by m, in m's namespace
  m.status.nodes.clear();
  for (const auto& pod : ctx.list<core::Pod>({.labels = {{"memcached_cr", m.metadata.name}}}))
    if (is_ready(pod)) m.status.nodes.push_back(pod.metadata.name);
  const bool complete = m.status.nodes.size() == size_t(m.spec.size);
  if (complete && !m.status.conditions.is_true("Available"))
    ctx.event("Available", "all " + std::to_string(m.spec.size) + " pods are ready");
  m.status.conditions.set("Available", complete, "PodsReady");
}  // status is written once, here, and only if it changed

void setup(Operator& op) { op.reconcile<Memcached>(reconcile).owns<apps::Deployment>().reads<core::Pod>(); }

int main(int argc, char** argv) {
  Operator op("memcached-operator", "Runs memcached clusters as Memcached resources ask for them.");
  setup(op);
  return op.main(argc, argv);  // run | manifests | crd | rbac | version
}
