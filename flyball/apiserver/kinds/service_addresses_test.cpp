#include "flyball/apiserver/kinds/service_addresses.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/kinds/service_defaults.hpp"
#include "flyball/base/random.hpp"
#include "flyball/reflect/decode_yaml.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

core::Service service_of(const std::string& spec) {
  auto service = reflect::decode_yaml<core::Service>("{metadata: {name: s}, spec: " + spec + "}");
  default_service(service);
  return service;
}

struct ServiceAddresses : testing::Test {
  // The problems' text; `service` has what was chosen.
  std::string allocate(const core::Service* old = nullptr) {
    Problems problems;
    allocate_service(service, old, range, taken, random, problems);
    return problems.text();
  }

  core::Service service;
  ServiceRange range;
  TakenAddresses taken;
  Random random{1};
};

TEST_F(ServiceAddresses, AClusterIpIsChosenFromTheUpperPartOfTheRange) {
  taken.ips.insert("10.0.0.1");
  for (int i = 0; i < 20; ++i) {
    service = service_of("{ports: [{port: 80}]}");
    ASSERT_EQ(allocate(), Problems().text());
    EXPECT_EQ(service.spec.clusterIPs, std::vector<std::string>{service.spec.clusterIP});
    EXPECT_EQ(service.spec.ipFamilies, std::vector<std::string>{"IPv4"});
    EXPECT_EQ(service.spec.ipFamilyPolicy, "SingleStack");
    const int last = std::stoi(service.spec.clusterIP.substr(std::string("10.0.0.").size()));
    EXPECT_GE(last, 17);
    EXPECT_LE(last, 254);
    EXPECT_TRUE(taken.ips.insert(service.spec.clusterIP).second) << "given out twice";
  }
}

TEST_F(ServiceAddresses, EveryAddressIsGivenOutBeforeTheRangeIsFull) {
  range.cidr = "10.0.0.0/28";
  for (int i = 0; i < 14; ++i) {
    service = service_of("{ports: [{port: 80}]}");
    ASSERT_EQ(allocate(), Problems().text());
    taken.add(service);
  }
  EXPECT_EQ(taken.ips.size(), 14U);
  service = service_of("{ports: [{port: 80}]}");
  EXPECT_NE(allocate().find("failed to allocate a serviceIP for Service \"s\": range is full"), std::string::npos);
}

// What kube-apiserver v1.36 answered to each of these.
TEST_F(ServiceAddresses, WhatCannotBeHadIsRefusedInTheWordsOfTheRealServer) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{clusterIP: 10.0.0.1, ports: [{port: 80}]}",
       R"(spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: provided IP is already allocated)"},
      {"{clusterIP: 1.2.3.4, ports: [{port: 80}]}",
       R"(spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided network does not match the current range)"},
      {"{clusterIP: 10.0.0.0, ports: [{port: 80}]}",
       R"(spec.clusterIPs: Invalid value: ["10.0.0.0"]: failed to allocate IP 10.0.0.0: the provided network does not match the current range)"},
      {"{clusterIP: 10.0.0.255, ports: [{port: 80}]}",
       R"(spec.clusterIPs: Invalid value: ["10.0.0.255"]: failed to allocate IP 10.0.0.255: the provided network does not match the current range)"},
      {"{clusterIP: foo, ports: [{port: 80}]}",
       R"(spec.clusterIPs[0]: Invalid value: "foo": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))"},
      {"{type: NodePort, ports: [{port: 80, nodePort: 80}]}",
       "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports "
       "is "
       "30000-32767"},
      {"{type: NodePort, ports: [{port: 80, nodePort: 30100}]}",
       "spec.ports[0].nodePort: Invalid value: 30100: provided port is already allocated"},
      {"{ipFamilies: [IPv6], ports: [{port: 80}]}",
       R"(spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster)"},
      {"{ipFamilyPolicy: RequireDualStack, ports: [{port: 80}]}",
       R"(spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services)"},
      {"{clusterIP: '::1', ports: [{port: 80}]}",
       R"(spec.clusterIPs[0]: Invalid value: ["::1"]: IPv6 is not configured on this cluster)"},
      {"{clusterIPs: [10.0.0.77], ports: [{port: 80}]}",
       R"(spec.clusterIPs: Invalid value: ["10.0.0.77"]: must be empty when `clusterIP` is not specified)"},
      {"{ipFamilies: [IPv4, IPv6], ports: [{port: 80}]}",
       R"(spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified)"},
  };
  taken.ips.insert("10.0.0.1");
  taken.ports.insert(30100);
  for (const auto& [spec, problem] : cases) {
    SCOPED_TRACE(spec);
    service = service_of(spec);
    EXPECT_EQ(allocate(), problem);
  }
}

TEST_F(ServiceAddresses, AHeadlessServiceWithoutSelectorMayHaveBothFamilies) {
  service = service_of("{clusterIP: None}");
  EXPECT_EQ(allocate(), Problems().text());
  EXPECT_EQ(service.spec.clusterIPs, std::vector<std::string>{"None"});
  EXPECT_EQ(service.spec.ipFamilies, (std::vector<std::string>{"IPv4", "IPv6"}));
  EXPECT_EQ(service.spec.ipFamilyPolicy, "RequireDualStack");
}

TEST_F(ServiceAddresses, TcpAndUdpOfOnePortShareANodePort) {
  service = service_of("{type: NodePort, ports: [{port: 80, name: a}, {port: 80, protocol: UDP, name: b}]}");
  EXPECT_EQ(allocate(), Problems().text());
  EXPECT_GE(service.spec.ports[0].nodePort, 30086);
  EXPECT_EQ(service.spec.ports[0].nodePort, service.spec.ports[1].nodePort);
}

TEST_F(ServiceAddresses, ABalancerMayGoWithoutNodePorts) {
  service = service_of("{type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{port: 80}]}");
  EXPECT_EQ(allocate(), Problems().text());
  EXPECT_EQ(service.spec.ports[0].nodePort, 0);
}

TEST_F(ServiceAddresses, AHealthCheckPortThatIsTakenIsAnInternalError) {
  taken.ports.insert(30100);
  service = service_of(
      "{type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30100, "
      "ports: [{port: 80}]}");
  Problems problems;
  allocate_service(service, nullptr, range, taken, random, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems.begin()->kind, Problem::Kind::internal);
  EXPECT_EQ(problems.begin()->message,
            "failed to allocate requested HealthCheck NodePort 30100: provided port is already allocated");
}

TEST_F(ServiceAddresses, AnUpdateThatLeavesOutWhatWasChosenKeepsIt) {
  service = service_of("{type: NodePort, ports: [{port: 80}]}");
  ASSERT_EQ(allocate(), Problems().text());
  const core::Service old = service;
  taken.add(old);
  service = service_of("{type: NodePort, ports: [{port: 81}], selector: {a: b}}");
  EXPECT_EQ(allocate(&old), Problems().text());
  EXPECT_EQ(service.spec.clusterIPs, old.spec.clusterIPs);
  EXPECT_EQ(service.spec.ports[0].nodePort, old.spec.ports[0].nodePort);
}

TEST_F(ServiceAddresses, AServiceThatBecomesInternalGetsAnAddress) {
  const core::Service old = service_of("{type: ExternalName, externalName: a.b}");
  service = service_of("{type: ClusterIP, ports: [{port: 80}]}");
  EXPECT_EQ(allocate(&old), Problems().text());
  EXPECT_TRUE(service.spec.clusterIP.starts_with("10.0.0."));
}

}  // namespace
}  // namespace flyball::apiserver
