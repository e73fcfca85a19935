#include "flyball/apiserver/auth/roles.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/bootstrap.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr std::string_view kRead = "get list watch";
constexpr std::string_view kWrite = "create update patch delete deletecollection";
constexpr std::string_view kAll = "get list watch create update patch delete deletecollection";

// Words with blanks between them; "core" is the group without a name.
struct Rule {
  std::string_view verbs;
  std::string_view groups = {};
  std::string_view resources = {};
  std::string_view paths = {};
};

struct Role {
  std::string_view name;
  std::string_view adds_to = {};       // the role that takes over its rules
  std::string_view collects_for = {};  // takes over the rules of those
  std::span<const Rule> rules = {};
};

constexpr std::array kAdmin{Rule{.verbs = "*", .groups = "*", .resources = "*"}, Rule{.verbs = "*", .paths = "*"}};
constexpr std::array kDiscovery{
    Rule{.verbs = "get",
         .paths = "/livez /readyz /healthz /version /version/ /openapi /openapi/* /api /api/* /apis /apis/*"}};
constexpr std::array kMonitoring{
    Rule{.verbs = "get", .paths = "/metrics /metrics/slis /livez /readyz /healthz /livez/* /readyz/* /healthz/*"},
    Rule{.verbs = "get", .groups = "core", .resources = "nodes/metrics"}};
constexpr std::array kBasicUser{Rule{.verbs = "create",
                                     .groups = "authorization.k8s.io",
                                     .resources = "selfsubjectaccessreviews selfsubjectrulesreviews"},
                                Rule{"create", "authentication.k8s.io", "selfsubjectreviews"}};
constexpr std::array kPublicInfo{Rule{.verbs = "get", .paths = "/livez /readyz /healthz /version /version/"}};
constexpr std::array kIssuerDiscovery{Rule{.verbs = "get",
                                           .paths = "/.well-known/openid-configuration "
                                                    "/.well-known/openid-configuration/ /openid/v1/jwks "
                                                    "/openid/v1/jwks/"}};
constexpr std::array kToAdmin{Rule{"create", "authorization.k8s.io", "localsubjectaccessreviews"},
                              Rule{kAll, kRbac, "roles rolebindings"}};
constexpr std::array kToEdit{
    Rule{kRead, "core", "pods/attach pods/proxy pods/exec pods/portforward secrets services/proxy"},
    Rule{"impersonate", "core", "serviceaccounts"},
    Rule{kWrite, "core", "pods pods/attach pods/proxy pods/exec pods/portforward"},
    Rule{"create", "core", "pods/eviction"},
    Rule{kWrite, "core",
         "replicationcontrollers replicationcontrollers/scale serviceaccounts services services/proxy "
         "persistentvolumeclaims configmaps secrets"},
    Rule{"create", "core", "serviceaccounts/token"},
    Rule{kWrite, "core events.k8s.io", "events"},
    Rule{kWrite, "apps",
         "statefulsets statefulsets/scale daemonsets deployments deployments/scale deployments/rollback replicasets "
         "replicasets/scale"},
    Rule{kWrite, "autoscaling", "horizontalpodautoscalers"},
    Rule{kWrite, "batch", "jobs cronjobs"},
    Rule{kWrite, "policy", "poddisruptionbudgets"},
    Rule{kWrite, "networking.k8s.io", "networkpolicies ingresses"},
    Rule{kAll, "coordination.k8s.io", "leases"},
    Rule{kWrite, "resource.k8s.io", "resourceclaims resourceclaimtemplates"}};
constexpr std::array kToView{
    Rule{kRead, "core",
         "pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status endpoints "
         "persistentvolumeclaims persistentvolumeclaims/status configmaps"},
    Rule{kRead, "core",
         "limitranges resourcequotas bindings pods/status resourcequotas/status namespaces/status "
         "replicationcontrollers/status pods/log"},
    Rule{kRead, "core", "namespaces"},
    Rule{kRead, "core events.k8s.io", "events"},
    Rule{kRead, "discovery.k8s.io", "endpointslices"},
    Rule{kRead, "apps",
         "controllerrevisions statefulsets statefulsets/status statefulsets/scale daemonsets daemonsets/status "
         "deployments deployments/status deployments/scale replicasets replicasets/status replicasets/scale"},
    Rule{kRead, "autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status"},
    Rule{kRead, "batch", "jobs cronjobs cronjobs/status jobs/status"},
    Rule{kRead, "policy", "poddisruptionbudgets poddisruptionbudgets/status"},
    Rule{kRead, "networking.k8s.io", "networkpolicies ingresses ingresses/status"},
    Rule{kRead, "resource.k8s.io", "resourceclaims resourceclaims/status resourceclaimtemplates"}};

