#include "flyball/client/load_config.hpp"

#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/bytes.hpp"

namespace flyball::client {
namespace {

using detail::error_of;
using testing::HasSubstr;

std::string kubeconfig_for(const std::string& host) {
  return "{current-context: c, contexts: [{name: c, context: {cluster: a}}, {name: other, context: {cluster: b}}], "
         "clusters: [{name: a, cluster: {server: 'https://" +
         host + "'}}, {name: b, cluster: {server: 'https://other." + host + "'}}]}";
}

class LoadConfig : public testing::Test {
 public:
  LoadConfig() {
    std::filesystem::create_directories(folder.path("home/.kube"));
    std::filesystem::create_directories(folder.path("account"));
    folder.write("account/token", "t");
    folder.write("account/namespace", "pods-own");
    variables["HOME"] = folder.path("home");
  }
  void be_in_a_pod() {
    variables["KUBERNETES_SERVICE_HOST"] = "10.96.0.1";
    variables["KUBERNETES_SERVICE_PORT"] = "443";
  }
  Config load(LoadOptions options = {}) {
    options.variable = [this](const char* name) { return variables[name]; };
    options.service_account = folder.path("account");
    return load_config(clock, options);
  }

  bool is_own(LoadOptions options = {}) {
    options.variable = [this](const char* name) { return variables[name]; };
    return is_pods_own(options);
  }

  RealClock clock;
  const detail::TempFolder folder;
  std::map<std::string, std::string> variables;
};

TEST_F(LoadConfig, TheNearestIsUsed) {
  folder.write("home/.kube/config", kubeconfig_for("home"));
  EXPECT_EQ(load().server.host, "home");
  be_in_a_pod();
  EXPECT_EQ(load().server.host, "10.96.0.1");
  variables["KUBECONFIG"] = folder.write("listed", kubeconfig_for("listed"));
  EXPECT_EQ(load().server.host, "listed");
  EXPECT_EQ(load({.kubeconfig = folder.write("named", kubeconfig_for("named"))}).server.host, "named");
}

TEST_F(LoadConfig, ThePodsOwnIsKnownAsSuch) {
  EXPECT_FALSE(is_own());
  be_in_a_pod();
  EXPECT_TRUE(is_own());
  EXPECT_FALSE(is_own({.context = "other"}));
  EXPECT_FALSE(is_own({.kubeconfig = "named"}));
  variables["KUBECONFIG"] = "listed";
  EXPECT_FALSE(is_own());
}

TEST_F(LoadConfig, APodHasNoContexts) {
  folder.write("home/.kube/config", kubeconfig_for("home"));
  be_in_a_pod();
  EXPECT_EQ(load({.context = "other"}).server.host, "other.home");
  EXPECT_EQ(load({.cluster = "b"}).server.host, "other.home");
}

TEST_F(LoadConfig, TheNamespaceCanBeReplacedEverywhere) {
  folder.write("home/.kube/config", kubeconfig_for("home"));
  EXPECT_EQ(load({.namespace_ = "mine"}).namespace_, "mine");
  be_in_a_pod();
  EXPECT_EQ(load().namespace_, "pods-own");
  EXPECT_EQ(load({.namespace_ = "mine"}).namespace_, "mine");
}

TEST_F(LoadConfig, TheListIsMergedAndMissingFilesAreSkipped) {
  CapturingSink sink;
  const auto core = std::make_shared<LogCore>(clock, sink);
  variables["KUBECONFIG"] = folder.path("gone") + "::" + folder.write("a", "current-context: other\n") + ":" +
                            folder.write("b", kubeconfig_for("b"));
  EXPECT_EQ(load({.log = Logger(core, "client")}).server.host, "other.b");
  EXPECT_THAT(sink.take(), HasSubstr(folder.path("gone")));
}

TEST_F(LoadConfig, AListOfNothingIsAnErrorAndNotAnotherCluster) {
  folder.write("home/.kube/config", kubeconfig_for("home"));
  be_in_a_pod();
  variables["KUBECONFIG"] = folder.path("gone") + ":" + folder.path("lost");
  EXPECT_EQ(error_of<InputError>([&] { return load(); }),
            "KUBECONFIG: none of the files it names is there: " + variables["KUBECONFIG"] +
                "; correct the variable, or unset it");
}

TEST_F(LoadConfig, ANamedFileThatIsMissingIsAnError) {
  EXPECT_EQ(error_of<InputError>([&] { return load({.kubeconfig = "/nowhere/config"}); }),
            "/nowhere/config: there is no such kubeconfig");
}

TEST_F(LoadConfig, AFolderIsNoKubeconfig) {
  EXPECT_EQ(error_of<InputError>([&] { return load({.kubeconfig = folder.path("home")}); }),
            folder.path("home") + ": cannot read the file: Is a directory");
}

TEST_F(LoadConfig, WithNothingAtAllEverythingTriedIsNamed) {
  EXPECT_EQ(error_of<InputError>([&] { return load(); }),
            "no cluster to talk to: $KUBECONFIG is not set; this is no pod ($KUBERNETES_SERVICE_HOST and "
            "$KUBERNETES_SERVICE_PORT are not set); there is no " +
                folder.path("home") +
                "/.kube/config. Name a kubeconfig, in $KUBECONFIG or as an option of this program");
  variables.erase("HOME");
  EXPECT_THAT(error_of<InputError>([&] { return load({.context = "x"}); }),
              HasSubstr("$KUBECONFIG is not set; $HOME is not set."));
}

TEST_F(LoadConfig, LeadsToAServer) {
  const detail::TestApi api(clock, [](const net::Request&) { return net::Response{.body = "v1.36.3"}; });
  variables["KUBECONFIG"] =
      folder.write("config", "{clusters: [{name: kind, cluster: {server: '" + api.url() +
                                 "', certificate-authority-data: " + kube::to_base64(api.ca()) +
                                 "}}], contexts: [{name: kind-dev, context: {cluster: kind, namespace: blue}}]}");
  LoadOptions options{.variable = [this](const char* name) { return variables[name]; }};
  // [snippet: load]
  options.context = "kind-dev";
  const Config config = load_config(clock, options);
  HttpTransport transport(clock, config);
  EXPECT_EQ(transport.send({.target = "/version"}, {}).body, "v1.36.3");
  EXPECT_EQ(config.namespace_, "blue");
  // [end]
}

TEST_F(LoadConfig, AClusterIsKnownByItsAddressAndByWhomItIsTrustedBy) {
  const Config plain{.server = net::Url::parse("https://10.96.0.1:443")};
  Config first = plain;
  first.tls.ca = "one authority";
  Config second = plain;
  folder.write("ca.crt", "another authority");
  second.tls.ca_file = folder.path("ca.crt");
  Config moved = first;
  moved.server = net::Url::parse("https://10.96.0.2:443");
  EXPECT_EQ(cluster_identity(first), cluster_identity(Config(first)));
  EXPECT_NE(cluster_identity(first), cluster_identity(second)) << "made anew at the same address";
  EXPECT_NE(cluster_identity(first), cluster_identity(moved));
  EXPECT_EQ(cluster_identity(plain), plain.server.text());
}

}  // namespace
}  // namespace flyball::client
