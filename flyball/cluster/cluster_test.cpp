#include "flyball/cluster/cluster.hpp"

#include <gtest/gtest.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/testing/server.hpp"

namespace flyball::cluster {
namespace {

using namespace std::chrono_literals;
namespace apps = kube::apps::v1;

apps::Deployment web(std::int32_t replicas) {
  const Labels labels{{"app", "web"}};
  return {.metadata = {.name = "web", .namespace_ = "default"},
          .spec = {.replicas = replicas,
                   .selector = {.matchLabels = labels},
                   .template_ = {.metadata = {.labels = labels},
                                 .spec = {.containers = {{.name = "web", .image = "nginx"}}}}}};
}

// Asks until it is so, or the patience of a test is over.
template <class Holds>
bool comes_true(Clock& clock, const Holds& holds) {
  const Stop patience = Stop().with_deadline(clock, clock.after(100s));
  while (!holds()) {
    if (!pause_until(clock, clock.after(50ms), patience)) return false;
  }
  return true;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::int32_t kMany = 100;  // everything takes ten to thirty times as long
#else
constexpr std::int32_t kMany = 1000;
#endif

TEST(ClusterWithAStatusNode, ManyPodsOfOneDeploymentComeAndGo) {
  RealClock clock;
  testing::Server server(clock, {.engine = {.namespace_defaults = true}});
  Cluster cluster(clock, server.engine(), {.node = NodeKind::status});
  server.client().create(web(kMany));
  const auto status = [&] { return server.client().get<apps::Deployment>({"default", "web"}).status; };
  EXPECT_TRUE(comes_true(clock, [&] { return status().availableReplicas == kMany; }));
  server.client().edit<apps::Deployment>({"default", "web"}, [](auto& one) { one.spec.replicas = 0; });
  EXPECT_TRUE(comes_true(clock, [&] {
    const auto now = status();
    return now.replicas == 0 && now.terminatingReplicas.value_or(0) == 0;
  }));
}

}  // namespace
}  // namespace flyball::cluster
