// What people get wrong in a kubeconfig, and what they are told.
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/api_for_test.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/client/kubeconfig.hpp"

namespace flyball::client {
namespace {

struct Wrong {
  const char* name;
  const char* text;
  const char* error;  // with FOLDER for where the file is
  KubeconfigOptions options = {};
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.name; }

std::string no_variable(const char* /*name*/) { return {}; }

class WrongKubeconfig : public testing::TestWithParam<Wrong> {};

TEST_P(WrongKubeconfig, SaysWhereAndWhat) {
  RealClock clock;
  const detail::TempFolder folder;
  std::string expected = GetParam().error;
  for (std::size_t at = 0; (at = expected.find("FOLDER", at)) != std::string::npos;) {
    expected.replace(at, 6, folder.path("").substr(0, folder.path("").size() - 1));
  }
  KubeconfigOptions options = GetParam().options;
  options.variable = no_variable;
  const std::string path = folder.write("config", GetParam().text);
  EXPECT_EQ(detail::error_of<InputError>([&] { return Kubeconfig::load({path}).config(clock, options); }), expected);
}

// A good file around the part that is wrong.
#define FLYBALL_CLUSTER(FIELDS)                                  \
  "current-context: c\n"                                         \
  "contexts: [{name: c, context: {cluster: dev, user: jane}}]\n" \
  "users: [{name: jane}]\n"                                      \
  "clusters:\n"                                                  \
  "- name: dev\n"                                                \
  "  cluster:\n"                                                 \
  "    " FIELDS "\n"
#define FLYBALL_USER(FIELDS)                                     \
  "current-context: c\n"                                         \
  "contexts: [{name: c, context: {cluster: dev, user: jane}}]\n" \
  "clusters: [{name: dev, cluster: {server: 'https://a'}}]\n"    \
  "users:\n"                                                     \
  "- name: jane\n"                                               \
  "  user:\n"                                                    \
  "    " FIELDS "\n"
#define FLYBALL_EXEC(FIELDS) FLYBALL_USER("exec:\n      " FIELDS)

const Wrong kWrong[] = {
    {"NotYaml", "clusters:\n\t- name: x\n",
     "FOLDER/config: line 2, column 2: clusters: a tab indents this line; YAML takes only spaces"},
    {"CutOff", "{\"clusters\": [",
     "FOLDER/config: line 1, column 15: clusters: expected ',' or ']': the '[' before this is not closed"},
    {"AList", "- a\n- b\n", "FOLDER/config: line 1, column 1: expected a map, found an array"},
    {"AnotherKind", "apiVersion: v1\nkind: Pod\n",
     "FOLDER/config: line 2, column 1: kind: expected \"Config\", found \"Pod\"; is this another kind of file?"},
    {"AnotherVersion", "apiVersion: v2\nkind: Config\n",
     "FOLDER/config: line 1, column 1: apiVersion: expected \"v1\", found \"v2\"; is this another kind of file?"},
    {"TwoDocuments", "kind: Config\n---\nkind: Config\n",
     "FOLDER/config: line 3, column 1: a second document starts here, and only one was expected"},
    {"Empty", "# nothing yet\n", "FOLDER/config: it has no context, so no cluster can be chosen"},
    {"ClustersAsAMap", "clusters:\n  dev: {server: x}\n",
     "FOLDER/config: line 1, column 1: clusters: expected an array, found an object"},
    {"NoName", "users:\n- user: {}\n",
     "FOLDER/config: line 2, column 3: users[0].name: missing; every entry needs a name"},
    {"NumericName", "users:\n- name: 7\n",
     "FOLDER/config: line 2, column 3: users[0].name: expected a string, found an integer; put it in quotes"},
    {"SameNameTwice", "users: [{name: a}, {name: a}]\n",
     "FOLDER/config: line 1, column 21: users[1].name: another user has the name \"a\" too"},
    {"NoCurrentContext", "contexts: [{name: dev}, {name: prod}]\n",
     "FOLDER/config: current-context is not set; choose one of: \"dev\", \"prod\" (to set it: kubectl config "
     "use-context "
     "NAME)"},
    {"CurrentContextIsGone", "current-context: old\ncontexts: [{name: dev}]\n",
     "FOLDER/config: there is no context \"old\", which current-context names. There are: \"dev\""},
    {"ContextIsMisspelt",
     "contexts: [{name: production}, {name: staging}]\n",
     "FOLDER/config: there is no context \"prodution\". Did you mean \"production\"? There are: \"production\", "
     "\"staging\"",
     {.context = "prodution"}},
    {"NoContexts", "users: []\n", "FOLDER/config: there is no context \"x\". There is none at all.", {.context = "x"}},
    {"ContextWithoutCluster", "current-context: c\ncontexts:\n- name: c\n  context: {user: jane}\n",
     "FOLDER/config: line 4, column 3: contexts[0].context.cluster: missing; expected the name of a cluster (context "
     "\"c\")"},
    {"ClusterIsNotThere",
     "current-context: c\ncontexts: [{name: c, context: {cluster: dev}}]\nclusters: [{name: Dev}]\n",
     "FOLDER/config: there is no cluster \"dev\", which the context \"c\" names. Did you mean \"Dev\"? There are: "
     "\"Dev\""},
    {"UserIsNotThere",
     "current-context: c\ncontexts: [{name: c, context: {cluster: dev, user: jane}}]\n"
     "clusters: [{name: dev, cluster: {server: 'https://a'}}]\n",
     "FOLDER/config: there is no user \"jane\", which the context \"c\" names. There is none at all."},
    {"OverrideIsNotThere",
     FLYBALL_USER("token: t"),
     "FOLDER/config: there is no user \"root\". There are: \"jane\"",
     {.user = "root"}},
    {"ClusterIsAText", FLYBALL_CLUSTER("https://a"),
     "FOLDER/config: line 6, column 3: clusters[0].cluster: expected a map, found a string (cluster \"dev\")"},
    {"NoServer", FLYBALL_CLUSTER("tls-server-name: a"),
     "FOLDER/config: line 6, column 3: clusters[0].cluster.server: missing; expected the URL of the API server "
     "(cluster "
     "\"dev\")"},
    {"ServerIsNoUrl", FLYBALL_CLUSTER("server: 'https://a b:6443'"),
     "FOLDER/config: line 7, column 5: clusters[0].cluster.server: \"https://a b:6443\" is no URL we can use: it has a "
     "space, a control character or a byte outside ASCII; percent-encode it (cluster \"dev\")"},
    {"ServerIsNoHttp", FLYBALL_CLUSTER("server: ftp://a"),
     "FOLDER/config: line 7, column 5: clusters[0].cluster.server: expected a URL that begins with https:// or "
     "http://, "
     "found ftp://a/ (cluster \"dev\")"},
    {"CaIsNotBase64", FLYBALL_CLUSTER("{server: 'https://a', certificate-authority-data: '###'}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.certificate-authority-data: this is not base64; was a part "
     "lost when it was copied? (cluster \"dev\")"},
    {"CaIsPem", FLYBALL_CLUSTER("{server: 'https://a', certificate-authority-data: '-----BEGIN CERTIFICATE-----'}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.certificate-authority-data: this is PEM text; fields that "
     "end in -data hold it as base64 (base64 -w0 < file) (cluster \"dev\")"},
    {"CaIsNoCertificate", FLYBALL_CLUSTER("{server: 'https://a', certificate-authority-data: aGVsbG8=}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.certificate-authority-data: no certificate in it; expected "
     "PEM text with \"-----BEGIN CERTIFICATE-----\" (cluster \"dev\")"},
    {"CaFileIsNotThere", FLYBALL_CLUSTER("{server: 'https://a', certificate-authority: pki/ca.crt}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.certificate-authority: FOLDER/pki/ca.crt: cannot read the "
     "file: No such file or directory (cluster \"dev\")"},
    {"CaFileWithTilde", FLYBALL_CLUSTER("{server: 'https://a', certificate-authority: ~/ca.crt}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.certificate-authority: FOLDER/~/ca.crt: cannot read the "
     "file: No such file or directory; write the whole path, ~ means nothing here (cluster \"dev\")"},
    {"CaTwice", FLYBALL_CLUSTER("{server: 'https://a', certificate-authority: a, certificate-authority-data: b}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.certificate-authority: given beside "
     "certificate-authority-data; remove one of them (cluster \"dev\")"},
    {"InsecureWithCa",
     FLYBALL_CLUSTER("{server: 'https://a', certificate-authority: config, insecure-skip-tls-verify: "
                     "true}"),
     "FOLDER/config: line 7, column 58: clusters[0].cluster.insecure-skip-tls-verify: true beside a certificate "
     "authority; trust that, or anybody: remove one (cluster \"dev\")"},
    {"InsecureAsText", FLYBALL_CLUSTER("{server: 'https://a', insecure-skip-tls-verify: 'true'}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.insecure-skip-tls-verify: expected a boolean, found a "
     "string "
     "(cluster \"dev\")"},
    {"ProxyIsNone", FLYBALL_CLUSTER("{server: 'https://a', proxy-url: 'ftp://p'}"),
     "FOLDER/config: line 7, column 27: clusters[0].cluster.proxy-url: expected http://, https:// or socks5://, found "
     "ftp://p/ "
     "(cluster \"dev\")"},
    {"TokenIsANumber", FLYBALL_USER("token: 4711"),
     "FOLDER/config: line 7, column 5: users[0].user.token: expected a string, found an integer; put it in quotes "
     "(user "
     "\"jane\")"},
    {"TokenAndPassword", FLYBALL_USER("{token: t, username: u, password: p}"),
     "FOLDER/config: line 7, column 16: users[0].user.username: given beside a token; remove one of them (user "
     "\"jane\")"},
    {"PasswordAlone", FLYBALL_USER("password: p"),
     "FOLDER/config: line 6, column 3: users[0].user.username: missing; there is a password (user \"jane\")"},
    {"TokenFileIsNotThere", FLYBALL_USER("tokenFile: /nowhere/token"),
     "FOLDER/config: line 7, column 5: users[0].user.tokenFile: /nowhere/token: cannot read the file: No such file or "
     "directory (user \"jane\")"},
    {"CertificateWithoutKey", FLYBALL_USER("client-certificate: config"),
     "FOLDER/config: line 6, column 3: users[0].user: a client certificate without client-key or client-key-data (user "
     "\"jane\")"},
    {"KeyWithoutCertificate", FLYBALL_USER("client-key-data: aGVsbG8="),
     "FOLDER/config: line 6, column 3: users[0].user: a client key without client-certificate or "
     "client-certificate-data (user \"jane\")"},
    {"GroupsOfNobody", FLYBALL_USER("as-groups: [ops]"),
     "FOLDER/config: line 6, column 3: users[0].user.as: missing; as-uid, as-groups and as-user-extra are of somebody: "
     "name the user (user \"jane\")"},
    {"GroupIsANumber", FLYBALL_USER("{as: a, as-groups: [ops, 7]}"),
     "FOLDER/config: line 7, column 30: users[0].user.as-groups[1]: expected a string, found an integer; put it in "
     "quotes (user \"jane\")"},
    {"ExtraIsNoList", FLYBALL_USER("{as: a, as-user-extra: {example.com/x: z}}"),
     "FOLDER/config: line 7, column 29: users[0].user.as-user-extra[\"example.com/x\"]: expected an array, found a "
     "string "
     "(user \"jane\")"},
    {"ExecAndProvider", FLYBALL_USER("{exec: {command: a}, auth-provider: {name: oidc}}"),
     "FOLDER/config: line 7, column 6: users[0].user.exec: given beside auth-provider; remove one of them (user "
     "\"jane\")"},
    {"ExecWithoutCommand", FLYBALL_EXEC("apiVersion: client.authentication.k8s.io/v1"),
     "FOLDER/config: line 7, column 5: users[0].user.exec.command: missing; expected the program to run (user "
     "\"jane\")"},
    {"ExecWithoutVersion", FLYBALL_EXEC("command: aws"),
     "FOLDER/config: line 7, column 5: users[0].user.exec.apiVersion: missing; expected what the program speaks: "
     "client.authentication.k8s.io/v1 or .../v1beta1 (user \"jane\")"},
    {"ExecOfOldTimes",
     FLYBALL_EXEC("{command: aws, interactiveMode: Never, apiVersion: "
                  "client.authentication.k8s.io/v1alpha1}"),
     "FOLDER/config: line 8, column 46: users[0].user.exec.apiVersion: \"client.authentication.k8s.io/v1alpha1\" is "
     "not "
     "spoken here; expected \"client.authentication.k8s.io/v1\" or \"client.authentication.k8s.io/v1beta1\" (v1alpha1 "
     "was "
     "removed in Kubernetes 1.24: have the tool that wrote this entry write it again) (user \"jane\")"},
    {"ExecWithoutMode", FLYBALL_EXEC("{command: aws, apiVersion: client.authentication.k8s.io/v1}"),
     "FOLDER/config: line 7, column 5: users[0].user.exec.interactiveMode: missing; expected Never, IfAvailable or "
     "Always "
     "(user \"jane\")"},
    {"ExecWithAnotherMode",
     FLYBALL_EXEC("{command: aws, apiVersion: client.authentication.k8s.io/v1, interactiveMode: "
                  "never}"),
     "FOLDER/config: line 8, column 67: users[0].user.exec.interactiveMode: found \"never\"; expected Never, "
     "IfAvailable "
     "or Always (user \"jane\")"},
    {"ExecArgIsANumber", FLYBALL_EXEC("{command: aws, args: [--port, 80]}"),
     "FOLDER/config: line 8, column 37: users[0].user.exec.args[1]: expected a string, found an integer; put it in "
     "quotes "
     "(user \"jane\")"},
    {"ExecEnvWithoutName",
     FLYBALL_EXEC("{command: aws, apiVersion: client.authentication.k8s.io/v1, env: [{value: x}]}"),
     "FOLDER/config: line 8, column 73: users[0].user.exec.env[0].name: missing; expected the name of an environment "
     "variable (user \"jane\")"},
    {"ProviderGcp", FLYBALL_USER("auth-provider: {name: gcp}"),
     "FOLDER/config: line 7, column 21: users[0].user.auth-provider.name: \"gcp\" was removed from Kubernetes in 1.26; "
     "have the cloud's tool write the entry again (gcloud container clusters get-credentials, with "
     "gke-gcloud-auth-plugin) (user \"jane\")"},
    {"ProviderUnknown", FLYBALL_USER("auth-provider: {name: openstack}"),
     "FOLDER/config: line 7, column 21: users[0].user.auth-provider.name: expected \"oidc\", the only one there is; "
     "found "
     "\"openstack\" (user \"jane\")"},
    {"OidcWithoutTokens", FLYBALL_USER("auth-provider: {name: oidc, config: {client-id: a}}"),
     "FOLDER/config: line 7, column 33: users[0].user.auth-provider.config: neither an id-token nor a refresh-token; "
     "log "
     "in first (user \"jane\")"},
    {"OidcWithoutIssuer", FLYBALL_USER("auth-provider: {name: oidc, config: {refresh-token: a}}"),
     "FOLDER/config: line 7, column 33: users[0].user.auth-provider.config.idp-issuer-url: missing; it says where to "
     "refresh the token (user \"jane\")"},
};

INSTANTIATE_TEST_SUITE_P(All, WrongKubeconfig, testing::ValuesIn(kWrong),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace flyball::client
