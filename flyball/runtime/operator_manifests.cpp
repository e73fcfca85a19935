// What an operator needs in a cluster, as YAML would say it.
#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/runtime/operator.hpp"

namespace flyball::runtime {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

template <class T>
json::Value document(const T& object) {
  return json::parse(reflect::encode(object));
}

core::Probe probe(const std::string& path) {
  return {.httpGet = {{.path = path, .port = "probes"}}, .periodSeconds = 10};
}

core::Container container(const std::string& name, const std::string& image) {
  return {
      .name = name,
      .image = image,
      .args = {"run"},
      .ports = {{.name = "metrics", .containerPort = 8080}, {.name = "probes", .containerPort = 8081}},
      .resources = {.requests = {{"cpu", "10m"}, {"memory", "16Mi"}}, .limits = {{"memory", "128Mi"}}},
      .livenessProbe = probe("/healthz"),
      .readinessProbe = probe("/readyz"),
      .securityContext = {
          {.allowPrivilegeEscalation = false, .readOnlyRootFilesystem = true, .capabilities = {{.drop = {"ALL"}}}}}};
}

apps::Deployment deployment(const std::string& name, const RoleOptions& roles, const std::string& image) {
  const Labels labels{{"app.kubernetes.io/name", name}};
  const std::string account = roles.service_account.empty() ? roles.name : roles.service_account;
  return {
      .metadata = {.name = name, .namespace_ = roles.namespace_, .labels = labels},
      .spec = {.replicas = 1,
               .selector = {.matchLabels = labels},
               .template_ = {
                   .metadata = {.labels = labels},
                   .spec = {.serviceAccountName = account,
                            .securityContext = {{.runAsNonRoot = true, .seccompProfile = {{.type = "RuntimeDefault"}}}},
                            .containers = {container(name, image)}}}}};
}

}  // namespace

std::vector<json::Value> Operator::manifests(const RoleOptions& roles, const std::string& image) const {
  std::vector<json::Value> all = definitions();
  all.push_back(document(core::Namespace{.metadata = {.name = roles.namespace_}}));
  all.push_back(document(core::ServiceAccount{.metadata = {.name = roles.name, .namespace_ = roles.namespace_}}));
  for (json::Value& one : rbac().manifests(roles)) all.push_back(std::move(one));
  all.push_back(document(deployment(name_, roles, image)));
  return all;
}

}  // namespace flyball::runtime
