#include "flyball/apiserver/auth/rbac.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {

namespace rbac = kube::rbac::v1;

namespace {

constexpr std::string_view kAccountPrefix = "system:serviceaccount:";

bool has(const std::vector<std::string>& all, std::string_view one) { return std::ranges::find(all, one) != all.end(); }
bool has_or_all(const std::vector<std::string>& all, std::string_view one) { return has(all, one) || has(all, "*"); }

// "*", "pods", "pods/log", or "*/scale": the scale of everything.
bool names_resource(const std::vector<std::string>& all, const Action& action) {
  if (has_or_all(all, action.resource_text())) return true;
  return !action.subresource.empty() && has(all, "*/" + action.subresource);
}

bool names_path(const std::vector<std::string>& all, std::string_view path) {
  return std::ranges::any_of(all, [&](std::string_view one) {
    return one == path || (one.ends_with('*') && path.starts_with(one.substr(0, one.size() - 1)));
  });
}

// A service account without a namespace is one of the binding's own.
bool is_subject(const rbac::Subject& subject, const std::string& space, const std::string& user,
                const std::vector<std::string>& groups) {
  if (subject.kind == "User") return subject.name == user;
  if (subject.kind == "Group") return has(groups, subject.name);
  if (subject.kind != "ServiceAccount") return false;
  const std::string& of = subject.namespace_.empty() ? space : subject.namespace_;
  return !of.empty() && user == std::string(kAccountPrefix) + of + ":" + subject.name;
}

std::string text_of(const rbac::Subject& subject, const std::string& space) {
  if (subject.kind != "ServiceAccount") return subject.kind + " \"" + subject.name + "\"";
  return subject.kind + " \"" + subject.name + "/" + (subject.namespace_.empty() ? space : subject.namespace_) + "\"";
}

template <class T>
std::vector<T> read_all(const Store& store, const std::string& shelf) {
  std::vector<T> all;
  for (const auto& [name, stored] : store.list(shelf).items) all.push_back(reflect::decode<T>(*stored.bytes));
  return all;
}

}  // namespace

bool rule_allows(const rbac::PolicyRule& rule, const Action& action) {
  if (!has_or_all(rule.verbs, action.verb)) return false;
  if (!action.path.empty()) return names_path(rule.nonResourceURLs, action.path);
  return has_or_all(rule.apiGroups, action.group) && names_resource(rule.resources, action) &&
         (rule.resourceNames.empty() || has(rule.resourceNames, action.name));
}

struct Rbac::Objects {
  std::uint64_t as_of = 0;
  std::map<std::string, std::vector<rbac::PolicyRule>, std::less<>> cluster_roles = {};
  std::map<std::pair<std::string, std::string>, std::vector<rbac::PolicyRule>> roles = {};
  std::vector<rbac::ClusterRoleBinding> cluster_bindings = {};
  std::multimap<std::string, rbac::RoleBinding> bindings = {};  // by namespace

  const std::vector<rbac::PolicyRule>* rules(const rbac::RoleRef& role, const std::string& space) const {
    if (role.kind == "Role") {
      const auto found = roles.find({space, role.name});
      return found == roles.end() ? nullptr : &found->second;
    }
    const auto found = cluster_roles.find(role.name);
    return found == cluster_roles.end() ? nullptr : &found->second;
  }
};

namespace {

// How one asks a binding: true ends the search.
struct Visitor {
  const std::string& user;
  const std::vector<std::string>& groups;
  std::function<bool(const std::vector<rbac::PolicyRule>&, const std::string& binding, const rbac::RoleRef&,
                     const std::string& subject)>
      found;
  std::string missing = {};

