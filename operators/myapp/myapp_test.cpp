#include "myapp_for_test.hpp"

namespace {

using ::testing::IsEmpty;

constexpr std::string_view kSample = R"(
apiVersion: example.com/v1alpha1
kind: MyApp
metadata: {name: myapp-sample}
spec: {replicas: 3, image: "myapp:latest"}
)";

TEST(MyAppOperator, RunsTheImageSoManyTimes) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  const auto deployment = env.get<apps::Deployment>("myapp-sample");
  EXPECT_EQ(deployment.spec.replicas, 3);
  EXPECT_EQ(deployment.spec.template_.spec.containers.at(0).image, "myapp:latest");
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST(MyAppOperator, TellsHowManyAreReady) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  env.edit_status<apps::Deployment>("myapp-sample", [](auto& deployment) {
    deployment.status.replicas = 3;
    deployment.status.readyReplicas = 3;
  });
  env.settle();
  EXPECT_EQ(env.get<MyApp>("myapp-sample").status.replicas, 3);
  EXPECT_TRUE(env.get<MyApp>("myapp-sample").status.conditions.is_true("Available"));
}

TEST(MyAppOperator, TakesItsDeploymentAlong) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  env.delete_<MyApp>("myapp-sample");
  EXPECT_EQ(env.collect_garbage(), 1U);
  env.settle();
  EXPECT_FALSE(env.find<apps::Deployment>("myapp-sample"));
}

TEST(MyAppOperator, RefusesAnAppWithoutAnImage) {
  TestEnvironment env(setup);
  EXPECT_THROW(env.apply("{apiVersion: example.com/v1alpha1, kind: MyApp, metadata: {name: x}, spec: {replicas: 3}}"),
               ApiError);
}

}  // namespace
