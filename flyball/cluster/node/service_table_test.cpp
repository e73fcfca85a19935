#include "flyball/cluster/node/service_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/cluster/node/dns.hpp"

namespace flyball::cluster::node {
namespace {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ServiceTableTest : ::testing::Test {
  std::vector<core::Service> services{
      {.metadata = {.name = "web", .namespace_ = "shop"},
       .spec = {.ports = {{.name = "http", .port = 80, .protocol = "TCP"}}, .clusterIP = "10.0.0.7"}},
      {.metadata = {.name = "etcd", .namespace_ = "shop"},
       .spec = {.ports = {{.name = "peer", .port = 2380}}, .clusterIP = "None"}}};
  std::vector<discovery::EndpointSlice> slices{
      {.metadata = {.name = "web-1", .namespace_ = "shop", .labels = {{"kubernetes.io/service-name", "web"}}},
       .addressType = "IPv4",
       .endpoints = {{.addresses = {"10.244.0.3"}, .conditions = {.ready = true}},
                     {.addresses = {"10.244.0.2"}},
                     {.addresses = {"10.244.0.4"}, .conditions = {.ready = false}}},
       .ports = {{.name = "http", .port = 8080}}},
      {.metadata = {.name = "etcd-1", .namespace_ = "shop", .labels = {{"kubernetes.io/service-name", "etcd"}}},
       .addressType = "IPv4",
       .endpoints = {{.addresses = {"10.244.0.9"}, .hostname = "etcd-0"}},
       .ports = {{.name = "peer", .port = 2380}}}};
  ServiceTable table() { return table_of(services, slices); }

  static std::string question(const std::string& name, char type) {
    std::string bytes("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00", 12);
    for (std::size_t begin = 0; begin < name.size();) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      bytes += static_cast<char>(end - begin);
      bytes += name.substr(begin, end - begin);
      begin = end + 1;
    }
    bytes += std::string("\0\0", 2);
    bytes += type;
    return bytes + std::string("\0\1", 2);
  }
};

TEST_F(ServiceTableTest, AServicesPortLeadsToThoseThatAreReady) {
  EXPECT_THAT(table().ports.at({"10.0.0.7", 80}),
              ElementsAre(Endpoint{"10.244.0.2", 8080}, Endpoint{"10.244.0.3", 8080}));
}

TEST_F(ServiceTableTest, NamesLeadToTheServiceOrWithoutAnAddressToItsPods) {
  const ServiceTable made = table();
  EXPECT_THAT(made.names.at("web.shop.svc.cluster.local"), ElementsAre("10.0.0.7"));
  EXPECT_THAT(made.names.at("etcd.shop.svc.cluster.local"), ElementsAre("10.244.0.9"));
  EXPECT_THAT(made.names.at("etcd-0.etcd.shop.svc.cluster.local"), ElementsAre("10.244.0.9"));
  EXPECT_EQ(made.targets.at("_peer._tcp.etcd.shop.svc.cluster.local").front().name,
            "etcd-0.etcd.shop.svc.cluster.local");
}

TEST_F(ServiceTableTest, SurvivesTheWayToTheProcessThatServesIt) { EXPECT_EQ(table_from(to_json(table())), table()); }

TEST_F(ServiceTableTest, DnsKnowsTheNames) {
  const std::string asked = question("Web.shop.svc.cluster.local", 1);
  const std::string answer = dns_answer(asked, table());
  ASSERT_GT(answer.size(), asked.size());
  EXPECT_EQ(answer.substr(0, 2), "\x12\x34");
  EXPECT_EQ(answer[3], 0);
  EXPECT_EQ(answer[7], 1);
  EXPECT_EQ(answer.substr(answer.size() - 4), std::string("\x0a\0\0\x07", 4));
  EXPECT_EQ(dns_answer(question("web.shop.svc.cluster.local", 28), table())[7], 0) << "it has no IPv6 address";
  EXPECT_EQ(dns_answer(question("web.shop.svc.cluster.local", 28), table())[3], 0) << "but there is such a name";
  EXPECT_EQ(dns_answer(question("no.shop.svc.cluster.local", 1), table())[3], 3);
  EXPECT_EQ(dns_answer(question("example.com", 1), table())[3], 5);
  EXPECT_THAT(dns_answer(question("_peer._tcp.etcd.shop.svc.cluster.local", 33), table()), HasSubstr("etcd-0"));
}

TEST_F(ServiceTableTest, DnsSaysNothingToWhatIsNoQuestion) {
  EXPECT_THAT(dns_answer("", table()), IsEmpty());
  EXPECT_THAT(dns_answer(std::string(12, '\0'), table()), IsEmpty());
  const std::string whole = question("web.shop.svc.cluster.local", 1);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(dns_answer(whole.substr(0, size), table()), IsEmpty()) << size;
  }
}

}  // namespace
}  // namespace flyball::cluster::node
