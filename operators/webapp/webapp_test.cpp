#include "webapp_for_test.hpp"

namespace {

using ::testing::IsEmpty;

constexpr std::string_view kSample = R"(
apiVersion: apps.example.com/v1alpha1
kind: WebApp
metadata: {name: my-webapp}
spec: {replicas: 3, image: "nginx:alpine", port: 80, domain: example.com}
)";

TEST(WebAppOperator, MakesEverythingItTakesToReachIt) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  EXPECT_EQ(env.get<apps::Deployment>("my-webapp").spec.replicas, 3);
  EXPECT_FALSE(env.get<core::Service>("my-webapp").spec.clusterIP.empty());
  EXPECT_EQ(env.get<networking::Ingress>("my-webapp").spec.rules.at(0).host, "example.com");
  EXPECT_EQ(env.get<WebApp>("my-webapp").status.url, "http://example.com");
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST(WebAppOperator, WithoutADomainThereIsNoIngress) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  env.edit<WebApp>("my-webapp", [](WebApp& app) { app.spec.domain.clear(); });
  env.settle();
  EXPECT_FALSE(env.find<networking::Ingress>("my-webapp"));
  EXPECT_EQ(env.get<WebApp>("my-webapp").status.url, "");
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST(WebAppOperator, EachChildComesBackWhenSomebodyDeletesIt) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  env.delete_<core::Service>("my-webapp");
  env.delete_<networking::Ingress>("my-webapp");
  env.settle();
  EXPECT_TRUE(env.find<core::Service>("my-webapp"));
  EXPECT_TRUE(env.find<networking::Ingress>("my-webapp"));
}

}  // namespace
