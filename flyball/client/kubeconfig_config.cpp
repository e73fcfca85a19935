// From the entries of a kubeconfig to a Config.
#include <utility>

#include "flyball/client/credentials.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/client/detail/kubeconfig_fields.hpp"
#include "flyball/client/exec_credentials.hpp"
#include "flyball/client/kubeconfig.hpp"
#include "flyball/client/oidc_credentials.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/net/certificate.hpp"

namespace flyball::client {
namespace {

using detail::Fields;

net::Url read_url(const Fields& fields, const std::string& name, const std::string& text) {
  try {
    return net::Url::parse(text);
  } catch (const InputError& error) {
    fields.fail(name, error.problem());
  }
}

void not_both(const Fields& fields, const std::string& one, const std::string& other) {
  if (fields.has(one) && fields.has(other)) fields.fail(one, "given beside " + other + "; remove one of them");
}

std::string certificates(const Fields& fields, const std::string& name) {
  std::string pem = fields.data(name);
  if (pem.empty()) return {};
  try {
    (void)net::read_certificate(pem);
  } catch (const InputError& error) {
    fields.fail(name, error.problem());
  }
  return pem;
}

void read_trust(const Fields& cluster, net::TlsClientOptions& tls) {
  not_both(cluster, "certificate-authority", "certificate-authority-data");
  tls.ca = certificates(cluster, "certificate-authority-data");
  tls.ca_file = cluster.file("certificate-authority");
  tls.insecure = cluster.flag("insecure-skip-tls-verify");
  tls.server_name = cluster.text("tls-server-name");
  if (tls.insecure && !(tls.ca.empty() && tls.ca_file.empty())) {
    cluster.fail("insecure-skip-tls-verify", "true beside a certificate authority; trust that, or anybody: remove one");
  }
}

void read_server(const Fields& cluster, Config& config) {
  std::string server = cluster.text("server");
  if (server.empty()) cluster.fail("server", "missing; expected the URL of the API server");
  // As client-go takes "10.0.0.1:6443".
  const bool tls = config.tls.insecure || !config.tls.ca.empty() || !config.tls.ca_file.empty();
  if (server.find("://") == std::string::npos) server.insert(0, tls ? "https://" : "http://");
  config.server = read_url(cluster, "server", server);
  if (config.server.scheme != "https" && config.server.scheme != "http") {
    cluster.fail("server", "expected a URL that begins with https:// or http://, found " + config.server.text());
  }
}

net::ProxyRules proxies_of_environment(const KubeconfigOptions& options) {
  return options.variable ? net::ProxyRules::from(options.variable) : net::ProxyRules::from_environment();
}

net::ProxyRules read_proxy(const Fields& cluster, const KubeconfigOptions& options) {
  const std::string url = cluster.text("proxy-url");
  if (url.empty()) return proxies_of_environment(options);
  const net::Url proxy = read_url(cluster, "proxy-url", url);
  if (proxy.scheme != "http" && proxy.scheme != "https" && proxy.scheme != "socks5" && proxy.scheme != "socks5h") {
    cluster.fail("proxy-url", "expected http://, https:// or socks5://, found " + proxy.text());
  }
  return net::ProxyRules::all_through(proxy);
}

void read_cluster(const Fields& cluster, const KubeconfigOptions& options, Config& config) {
  cluster.warn_of_others({"server", "tls-server-name", "insecure-skip-tls-verify", "certificate-authority",
                          "certificate-authority-data", "proxy-url", "disable-compression", "extensions"},
                         options.log);
  read_trust(cluster, config.tls);
  read_server(cluster, config);
  config.proxy = read_proxy(cluster, options);
  config.compression = !cluster.flag("disable-compression");
}

void read_certificate(const Fields& user, net::TlsClientOptions& tls) {
  not_both(user, "client-certificate", "client-certificate-data");
  not_both(user, "client-key", "client-key-data");
  tls.certificate = certificates(user, "client-certificate-data");
  tls.certificate_file = user.file("client-certificate");
  tls.key = Secret(user.data("client-key-data"));
  tls.key_file = user.file("client-key");
  const bool certificate = !tls.certificate.empty() || !tls.certificate_file.empty();
  const bool key = !tls.key.empty() || !tls.key_file.empty();
  if (certificate && !key) user.fail("", "a client certificate without client-key or client-key-data");
  if (key && !certificate) user.fail("", "a client key without client-certificate or client-certificate-data");
}

Impersonation read_impersonation(const Fields& user) {
  Impersonation who{.user = user.text("as"),
                    .uid = user.text("as-uid"),
                    .groups = user.texts("as-groups"),
                    .extra = user.lists("as-user-extra")};
  if (who.user.empty() && !(who.uid.empty() && who.groups.empty() && who.extra.empty())) {
    user.fail("as", "missing; as-uid, as-groups and as-user-extra are of somebody: name the user");
  }
  return who;
}

// `spec.cluster` of what the plugin is told.
json::Value cluster_for_plugin(const Fields& cluster) {
  json::Builder info;
  info.begin_object();
  for (const char* name : {"server", "tls-server-name", "proxy-url"}) {
    if (const std::string text = cluster.text(name); !text.empty()) info.key(name).string(text);
  }
  for (const char* name : {"insecure-skip-tls-verify", "disable-compression"}) {
    if (cluster.flag(name)) info.key(name).boolean(true);
  }
  std::string ca = cluster.data("certificate-authority-data");
  if (const std::string file = cluster.file("certificate-authority"); !file.empty()) ca = detail::read_file(file);
  if (!ca.empty()) info.key("certificate-authority-data").string(kube::to_base64(ca));
  for (const Fields& extension : cluster.objects("extensions")) {
    if (extension.text("name") != "client.authentication.k8s.io/exec") continue;
    info.key("config").value(extension.view()["extension"]);
    break;
  }
  info.end();
  return info.finish();
}

Interactive read_interactive(const Fields& exec, const std::string& api_version) {
  const std::string mode = exec.text("interactiveMode");
  if (mode == "Never") return Interactive::never;
  if (mode == "IfAvailable") return Interactive::if_available;
  if (mode == "Always") return Interactive::always;
  // Required from v1 on.
  if (mode.empty() && api_version.ends_with("/v1beta1")) return Interactive::if_available;
  exec.fail("interactiveMode", (mode.empty() ? "missing" : "found \"" + mode + "\"") +
                                   std::string("; expected Never, IfAvailable or Always"));
}

std::shared_ptr<Credentials> read_exec(Clock& clock, const Fields& exec, const Fields& cluster, const Logger& log) {
  exec.warn_of_others({"command", "args", "env", "apiVersion", "installHint", "provideClusterInfo", "interactiveMode"},
                      log);
  ExecPlugin plugin{.command = exec.text("command"),
                    .args = exec.texts("args"),
                    .api_version = exec.text("apiVersion"),
                    .install_hint = exec.text("installHint")};
  if (plugin.command.empty()) exec.fail("command", "missing; expected the program to run");
  if (plugin.api_version.empty()) {
    exec.fail("apiVersion",
              "missing; expected what the program speaks: client.authentication.k8s.io/v1 or .../v1beta1");
  }
  if (plugin.command.find('/') != std::string::npos) plugin.command = exec.path("command");
  for (const Fields& variable : exec.objects("env")) {
    if (!variable.has("name")) variable.fail("name", "missing; expected the name of an environment variable");
    plugin.environment[variable.text("name")] = variable.text("value");
  }
  plugin.interactive = read_interactive(exec, plugin.api_version);
  if (exec.flag("provideClusterInfo")) plugin.cluster = cluster_for_plugin(cluster);
  try {
    return exec_credentials(clock, std::move(plugin), {.log = log});
  } catch (const InputError& error) {
    exec.fail(error.path(), error.problem());
  }
}

std::shared_ptr<Credentials> read_auth_provider(Clock& clock, const Fields& provider,
                                                const KubeconfigOptions& options) {
  const std::string name = provider.text("name");
  if (name == "gcp" || name == "azure") {
    provider.fail("name", "\"" + name +
                              "\" was removed from Kubernetes in 1.26; have the cloud's tool write the entry "
                              "again (" +
                              (name == "gcp" ? "gcloud container clusters get-credentials, with gke-gcloud-auth-plugin"
                                             : "az aks get-credentials, then kubelogin convert-kubeconfig") +
                              ")");
  }
  if (name != "oidc") provider.fail("name", "expected \"oidc\", the only one there is; found \"" + name + "\"");
  const Fields settings = provider.object("config");
  OidcOptions oidc{.issuer = settings.text("idp-issuer-url"),
                   .client_id = settings.text("client-id"),
                   .client_secret = settings.secret("client-secret"),
                   .id_token = settings.secret("id-token"),
                   .refresh_token = settings.secret("refresh-token"),
                   .ca = certificates(settings, "idp-certificate-authority-data"),
                   .ca_file = settings.file("idp-certificate-authority"),
                   .proxy = proxies_of_environment(options),  // proxy-url is the way to the cluster, not to the issuer
                   .log = options.log};
  try {
    return oidc_credentials(clock, std::move(oidc));
  } catch (const InputError& error) {
    settings.fail(error.path(), error.problem());
  }
}

std::shared_ptr<Credentials> read_token(const Fields& user, const Logger& log) {
  const Secret token = user.secret("token");
  if (!user.has("tokenFile")) return bearer_token(token);
  // With a token beside it the file may come later.
  return token_file(token.empty() ? user.file("tokenFile") : user.path("tokenFile"), {.first = token, .log = log});
}

std::shared_ptr<Credentials> read_credentials(Clock& clock, const Fields& user, const Fields& cluster,
                                              const KubeconfigOptions& options) {
  const bool token = user.has("token") || user.has("tokenFile");
  if (token && user.has("username")) user.fail("username", "given beside a token; remove one of them");
  if (user.has("exec") && user.has("auth-provider")) {
    user.fail("exec", "given beside auth-provider; remove one of them");
  }
  if (user.has("password") && !user.has("username")) user.fail("username", "missing; there is a password");
  if (token) return read_token(user, options.log);
  if (user.has("username")) return basic_auth(user.text("username"), user.secret("password"));
  if (user.has("exec")) return read_exec(clock, user.object("exec"), cluster, options.log);
  if (user.has("auth-provider")) return read_auth_provider(clock, user.object("auth-provider"), options);
  return nullptr;
}

void read_user(Clock& clock, const Fields& user, const Fields& cluster, const KubeconfigOptions& options,
               Config& config) {
  user.warn_of_others(
      {"client-certificate", "client-certificate-data", "client-key", "client-key-data", "token", "tokenFile", "as",
       "as-uid", "as-groups", "as-user-extra", "username", "password", "auth-provider", "exec", "extensions"},
      options.log);
  read_certificate(user, config.tls);
  config.impersonate = read_impersonation(user);
  config.credentials = read_credentials(clock, user, cluster, options);
}

std::string chosen(const std::string& override_name, const std::string& of_context) {
  return override_name.empty() ? of_context : override_name;
}

}  // namespace

Config Kubeconfig::config(Clock& clock, const KubeconfigOptions& options) const {
  const Entry* const context = choose_context(options.context, options.cluster.empty());
  std::string cluster_name = options.cluster;
  std::string user_name = options.user;
  std::string namespace_name = options.namespace_;
  std::string asked_by;
  Config config;
  if (context != nullptr) {
    const Fields fields = Kubeconfig::fields(*context, "context");
    fields.warn_of_others({"cluster", "user", "namespace", "extensions"}, options.log);
    cluster_name = chosen(cluster_name, fields.text("cluster"));
    user_name = chosen(user_name, fields.text("user"));
    namespace_name = chosen(namespace_name, fields.text("namespace"));
    if (cluster_name.empty()) fields.fail("cluster", "missing; expected the name of a cluster");
    asked_by = ", which the context \"" + context->name + "\" names";
    config.source = "context \"" + context->name + "\" of " + context->file->name;
  } else {
    config.source = "cluster \"" + cluster_name + "\" of " + all_files();
  }
  if (!namespace_name.empty()) config.namespace_ = namespace_name;
  const Fields cluster =
      fields(find(clusters_, "cluster", cluster_name, options.cluster.empty() ? asked_by : ""), "cluster");
  read_cluster(cluster, options, config);
  if (user_name.empty()) return config;
  const Fields user = fields(find(users_, "user", user_name, options.user.empty() ? asked_by : ""), "user");
  read_user(clock, user, cluster, options, config);
  return config;
}

}  // namespace flyball::client
