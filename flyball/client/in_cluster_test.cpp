#include "flyball/client/in_cluster.hpp"

#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/http_transport.hpp"

namespace flyball::client {
namespace {

using detail::error_of;
using detail::TempFolder;
using detail::TestApi;
using testing::ElementsAre;
using testing::HasSubstr;

class InCluster : public testing::Test {
 public:
  InClusterOptions options() {
    return {.folder = folder.path("."), .variable = [this](const char* name) { return variables[name]; }};
  }

  RealClock clock;
  const TempFolder folder;
  std::map<std::string, std::string> variables{{"KUBERNETES_SERVICE_HOST", "10.96.0.1"},
                                               {"KUBERNETES_SERVICE_PORT", "443"}};
};

TEST_F(InCluster, OutsideAPodThereIsNothing) {
  variables.erase("KUBERNETES_SERVICE_HOST");
  EXPECT_FALSE(in_cluster_config(options()));
}

TEST_F(InCluster, TheServiceAccountSaysWhoAndWhere) {
  folder.write("token", "t");
  folder.write("ca.crt", "x");
  folder.write("namespace", "operators\n");
  const auto config = in_cluster_config(options());
  ASSERT_TRUE(config);
  EXPECT_EQ(config->server.origin(), "https://10.96.0.1:443");
  EXPECT_EQ(config->namespace_, "operators");
  EXPECT_EQ(config->tls.ca_file, folder.path(".") + "/ca.crt");
  EXPECT_EQ(config->source, "the pod's service account in " + folder.path("."));
}

TEST_F(InCluster, TheAddressMayBeIpv6) {
  folder.write("token", "t");
  variables["KUBERNETES_SERVICE_HOST"] = "fd00:10:96::1";
  variables["KUBERNETES_SERVICE_PORT"] = "6443";
  EXPECT_EQ(in_cluster_config(options())->server.origin(), "https://[fd00:10:96::1]:6443");
}

TEST_F(InCluster, NamespaceAndCaMayBeMissing) {
  folder.write("token", "t");
  const auto config = in_cluster_config(options());
  EXPECT_EQ(config->namespace_, "default");
  EXPECT_EQ(config->tls.ca_file, "");
}

TEST_F(InCluster, AMissingTokenSaysWhy) {
  EXPECT_EQ(error_of<InputError>([&] { return in_cluster_config(options()); }),
            folder.path(".") +
                "/token: cannot read the file: No such file or directory; does the pod have a service account "
                "(automountServiceAccountToken: true)?");
}

TEST_F(InCluster, AWrongPortIsNamed) {
  folder.write("token", "t");
  for (const char* port : {"http", "443x", "0", "70000"}) {
    variables["KUBERNETES_SERVICE_PORT"] = port;
    EXPECT_EQ(error_of<InputError>([&] { return in_cluster_config(options()); }),
              "KUBERNETES_SERVICE_PORT: expected a port, found \"" + std::string(port) + "\"");
  }
}

TEST_F(InCluster, TheEnvironmentsProxyIsUsed) {
  folder.write("token", "t");
  variables["HTTPS_PROXY"] = "http://proxy:3128";
  const auto config = in_cluster_config(options());
  ASSERT_NE(config->proxy.find(config->server), nullptr);
  EXPECT_EQ(config->proxy.find(config->server)->host, "proxy");
}

TEST_F(InCluster, TokenAndCaAreReplacedWithoutARestart) {
  const TestApi first(clock);
  const TestApi second(clock);  // another CA
  folder.write("token", "one");
  folder.write("ca.crt", first.ca());
  variables["KUBERNETES_SERVICE_HOST"] = "127.0.0.1";
  variables["KUBERNETES_SERVICE_PORT"] = std::to_string(net::Url::parse(second.url()).port);
  HttpTransport transport(clock, *in_cluster_config(options()));
  EXPECT_THAT(error_of<net::NetError>([&] { return transport.send({}, {}); }), HasSubstr("not among the CAs we trust"));
  folder.write("ca.crt", second.ca());
  EXPECT_EQ(transport.send({}, {}).status, 200);
  folder.write("token", "two");
  EXPECT_EQ(transport.send({}, {}).status, 200);
  EXPECT_THAT(second.authorizations(), ElementsAre("Bearer one", "Bearer two"));
}

TEST_F(InCluster, ALinkThatIsSwappedIsNoticed) {
  // As the kubelet does it: files are links into a folder that a link names, and that link is replaced.
  const TestApi api(clock);
  for (const char* name : {"v1", "v2"}) {
    std::filesystem::create_directory(folder.path(name));
    folder.write(std::string(name) + "/token", name);
    folder.write(std::string(name) + "/ca.crt", api.ca());
  }
  std::filesystem::create_symlink("v1", folder.path("..data"));
  std::filesystem::create_symlink("..data/token", folder.path("token"));
  std::filesystem::create_symlink("..data/ca.crt", folder.path("ca.crt"));
  variables["KUBERNETES_SERVICE_HOST"] = "127.0.0.1";
  variables["KUBERNETES_SERVICE_PORT"] = std::to_string(net::Url::parse(api.url()).port);
  HttpTransport transport(clock, *in_cluster_config(options()));
  (void)transport.send({}, {});
  std::filesystem::create_symlink("v2", folder.path("..data_tmp"));
  std::filesystem::rename(folder.path("..data_tmp"), folder.path("..data"));
  (void)transport.send({}, {});
  EXPECT_THAT(api.authorizations(), ElementsAre("Bearer v1", "Bearer v2"));
}

}  // namespace
}  // namespace flyball::client
