#include "flyball/client/kubeconfig.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"

namespace flyball::client {
namespace {

using detail::read_file;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Pair;

const std::string kSamples = std::string(FLYBALL_SOURCE_DIR) + "/tests/data/kubeconfig/";

std::string no_variable(const char* /*name*/) { return {}; }

std::string header_of(const Config& config) {
  net::Headers headers;
  if (config.credentials) config.credentials->authorize(headers, {});
  return std::string(headers.get("Authorization"));
}

class KubeconfigTest : public testing::Test {
 public:
  Config sample(const std::string& name, KubeconfigOptions options = {}) {
    if (!options.variable) options.variable = no_variable;
    return Kubeconfig::load({kSamples + name}).config(clock, options);
  }
  // The sample with its plugin in `folder`, as a script that keeps its arguments and what it is told.
  Config sample_with_plugin(const std::string& name, const std::string& plugin) {
    std::string text = read_file(kSamples + name);
    const std::string command = "command: " + plugin;
    text.replace(text.find(command), command.size(), "command: ./" + plugin);
    folder.write_script(plugin, "cd '" + folder.path(".") +
                                    "'\necho \"$@\" > args\nenv > env\necho \"$KUBERNETES_EXEC_INFO\" > info\n"
                                    "echo '{\"kind\": \"ExecCredential\", \"apiVersion\": "
                                    "\"client.authentication.k8s.io/v1beta1\", \"status\": {\"token\": \"t\"}}'\n");
    return Kubeconfig::load({folder.write("config", text)}).config(clock, {.variable = no_variable});
  }
  Config config_of(const std::string& text, const KubeconfigOptions& options = {.variable = no_variable}) {
    return Kubeconfig::parse(text, folder.path("config")).config(clock, options);
  }

