#include "flyball/runtime/rbac.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::runtime {
namespace {

namespace rbac = kube::rbac::v1;

constexpr const char* kRbacGroup = "rbac.authorization.k8s.io";
const std::set<Verb> kRead = {Verb::get, Verb::list, Verb::watch};

template <class T>
json::Value document(const T& object) {
  return json::parse(reflect::encode(object));
}

std::vector<rbac::Subject> subjects(const RoleOptions& options) {
  const std::string& account = options.service_account.empty() ? options.name : options.service_account;
  return {{.kind = "ServiceAccount", .name = account, .namespace_ = options.namespace_}};
}

void add_cluster_role(std::vector<json::Value>& to, const RoleOptions& options, std::vector<rbac::PolicyRule> rules) {
  if (rules.empty()) return;
  to.push_back(document(rbac::ClusterRole{.metadata = {.name = options.name}, .rules = std::move(rules)}));
  to.push_back(document(
      rbac::ClusterRoleBinding{.metadata = {.name = options.name},
                               .roleRef = {.apiGroup = kRbacGroup, .kind = "ClusterRole", .name = options.name},
                               .subjects = subjects(options)}));
}

void add_role(std::vector<json::Value>& to, const RoleOptions& options, const std::string& name,
              const std::string& in_namespace, std::vector<rbac::PolicyRule> rules) {
  if (rules.empty()) return;
  to.push_back(document(rbac::Role{.metadata = {.name = name, .namespace_ = in_namespace}, .rules = std::move(rules)}));
  to.push_back(document(rbac::RoleBinding{.metadata = {.name = name, .namespace_ = in_namespace},
                                          .roleRef = {.apiGroup = kRbacGroup, .kind = "Role", .name = name},
                                          .subjects = subjects(options)}));
}

}  // namespace

std::string_view to_string(Verb verb) noexcept {
  constexpr std::array<std::string_view, 8> kWords = {"get",    "list",  "watch",  "create",
                                                      "update", "patch", "delete", "deletecollection"};
  return kWords.at(static_cast<std::size_t>(verb));
}

void Rbac::allow(Scope scope, std::string group, std::string resource, const std::set<Verb>& verbs) {
  needed_[scope][{std::move(group), std::move(resource)}].insert(verbs.begin(), verbs.end());
}

void Rbac::allow(const client::Resource& resource, const char* subresource, const std::set<Verb>& verbs) {
  allow(resource.namespaced ? Scope::namespaces : Scope::cluster, resource.kind.group, resource.plural + subresource,
        verbs);
}

void Rbac::reconciles(const client::Resource& resource, const ReconcileRights& rights) {
  allow(resource, "", kRead);
  if (rights.finalizer) allow(resource, "", {Verb::patch});
  // Without a subresource the status is written with the object.
  if (rights.status) allow(resource, resource.status ? "/status" : "", {Verb::patch});
  owners_.insert({resource.namespaced ? Scope::namespaces : Scope::cluster,
                  {resource.kind.group, resource.plural + "/finalizers"}});
}

void Rbac::owns(const client::Resource& resource) {
  allow(resource, "", kRead);
  allow(resource, "", {Verb::create, Verb::patch, Verb::delete_});
  owns_ = true;
}

void Rbac::reads(const client::Resource& resource) { allow(resource, "", kRead); }

void Rbac::events() {
  allow(Scope::namespaces, "events.k8s.io", "events", {Verb::create, Verb::patch});
  events_ = true;
}

void Rbac::leases() {
  allow(Scope::own, "coordination.k8s.io", "leases", kRead);
  allow(Scope::own, "coordination.k8s.io", "leases", {Verb::create, Verb::update});
}

void Rbac::may(std::string group, std::string resource, const std::set<Verb>& verbs, bool namespaced) {
  allow(namespaced ? Scope::namespaces : Scope::cluster, std::move(group), std::move(resource), verbs);
}

