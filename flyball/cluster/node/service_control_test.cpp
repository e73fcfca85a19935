#include "flyball/cluster/node/service_control.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/testing/environment.hpp"

namespace flyball::cluster::node {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ServiceControlTest, TellsOfEveryServiceAndItsEndpointsOnce) {
  std::vector<ServiceTable> served;
  ServiceControl control([&](const ServiceTable& table) { served.push_back(table); });
  flyball::testing::Environment env([&](runtime::Operator& op) { control.declare(op); });
  env.apply(
      "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: 10.0.0.9, selector: {a: b}, "
      "ports: [{port: 80}]}}");
  env.settle();
  ASSERT_FALSE(served.empty());
  EXPECT_THAT(served.back().ports.at({"10.0.0.9", 80}), IsEmpty());
  env.apply(
      "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: web-1, labels: "
      "{kubernetes.io/service-name: web}}, addressType: IPv4, endpoints: [{addresses: [10.244.0.2]}], "
      "ports: [{name: \"\", port: 8080}]}");
  env.settle();
  EXPECT_THAT(served.back().ports.at({"10.0.0.9", 80}), ElementsAre(Endpoint{"10.244.0.2", 8080}));
  const std::size_t before = served.size();
  env.apply(
      "{apiVersion: v1, kind: Service, metadata: {name: web, labels: {x: \"1\"}}, spec: {clusterIP: 10.0.0.9, "
      "selector: {a: b}, ports: [{port: 80}]}}");
  env.settle();
  EXPECT_EQ(served.size(), before) << "nothing has changed for the network";
}

}  // namespace
}  // namespace flyball::cluster::node