  RealClock clock;
  const detail::TempFolder folder;
};

TEST_F(KubeconfigTest, Eks) {
  const Config config = sample_with_plugin("eks.yaml", "aws");
  EXPECT_EQ(config.server.text(), "https://0123456789abcdef0123456789abcdef.gr7.eu-central-1.eks.example.com/");
  EXPECT_EQ(net::read_certificate(config.tls.ca).common_name, "sample ca");
  EXPECT_EQ(config.namespace_, "default");
  EXPECT_EQ(config.source,
            "context \"arn:aws:eks:eu-central-1:111122223333:cluster/prod\" of " + folder.path("config"));
  EXPECT_EQ(header_of(config), "Bearer t");
  EXPECT_EQ(read_file(folder.path("args")), "--region eu-central-1 eks get-token --cluster-name prod --output json\n");
  EXPECT_THAT(read_file(folder.path("env")), HasSubstr("\nAWS_PROFILE=operations\n"));
  EXPECT_THAT(read_file(folder.path("info")), Not(HasSubstr("cluster")));
}

TEST_F(KubeconfigTest, Gke) {
  const Config config = sample_with_plugin("gke.yaml", "gke-gcloud-auth-plugin");
  EXPECT_EQ(config.server.host, "203.0.113.7");
  EXPECT_EQ(header_of(config), "Bearer t");
  const json::Value info = json::parse(read_file(folder.path("info")));
  EXPECT_EQ(info["spec"]["cluster"]["server"].as_string(), "https://203.0.113.7");
  EXPECT_EQ(kube::from_base64(info["spec"]["cluster"]["certificate-authority-data"].as_string()), config.tls.ca);
  EXPECT_EQ(info["spec"]["cluster"].size(), 2U);
}

TEST_F(KubeconfigTest, Aks) {
  const Config config = sample_with_plugin("aks.yaml", "kubelogin");
  EXPECT_EQ(config.server.effective_port(), 443);
  EXPECT_EQ(config.namespace_, "team-a");
  EXPECT_EQ(header_of(config), "Bearer t");
  EXPECT_THAT(read_file(folder.path("args")), EndsWith(" --login devicecode\n"));
}

TEST_F(KubeconfigTest, Oidc) {
  const Config config = sample("oidc.yaml");
  EXPECT_EQ(config.server.text(), "https://k8s.corp.example.com:6443/");
  EXPECT_EQ(config.tls.server_name, "kubernetes.default");
  EXPECT_TRUE(std::filesystem::path(config.tls.ca_file).is_absolute()) << config.tls.ca_file;
  EXPECT_THAT(config.tls.ca_file, EndsWith("/tests/data/kubeconfig/sample-ca.crt"));
  ASSERT_NE(config.proxy.find(config.server), nullptr);
  EXPECT_EQ(config.proxy.find(config.server)->text(), "socks5://proxy.corp.example.com/");
  EXPECT_EQ(config.impersonate.user, "admin");
  EXPECT_EQ(config.impersonate.uid, "1000");
  EXPECT_THAT(config.impersonate.groups, ElementsAre("system:masters", "ops"));
  EXPECT_THAT(config.impersonate.extra, ElementsAre(Pair("example.com/reason", ElementsAre("ticket 4711"))));
  EXPECT_NE(config.credentials, nullptr);
}

TEST_F(KubeconfigTest, Kind) {
  const Config config = sample("kind.yaml");
  EXPECT_EQ(config.server.port, 45123);
  EXPECT_EQ(config.tls.certificate, config.tls.ca);
  EXPECT_EQ(config.tls.key.reveal(), "not a key\n");
  EXPECT_EQ(config.credentials, nullptr);
  EXPECT_TRUE(config.compression);
}

TEST_F(KubeconfigTest, MinikubeRefersToFilesBesideIt) {
  const Config config = sample("minikube.yaml");
  EXPECT_THAT(config.tls.ca_file, EndsWith("/tests/data/kubeconfig/minikube/ca.crt"));
  EXPECT_THAT(config.tls.certificate_file, EndsWith("/minikube/client.crt"));
  EXPECT_THAT(config.tls.key_file, EndsWith("/minikube/client.key"));
  EXPECT_TRUE(config.tls.ca.empty() && config.tls.certificate.empty() && config.tls.key.empty());
}

TEST_F(KubeconfigTest, JsonWithATokenAndAServerWithoutAScheme) {
  const Config config = sample("static-token.json");
  EXPECT_EQ(config.server.text(), "https://rancher.example.com:8443/k8s/clusters/c-abc12") << "there are TLS settings";
  EXPECT_TRUE(config.tls.insecure);
  EXPECT_FALSE(config.compression);
  EXPECT_EQ(header_of(config), "Bearer kubeconfig-user-x:abc");
}

TEST_F(KubeconfigTest, OfSeveralFilesTheFirstCountsEntryByEntry) {
  const Kubeconfig both = Kubeconfig::load({kSamples + "merge-first.yaml", kSamples + "not-there.yaml", "",
                                            kSamples + "merge-second.yaml", kSamples + "merge-first.yaml"});
  EXPECT_THAT(both.contexts(), ElementsAre("one", "two"));
  EXPECT_THAT(both.files(), ElementsAre(kSamples + "merge-first.yaml", kSamples + "merge-second.yaml"));
  EXPECT_EQ(both.current_context(), "two") << "the first that has one";
  const Config two = both.config(clock);
  EXPECT_EQ(two.server.host, "other.example.com");
  EXPECT_EQ(two.namespace_, "blue");
  EXPECT_EQ(header_of(two), "Basic YWRtaW46aHVudGVyMg==");
  EXPECT_EQ(two.source, "context \"two\" of " + kSamples + "merge-second.yaml");
  const Config one = both.config(clock, {.context = "one"});
  EXPECT_EQ(one.server.host, "first.example.com");
  EXPECT_EQ(header_of(one), "Bearer first-token");
  EXPECT_EQ(one.tls.server_name, "") << "nothing of the second file's entry shows through";
  EXPECT_EQ(one.impersonate.user, "");

  const Kubeconfig turned = Kubeconfig::load({kSamples + "merge-second.yaml", kSamples + "merge-first.yaml"});
  EXPECT_EQ(turned.config(clock, {.context = "one"}).server.host, "other.example.com");
}

TEST_F(KubeconfigTest, PartsOfAContextCanBeReplaced) {
  const Kubeconfig second = Kubeconfig::load({kSamples + "merge-second.yaml"});
  const Config config = second.config(clock, {.cluster = "shared", .user = "shared", .namespace_ = "green"});
  EXPECT_EQ(config.server.host, "second.example.com");
  EXPECT_EQ(header_of(config), "Bearer second-token");
  EXPECT_EQ(config.namespace_, "green");
}

TEST_F(KubeconfigTest, AContextIsNotNeededWhenTheClusterIsNamed) {
  const Config config =
      config_of("clusters: [{name: a, cluster: {server: 'http://a:8001'}}]", {.cluster = "a", .variable = no_variable});
  EXPECT_EQ(config.server.text(), "http://a:8001/");
  EXPECT_EQ(config.source, "cluster \"a\" of " + folder.path("config"));
}

TEST_F(KubeconfigTest, AContextWithoutAUserIsAnonymous) {
  const Config config = config_of(
      "{current-context: c, contexts: [{name: c, context: {cluster: a}}], "
      "clusters: [{name: a, cluster: {server: 'a:8001'}}]}");
  EXPECT_EQ(config.credentials, nullptr);
  EXPECT_EQ(config.server.text(), "http://a:8001/") << "no TLS settings: plain, as client-go has it";
}

TEST_F(KubeconfigTest, ATokenFileIsReadAgainAndWinsOverTheToken) {
  folder.write("token", "from the file");
  const Config config = config_of(
      "{current-context: c, contexts: [{name: c, context: {cluster: a, user: u}}], "
      "clusters: [{name: a, cluster: {server: 'https://a'}}], "
      "users: [{name: u, user: {token: inline, tokenFile: token}}]}");
  EXPECT_EQ(header_of(config), "Bearer from the file");
  folder.write("token", "changed");
  EXPECT_EQ(header_of(config), "Bearer changed");
}

TEST_F(KubeconfigTest, WithoutAProxyUrlTheEnvironmentDecides) {
  const std::string text = "{clusters: [{name: a, cluster: {server: 'https://api.example.com'}}]}";
  const Config config = config_of(text, {.cluster = "a", .variable = [](const char* name) -> std::string {
                                           return std::string(name) == "HTTPS_PROXY" ? "http://proxy:3128" : "";
                                         }});
  ASSERT_NE(config.proxy.find(config.server), nullptr);
  EXPECT_EQ(config.proxy.find(config.server)->host, "proxy");
}

TEST_F(KubeconfigTest, ThePluginIsToldOfItsClusterWithItsConfiguration) {
  folder.write("ca.crt", read_file(kSamples + "sample-ca.crt"));
  folder.write_script("plugin",
                      "echo '{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1\", "
                      "\"status\": {\"token\": \"'$(echo \"$KUBERNETES_EXEC_INFO\" | base64 -w0)'\"}}'\n");
  const Config config = config_of(R"(
current-context: c
contexts: [{name: c, context: {cluster: a, user: u}}]
clusters:
- name: a
  cluster:
    server: https://a:6443/path
    tls-server-name: b
    proxy-url: http://proxy:3128
    disable-compression: true
    certificate-authority: ca.crt
    extensions:
    - {name: other, extension: {}}
    - {name: client.authentication.k8s.io/exec, extension: {audience: me, depth: [1]}}
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./plugin
      interactiveMode: Never
      provideClusterInfo: true
)");
  const std::string token = header_of(config).substr(7);
  EXPECT_EQ(
      json::parse(*kube::from_base64(token)),
      json::object(
          {{"kind", "ExecCredential"},
           {"apiVersion", "client.authentication.k8s.io/v1"},
           {"spec",
            json::object(
                {{"cluster",
                  json::object({{"server", "https://a:6443/path"},
                                {"tls-server-name", "b"},
                                {"proxy-url", "http://proxy:3128"},
                                {"disable-compression", true},
                                {"certificate-authority-data", kube::to_base64(read_file(kSamples + "sample-ca.crt"))},
                                {"config", json::object({{"audience", "me"}, {"depth", json::array({1})}})}})},
                 {"interactive", false}})}}));
}

TEST_F(KubeconfigTest, ABrokenEntryBesideTheChosenOneDoesNoHarm) {
  const Config config = config_of(
      "{current-context: c, contexts: [{name: c, context: {cluster: a}}, {name: d}], "
      "clusters: [{name: a, cluster: {server: 'https://a'}}, {name: b, cluster: {server: 3}}], "
      "users: [{name: u, user: {token: [1]}}]}");
  EXPECT_EQ(config.server.host, "a");
}

TEST_F(KubeconfigTest, UnknownFieldsAreToldInTheLog) {
  CapturingSink sink;
  const auto core = std::make_shared<LogCore>(clock, sink);
  (void)config_of(
      "{current-context: c, contexts: [{name: c, context: {cluster: a, user: u}}], "
      "clusters: [{name: a, cluster: {server: 'https://a'}}], users: [{name: u, user: {tokenfile: x}}]}",
      {.variable = no_variable, .log = Logger(core, "client")});
  const std::string log = sink.take();
  EXPECT_THAT(log, HasSubstr("unknown field in the kubeconfig"));
  EXPECT_THAT(log, HasSubstr("users[0].user.tokenfile"));
  EXPECT_THAT(log, HasSubstr("tokenFile"));
}

TEST_F(KubeconfigTest, LeadsToAServer) {
  const detail::TestApi api(clock, [](const net::Request&) { return net::Response{.body = "ok"}; });
  const net::KeyPair jane = api.issue("jane");
  const std::string text =
      "{clusters: [{name: dev, cluster: {server: '" + api.url() +
      "', certificate-authority-data: " + kube::to_base64(api.ca()) +
      "}}], users: [{name: jane, user: {client-certificate-data: " + kube::to_base64(jane.certificate) +
      ", client-key-data: " + kube::to_base64(jane.key.reveal()) +
      "}}], contexts: [{name: dev, context: {cluster: dev, user: jane}}]}";
  const std::string path = folder.write("config", text);
  // [snippet: kubeconfig]
  const Kubeconfig kubeconfig = Kubeconfig::load({path});
  for (const std::string& name : kubeconfig.contexts()) {
    HttpTransport transport(clock, kubeconfig.config(clock, {.context = name}));
    EXPECT_EQ(transport.send({.target = "/readyz"}, {}).body, "ok");
  }
  // [end]
  EXPECT_EQ(api.seen()[0].identity.common_name, "jane");
}

}  // namespace
}  // namespace flyball::client
