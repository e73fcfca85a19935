#include "flyball/cluster/controllers/endpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/controllers/endpoint_slices.hpp"
#include "flyball/cluster/controllers/kubelet_for_test.hpp"
#include "flyball/kube/discovery/v1.hpp"

using namespace flyball;
using namespace flyball::cluster;
namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;

namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

struct ServiceEndpoints : public ::testing::Test {
  TestEnvironment env{[](Operator& op) {
    declare_endpoint_slices(op);
    declare_endpoints(op);
  }};

  core::Pod make_pod(const std::string& name, std::int32_t port = 8080) {
    return env.create(core::Pod{
        .metadata = {.name = name, .namespace_ = "default", .labels = {{"app", "web"}}},
        .spec = {
            .containers = {{.name = "web", .image = "nginx", .ports = {{.name = "http", .containerPort = port}}}}}});
  }
  void make_service(const std::string& extra = "") {
    env.apply(
        "apiVersion: v1\nkind: Service\nmetadata: {name: web, labels: {team: shop}}\n"
        "spec:\n  selector: {app: web}\n  ports: [{name: http, port: 80, targetPort: http}]\n" +
        extra);
    env.settle();
  }
  std::vector<discovery::EndpointSlice> slices() {
    return env.list<discovery::EndpointSlice>({.labels = {{"kubernetes.io/service-name", "web"}}});
  }
};

TEST_F(ServiceEndpoints, PodsThatAreReadyAreBehindTheService) {
  make_pod("a");
  make_service();
  run_pods(env);
  const auto all = slices();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].metadata.generateName, "web-");
  EXPECT_EQ(all[0].metadata.labels,
            (Labels{{"team", "shop"},
                    {"kubernetes.io/service-name", "web"},
                    {"endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"}}));
  EXPECT_TRUE(kube::is_controlled_by(all[0], env.get<core::Service>("web")));
  EXPECT_EQ(all[0].addressType, "IPv4");
  ASSERT_THAT(all[0].endpoints, SizeIs(1));
  EXPECT_EQ(all[0].endpoints[0].addresses[0], env.get<core::Pod>("a").status.podIP);
  EXPECT_EQ(all[0].endpoints[0].conditions,
            (discovery::EndpointConditions{.ready = true, .serving = true, .terminating = false}));
  EXPECT_EQ(all[0].endpoints[0].targetRef->name, "a");
  ASSERT_THAT(all[0].ports, SizeIs(1));
  EXPECT_EQ(all[0].ports[0].port, 8080);
  EXPECT_EQ(all[0].ports[0].protocol, "TCP");

  const auto endpoints = env.get<core::Endpoints>("web");
  EXPECT_EQ(endpoints.metadata.labels.at("endpoints.kubernetes.io/managed-by"), "endpoint-controller");
  ASSERT_THAT(endpoints.subsets, SizeIs(1));
  EXPECT_THAT(endpoints.subsets[0].addresses, SizeIs(1));
  EXPECT_EQ(endpoints.subsets[0].ports.at(0).port, 8080);
  const std::string ready = env.get<core::Pod>("a").status.conditions.back().lastTransitionTime.to_string();
  EXPECT_EQ(all[0].metadata.annotations.at("endpoints.kubernetes.io/last-change-trigger-time"), ready);
  EXPECT_EQ(endpoints.metadata.annotations.at("endpoints.kubernetes.io/last-change-trigger-time"), ready);
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST_F(ServiceEndpoints, OneThatIsNotReadyIsNamedAsSuch) {
  make_pod("a");
  make_service();
  run_pods(env, false);
  EXPECT_EQ(slices().at(0).endpoints.at(0).conditions.ready, false);
  const auto endpoints = env.get<core::Endpoints>("web");
  EXPECT_THAT(endpoints.subsets.at(0).addresses, IsEmpty());
  EXPECT_THAT(endpoints.subsets.at(0).notReadyAddresses, SizeIs(1));
}

TEST_F(ServiceEndpoints, WithoutPodsThereIsASliceWithoutEndpoints) {
  make_service();
  ASSERT_THAT(slices(), SizeIs(1));
  EXPECT_THAT(slices()[0].endpoints, IsEmpty());
  EXPECT_THAT(env.get<core::Endpoints>("web").subsets, IsEmpty());
}

TEST_F(ServiceEndpoints, PodsWithDifferentNumbersForAPortAreInDifferentSlices) {
  make_pod("a", 8080);
  make_pod("b", 9090);
  make_service();
  run_pods(env);
  EXPECT_THAT(slices(), SizeIs(2));
  EXPECT_THAT(env.get<core::Endpoints>("web").subsets, SizeIs(2));
}

TEST_F(ServiceEndpoints, AHeadlessServiceHasTheNamesOfItsPods) {
  auto pod =
      core::Pod{.metadata = {.name = "db-0", .namespace_ = "default", .labels = {{"app", "web"}}},
                .spec = {.containers = {{.name = "db", .image = "db", .ports = {{.name = "http", .containerPort = 1}}}},
                         .hostname = "db-0",
                         .subdomain = "web"}};
  env.create(pod);
  make_service("  clusterIP: None\n");
  run_pods(env);
  EXPECT_EQ(slices().at(0).endpoints.at(0).hostname, "db-0");
  EXPECT_EQ(slices()[0].metadata.labels.at("service.kubernetes.io/headless"), "");
  EXPECT_EQ(env.get<core::Endpoints>("web").subsets.at(0).addresses.at(0).hostname, "db-0");
}

TEST_F(ServiceEndpoints, MoreThanAHundredAreInSeveralSlices) {
  for (int i = 0; i < 130; ++i) make_pod("p-" + std::to_string(i));
  make_service();
  run_pods(env);
  ASSERT_THAT(slices(), SizeIs(2));
  EXPECT_EQ(slices()[0].endpoints.size() + slices()[1].endpoints.size(), 130U);
}

TEST_F(ServiceEndpoints, GoWithTheirService) {
  make_service();
  ASSERT_TRUE(env.find<core::Endpoints>("web"));
  env.delete_<core::Service>("web");
  env.settle();
  EXPECT_FALSE(env.find<core::Endpoints>("web"));
}

TEST_F(ServiceEndpoints, AServiceWithoutASelectorIsLeftToOthers) {
  env.apply("apiVersion: v1\nkind: Service\nmetadata: {name: other}\nspec: {ports: [{port: 80}]}\n");
  env.settle();
  EXPECT_FALSE(env.find<core::Endpoints>("other"));
  EXPECT_THAT(env.list<discovery::EndpointSlice>({.labels = {{"kubernetes.io/service-name", "other"}}}), IsEmpty());
}

}  // namespace
