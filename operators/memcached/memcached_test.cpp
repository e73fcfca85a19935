// The tests of the operator: server, operator and clock in one process.
#include "memcached_for_test.hpp"

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kSample = R"(
apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata: {name: sample}
spec: {size: 2}
)";

// [snippet: deployment]
TEST(MemcachedOperator, MakesADeploymentOfTheSizeThatIsAskedFor) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  const auto deployment = env.get<apps::Deployment>("sample");
  EXPECT_EQ(deployment.spec.replicas, 2);
  EXPECT_TRUE(is_owned_by(deployment, env.get<Memcached>("sample")));
}
// [end]

TEST(MemcachedOperator, FollowsTheSize) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  env.edit<Memcached>("sample", [](Memcached& m) { m.spec.size = 5; });
  env.settle();
  EXPECT_EQ(env.get<apps::Deployment>("sample").spec.replicas, 5);
}

TEST(MemcachedOperator, PutsTheDeploymentBackWhenSomebodyChangesIt) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  env.edit<apps::Deployment>("sample", [](apps::Deployment& d) { d.spec.replicas = 9; });
  env.settle();
  EXPECT_EQ(env.get<apps::Deployment>("sample").spec.replicas, 2);
  env.delete_<apps::Deployment>("sample");
  env.settle();
  EXPECT_TRUE(env.find<apps::Deployment>("sample"));
}

// [snippet: ready]
TEST(MemcachedOperator, SaysWhichPodsAreReady) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  EXPECT_TRUE(env.get<Memcached>("sample").status.conditions.is_false("Available"));
  make_ready(env, "sample", "sample-a");
  make_ready(env, "sample", "sample-b");
  env.settle();
  EXPECT_THAT(env.get<Memcached>("sample").status.nodes, ElementsAre("sample-a", "sample-b"));
  EXPECT_TRUE(env.get<Memcached>("sample").status.conditions.is_true("Available"));
  EXPECT_THAT(env.events(), Contains("Normal Available: all 2 pods are ready"));
}
// [end]

// [snippet: quiet]
TEST(MemcachedOperator, WritesNothingWhenNothingIsToBeDone) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST(MemcachedOperator, IsNotWokenByWhatItWrites) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  EXPECT_EQ(env.run().controller("memcached").history().size(), 1U) << env.explain("memcached", "sample");
}
// [end]

}  // namespace