bool Rbac::reconciles_without_namespace() const {
  return std::ranges::any_of(owners_, [](const auto& owner) { return owner.first == Scope::cluster; });
}

std::map<Rbac::Scope, std::map<Rbac::Target, std::set<Verb>>> Rbac::needed() const {
  auto needed = needed_;
  if (!owns_) return needed;
  for (const auto& [scope, target] : owners_) needed[scope][target].insert(Verb::update);
  return needed;
}

std::vector<rbac::PolicyRule> Rbac::rules(Scope scope) const {
  // Resources of one group with the same verbs share a rule.
  std::map<std::pair<std::string, std::set<Verb>>, std::vector<std::string>> grouped;
  const auto all = needed();
  const auto found = all.find(scope);
  if (found == all.end()) return {};
  for (const auto& [target, verbs] : found->second) grouped[{target.group, verbs}].push_back(target.resource);

  // By group, then by the first resource: a new verb does not move a rule.
  std::map<std::pair<std::string, std::string>, rbac::PolicyRule> ordered;
  for (auto& [key, resources] : grouped) {
    const auto& [group, verbs] = key;
    rbac::PolicyRule rule{.apiGroups = {group}, .resources = resources};
    for (const Verb verb : verbs) rule.verbs.emplace_back(to_string(verb));
    ordered.emplace(std::pair(group, resources.front()), std::move(rule));
  }
  std::vector<rbac::PolicyRule> rules;
  rules.reserve(ordered.size());
  for (auto& [place, rule] : ordered) rules.push_back(std::move(rule));
  return rules;
}

std::vector<Permission> Rbac::permissions(const RoleOptions& options) const {
  std::vector<Permission> all;
  const auto add = [&](const std::string& role, const std::string& in_namespace, const auto& targets) {
    for (const auto& [target, verbs] : targets) {
      for (const Verb verb : verbs) all.push_back({role, in_namespace, target.group, target.resource, verb});
    }
  };
  const std::string everywhere = "ClusterRole " + options.name;
  for (const auto& [scope, targets] : needed()) {
    if (scope == Scope::own) {
      if (options.namespace_.empty()) continue;
      add("Role " + options.name + "-leases in namespace " + options.namespace_, options.namespace_, targets);
    } else if (scope == Scope::cluster || options.namespaces.empty()) {
      add(everywhere, "", targets);
    } else {
      for (const std::string& name : options.namespaces) {
        add("Role " + options.name + " in namespace " + name, name, targets);
      }
    }
  }
  return all;
}

std::vector<json::Value> Rbac::manifests(const RoleOptions& options) const {
  if (options.name.empty()) throw InputError({}, "name", "the roles of an operator need one");
  if (options.namespace_.empty()) throw InputError({}, "namespace", "where does the operator run?");
  std::vector<json::Value> manifests;
  auto cluster = cluster_rules();
  if (options.namespaces.empty()) {
    for (auto& rule : namespaced_rules()) cluster.push_back(std::move(rule));
  }
  add_cluster_role(manifests, options, std::move(cluster));
  for (const std::string& name : std::set<std::string>(options.namespaces.begin(), options.namespaces.end())) {
    add_role(manifests, options, options.name, name, namespaced_rules());
  }
  if (!options.namespaces.empty() && events_ && reconciles_without_namespace()) {
    // Events of objects without a namespace lie in this one.
    add_role(manifests, options, options.name + "-events", "default",
             {{.apiGroups = {"events.k8s.io"}, .resources = {"events"}, .verbs = {"create", "patch"}}});
  }
  // A name of its own: the operator's namespace may be one that it works in.
  add_role(manifests, options, options.name + "-leases", options.namespace_, own_rules());
  return manifests;
}

std::string Rbac::yaml(const RoleOptions& options) const { return json::write_yaml_documents(manifests(options)); }

}  // namespace flyball::runtime