constexpr std::array kRoles{
    Role{.name = "cluster-admin", .rules = kAdmin},
    Role{.name = "system:discovery", .rules = kDiscovery},
    Role{.name = "system:monitoring", .rules = kMonitoring},
    Role{.name = "system:basic-user", .rules = kBasicUser},
    Role{.name = "system:public-info-viewer", .rules = kPublicInfo},
    Role{.name = "system:service-account-issuer-discovery", .rules = kIssuerDiscovery},
    Role{.name = "admin", .collects_for = "admin"},
    Role{.name = "edit", .adds_to = "admin", .collects_for = "edit"},
    Role{.name = "view", .adds_to = "edit", .collects_for = "view"},
    Role{.name = "system:aggregate-to-admin", .adds_to = "admin", .rules = kToAdmin},
    Role{.name = "system:aggregate-to-edit", .adds_to = "edit", .rules = kToEdit},
    Role{.name = "system:aggregate-to-view", .adds_to = "view", .rules = kToView},
};

struct Binding {
  std::string_view role;
  std::string_view groups;
};
constexpr std::array kBindings{
    Binding{"cluster-admin", "system:masters"},
    Binding{"system:monitoring", "system:monitoring"},
    Binding{"system:discovery", "system:authenticated"},
    Binding{"system:basic-user", "system:authenticated"},
    Binding{"system:public-info-viewer", "system:authenticated system:unauthenticated"},
    Binding{"system:service-account-issuer-discovery", "system:serviceaccounts"},
};

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

void set_words(json::Draft::Node to, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  auto list = to.ensure_array(key);
  for (const std::string& word : words(text)) list.append(word == "core" ? "" : word);
}

json::Draft begin(std::string_view name) {
  json::Draft draft;
  draft.set("/metadata/name", name);
  draft.set("/metadata/labels/kubernetes.io~1bootstrapping", "rbac-defaults");
  draft.set("/metadata/annotations/rbac.authorization.kubernetes.io~1autoupdate", "true");
  return draft;
}

std::string label(std::string_view role) { return std::string(kRbac) + "/aggregate-to-" + std::string(role); }

json::Value role_object(const Role& role) {
  json::Draft draft = begin(role.name);
  auto root = draft.root();
  if (!role.adds_to.empty()) root.ensure_object("metadata").ensure_object("labels").set(label(role.adds_to), "true");
  if (!role.collects_for.empty()) {
    const json::Value selector = json::object({{"matchLabels", json::object({{label(role.collects_for), "true"}})}});
    draft.set("/aggregationRule", json::object({{"clusterRoleSelectors", json::array({selector})}}));
  }
  auto rules = root.ensure_array("rules");
  for (const Rule& rule : role.rules) {
    json::Draft one;
    set_words(one.root(), "verbs", rule.verbs);
    set_words(one.root(), "apiGroups", rule.groups);
    set_words(one.root(), "resources", rule.resources);
    set_words(one.root(), "nonResourceURLs", rule.paths);
    rules.append(one.build());
  }
  return draft.build();
}

json::Value binding_object(const Binding& binding) {
  json::Draft draft = begin(binding.role);
  draft.set("/roleRef", json::object({{"apiGroup", kRbac}, {"kind", "ClusterRole"}, {"name", binding.role}}));
  auto subjects = draft.root().ensure_array("subjects");
  for (const std::string& group : words(binding.groups)) {
    subjects.append(json::object({{"apiGroup", kRbac}, {"kind", "Group"}, {"name", group}}));
  }
  return draft.build();
}

}  // namespace

void bootstrap_roles(World& world) {
  for (const Role& role : kRoles) ensure_object(world, kRbac, "v1", "clusterroles", "", role_object(role));
  for (const Binding& binding : kBindings) {
    ensure_object(world, kRbac, "v1", "clusterrolebindings", "", binding_object(binding));
  }
}

}  // namespace flyball::apiserver
