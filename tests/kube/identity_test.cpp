// Who we are to the server: certificates, tokens, plugins, impersonation; and what happens when they are replaced.
#include <filesystem>
#include <fstream>

#include "kube_test.hpp"

#include "flyball/client/credentials.hpp"
#include "flyball/client/exec_credentials.hpp"
#include "flyball/client/in_cluster.hpp"
#include "flyball/client/load_config.hpp"
#include "flyball/client/subresources.hpp"
#include "flyball/kube/authentication/v1.hpp"

namespace flyball::kubetest {
namespace {

namespace fs = std::filesystem;

struct Identity : KubeTest {
  static kube::authentication::v1::UserInfo who(const Client& client) {
    return client.create(kube::authentication::v1::SelfSubjectReview{}).status.userInfo;
  }
  std::string whoami(const client::Config& config) const { return who(connect(config)).username; }
  client::Config with(std::shared_ptr<client::Credentials> credentials) const {
    auto config = server_.config_without_user();
    config.credentials = std::move(credentials);
    return config;
  }
  // Replaced in one step, as a kubelet does.
  std::string file(const std::string& name, const std::string& text) const {
    const fs::path folder = fs::path(server_.directory()) / ns;
    fs::create_directories(folder);
    std::ofstream(folder / (name + ".new")) << text;
    fs::rename(folder / (name + ".new"), folder / name);
    return (folder / name).string();
  }
  std::string script(const std::string& name, const std::string& text) const {
    std::string path = file(name, "#!/bin/sh\n" + text);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  static std::string credential(const std::string& status) {
    return "cat <<'END'\n{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{" +
           status + "}}\nEND\n";
  }
};

TEST_F(Identity, ACertificateSaysUserAndGroups) {
  const auto info = who(connect(server_.config_for("jim", {"readers", "people"})));
  EXPECT_EQ(info.username, "jim");
  EXPECT_THAT(info.groups, UnorderedElementsAre("readers", "people", "system:authenticated"));
}

TEST_F(Identity, ABearerTokenSaysUserAndGroups) {
  const auto info = who(connect(with(client::bearer_token(Secret(kJaneToken)))));
  EXPECT_EQ(info.username, "jane");
  EXPECT_THAT(info.groups, Contains("readers"));
}

TEST_F(Identity, ATokenNobodyKnowsIsUnauthorizedAndNotPrinted) {
  const auto error = refusal([&] { whoami(with(client::bearer_token(Secret("hunter2hunter2")))); });
  EXPECT_TRUE(error.is_unauthorized());
  EXPECT_EQ(error.code(), 401);
  EXPECT_THAT(error.what(), Not(HasSubstr("hunter2")));
}

TEST_F(Identity, ACertificateOfAnotherAuthorityIsUnauthorized) {
  const auto other = net::CertificateAuthority::make({.common_name = "other", .from = real_clock().wall_now()});
  const auto pair =
      other.issue({.common_name = "admin", .organizations = {"system:masters"}, .from = real_clock().wall_now()});
  auto config = server_.config_without_user();
  config.tls.certificate = pair.certificate;
  config.tls.key = pair.key;
  EXPECT_TRUE(refusal([&] { whoami(config); }).is_unauthorized());
}

TEST_F(Identity, AServerOfAnotherAuthorityIsNotTrusted) {
  const auto other = net::CertificateAuthority::make({.common_name = "other-ca", .from = real_clock().wall_now()});
  auto config = server_.config();
  config.tls.ca = other.certificate();
  const std::string text =
      error_text([&] { connect(config, {.retry = {.connection_attempts = 1}}).raw({.target = "/version"}); });
  EXPECT_THAT(text, HasSubstr("certificate"));
}

TEST_F(Identity, ATokenFileIsReadAnewWhenItIsReplaced) {
  const std::string path = file("token", kJaneToken);
  const Client client_of_file = connect(with(client::token_file(path)));
  EXPECT_EQ(who(client_of_file).username, "jane");
  file("token", kAdminToken);
  EXPECT_EQ(who(client_of_file).username, "root");
}

TEST_F(Identity, TheServiceAccountOfAPodIsFoundAndFollowed) {
  client.create(core::ServiceAccount{.metadata = {.name = "first"}});
  client.create(core::ServiceAccount{.metadata = {.name = "second"}});
  const auto token = [&](const char* name) { return client::request_token(client, {.name = name}).token.reveal(); };
  const std::string path = file("token", token("first"));
  file("ca.crt", server_.authority().certificate());
  file("namespace", ns);
  const auto config = client::in_cluster_config(
      {.folder = fs::path(path).parent_path().string(), .variable = [&](const char* name) -> std::string {
         return std::string(name) == "KUBERNETES_SERVICE_HOST" ? "127.0.0.1" : std::to_string(server_.url().port);
       }});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->namespace_, ns);
  const Client in_pod = connect(*config);
  EXPECT_EQ(who(in_pod).username, "system:serviceaccount:" + ns + ":first");
  file("token", token("second"));
  EXPECT_EQ(who(in_pod).username, "system:serviceaccount:" + ns + ":second");
}

TEST_F(Identity, AKubeconfigLeadsToTheServer) {
  EXPECT_EQ(whoami(client::load_config(real_clock(), {.kubeconfig = server_.kubeconfig()})), "admin");
  const std::string jims = server_.kubeconfig_for("jim", {"readers"});
  EXPECT_EQ(whoami(client::load_config(real_clock(), {.kubeconfig = jims})), "jim");
}

TEST_F(Identity, AnExecPluginBringsAToken) {
  const std::string plugin = script("plugin", credential("\"token\":\"" + std::string(kJaneToken) + "\""));
  EXPECT_EQ(whoami(with(client::exec_credentials(real_clock(), {.command = plugin}))), "jane");
}

TEST_F(Identity, AnExecPluginBringsACertificate) {
  const auto config = server_.config_for("jim", {"readers"});
  const json::Value status =
      json::object({{"clientCertificateData", config.tls.certificate}, {"clientKeyData", config.tls.key.reveal()}});
  std::string inner = json::write(status);
  inner = inner.substr(1, inner.size() - 2);
  EXPECT_EQ(whoami(with(client::exec_credentials(real_clock(), {.command = script("plugin", credential(inner))}))),
            "jim");
}

TEST_F(Identity, AnExecPluginRunsOnceForManyRequests) {
  const std::string count = file("count", "");
  const std::string plugin =
      script("plugin", "echo run >> " + count + "\n" + credential("\"token\":\"" + std::string(kJaneToken) + "\""));
  const Client jane = connect(with(client::exec_credentials(real_clock(), {.command = plugin})));
  for (int i = 0; i < 5; ++i) who(jane);
  EXPECT_EQ(fs::file_size(count), 4) << "one line";
}

TEST_F(Identity, AnExecPluginRunsAgainWhenItsTokenIsNotAccepted) {
  const std::string count = file("count", "");
  // The first token is one the server does not know.
  const std::string plugin =
      script("plugin", "if [ -s " + count + " ]; then\n" + credential("\"token\":\"" + std::string(kJaneToken) + "\"") +
                           "else echo run >> " + count + "\n" + credential("\"token\":\"stale\"") + "fi\n");
  EXPECT_EQ(whoami(with(client::exec_credentials(real_clock(), {.command = plugin}))), "jane");
}

TEST_F(Identity, AnExecPluginThatFailsIsNamedWithItsWords) {
  const std::string plugin = script("plugin", "echo 'please log in first' >&2; exit 3\n");
  const std::string text =
      error_text([&] { whoami(with(client::exec_credentials(real_clock(), {.command = plugin}))); });
  EXPECT_THAT(text, AllOf(HasSubstr(plugin), HasSubstr("please log in first")));
}

TEST_F(Identity, AnExecPluginOfAKubeconfigIsFound) {
  const std::string plugin = script("plugin", credential("\"token\":\"" + std::string(kJaneToken) + "\""));
  const std::string kubeconfig = file("kubeconfig", R"(apiVersion: v1
kind: Config
current-context: test
contexts: [{name: test, context: {cluster: test, user: plugin}}]
clusters: [{name: test, cluster: {server: ")" + server_.url().origin() +
                                                        R"(", certificate-authority: ")" + server_.directory() +
                                                        R"(/ca.crt"}}]
users:
- name: plugin
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}
)");
  EXPECT_EQ(whoami(client::load_config(real_clock(), {.kubeconfig = kubeconfig})), "jane");
  EXPECT_TRUE(fs::exists(plugin));
}

TEST_F(Identity, AnAdministratorMayActAsAnybody) {
  auto config = server_.config();
  config.impersonate = {.user = "carla", .groups = {"drivers"}, .extra = {{"reason", {"a test"}}}};
  const auto info = who(connect(config));
  EXPECT_EQ(info.username, "carla");
  EXPECT_THAT(info.groups, Contains("drivers"));
  EXPECT_THAT(info.extra.at("reason"), ElementsAre("a test"));
}

TEST_F(Identity, SomebodyElseMayNotActAsAnAdministrator) {
  auto config = server_.config_for("jim");
  config.impersonate = {.user = "admin"};
  const auto error = refusal([&] { whoami(config); });
  EXPECT_TRUE(error.is_forbidden());
  EXPECT_THAT(error.what(), AllOf(HasSubstr("User \"jim\""), HasSubstr("cannot impersonate")));
}

// The server gets a certificate of a new authority, as when a cluster's is replaced; clients follow the file.
TEST(Rotation, OfTheAuthorityIsFollowedByClientsThatReadAFile) {
  const testing::KubernetesServer server(real_clock());
  const std::string ca_file = server.directory() + "/clients-ca.crt";
  std::ofstream(ca_file) << server.authority().certificate();
  auto config = server.config();
  config.tls.ca.clear();
  config.tls.ca_file = ca_file;
  const auto connect = [&] {
    return Client(std::make_shared<client::HttpTransport>(real_clock(), config), real_clock(), chance(),
                  {.retry = {.connection_attempts = 1}});
  };
  const Client client = connect();
  client.raw({.target = "/version"});

  const auto next = net::CertificateAuthority::make({.common_name = "next-ca", .from = real_clock().wall_now()});
  const auto pair = next.issue({.common_name = "api", .names = {"127.0.0.1"}, .from = real_clock().wall_now()});
  std::ofstream(server.directory() + "/apiserver.key") << pair.key.reveal();
  std::ofstream(server.directory() + "/apiserver.crt") << pair.certificate;
  std::string trouble;
  while (trouble.empty()) {  // until the server has noticed
    try {
      connect().raw({.target = "/version"});
    } catch (const Error& error) {
      trouble = error.what();
    }
  }
  EXPECT_THAT(trouble, HasSubstr("certificate"));
  std::ofstream(ca_file) << next.certificate();
  EXPECT_EQ(client.raw({.target = "/version"}).status, 200);
}

}  // namespace
}  // namespace flyball::kubetest