  template <class Binding, class Objects>
  bool visit(const Objects& objects, const Binding& binding, const char* kind) {
    const std::string& space = binding.metadata.namespace_;
    for (const rbac::Subject& subject : binding.subjects) {
      if (!is_subject(subject, space, user, groups)) continue;
      const auto* rules = objects.rules(binding.roleRef, space);
      if (rules == nullptr) {
        std::string role = binding.roleRef.kind == "Role" ? "role" : "clusterrole";
        missing = "RBAC: " + role + ".rbac.authorization.k8s.io \"" + binding.roleRef.name + "\" not found";
        return false;
      }
      std::string name = std::string(kind) + " \"" + binding.metadata.name;
      if (!space.empty()) name += "/" + space;
      return found(*rules, name + "\"", binding.roleRef, text_of(subject, space));
    }
    return false;
  }

  template <class Objects>
  bool visit_all(const Objects& objects, const std::string& space) {
    for (const auto& binding : objects.cluster_bindings) {
      if (visit(objects, binding, "ClusterRoleBinding")) return true;
    }
    const auto [first, last] = objects.bindings.equal_range(space);
    return !space.empty() &&
           std::any_of(first, last, [&](const auto& each) { return visit(objects, each.second, "RoleBinding"); });
  }
};

}  // namespace

std::shared_ptr<const Rbac::Objects> Rbac::objects() {
  const MutexLock lock(mutex_);
  const std::uint64_t now = changes_;
  if (objects_ != nullptr && objects_->as_of == now) return objects_;
  auto fresh = std::make_shared<Objects>();
  fresh->as_of = now;
  for (auto& role : read_all<rbac::ClusterRole>(store_, "clusterroles.rbac.authorization.k8s.io")) {
    fresh->cluster_roles[role.metadata.name] = std::move(role.rules);
  }
  for (auto& role : read_all<rbac::Role>(store_, "roles.rbac.authorization.k8s.io")) {
    fresh->roles[{role.metadata.namespace_, role.metadata.name}] = std::move(role.rules);
  }
  fresh->cluster_bindings = read_all<rbac::ClusterRoleBinding>(store_, "clusterrolebindings.rbac.authorization.k8s.io");
  for (auto& binding : read_all<rbac::RoleBinding>(store_, "rolebindings.rbac.authorization.k8s.io")) {
    std::string space = binding.metadata.namespace_;
    fresh->bindings.emplace(std::move(space), std::move(binding));
  }
  objects_ = fresh;
  return fresh;
}

Decision Rbac::decide(const Action& action) {
  if (has(action.groups, kMasters)) return {.allowed = true};
  Decision decision;
  Visitor visitor{.user = action.user,
                  .groups = action.groups,
                  .found = [&](const std::vector<rbac::PolicyRule>& rules, const std::string& binding,
                               const rbac::RoleRef& role, const std::string& subject) {
                    const bool allows = std::ranges::any_of(
                        rules, [&](const rbac::PolicyRule& rule) { return rule_allows(rule, action); });
                    if (allows) {
                      decision = {.allowed = true,
                                  .reason = "RBAC: allowed by " + binding + " of " + role.kind + " \"" + role.name +
                                            "\" to " + subject};
                    }
                    return allows;
                  }};
  if (!visitor.visit_all(*objects(), action.namespace_)) decision.reason = visitor.missing;
  return decision;
}

std::vector<rbac::PolicyRule> Rbac::rules_of(const std::string& user, const std::vector<std::string>& groups,
                                             const std::string& space) {
  std::vector<rbac::PolicyRule> all;
  if (has(groups, kMasters)) {
    all.push_back({.apiGroups = {"*"}, .resources = {"*"}, .verbs = {"*"}});
    all.push_back({.nonResourceURLs = {"*"}, .verbs = {"*"}});
  }
  Visitor visitor{.user = user,
                  .groups = groups,
                  .found = [&](const std::vector<rbac::PolicyRule>& rules, const std::string&, const rbac::RoleRef&,
                               const std::string&) {
                    all.insert(all.end(), rules.begin(), rules.end());
                    return false;
                  }};
  visitor.visit_all(*objects(), space);
  return all;
}

}  // namespace flyball::apiserver
