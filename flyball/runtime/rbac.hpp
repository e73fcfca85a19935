// Rbac: the permissions an operator needs, derived from what it was declared to do. Never more, never by hand.
//
//   Rbac rbac;
//   rbac.reconciles(resource_of<Memcached>(), {.finalizer = false});
//   rbac.owns(resource_of<apps::Deployment>());
//   rbac.reads(resource_of<core::Pod>());
//   rbac.events();
//   std::cout << rbac.yaml({.name = "memcached-operator", .namespace_ = "memcached-system"});
//
// The order of the declarations does not matter: the same permissions give the same text, so that a difference in a
// review is a difference in what the operator may do.
//
// Thread-safety: one thread at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "flyball/client/resource.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/rbac/v1.hpp"

namespace flyball::runtime {

// In the order in which they are printed.
enum class Verb : std::uint8_t { get, list, watch, create, update, patch, delete_, deletecollection };
std::string_view to_string(Verb verb) noexcept;

struct ReconcileRights {
  bool status = true;      // it writes the status
  bool finalizer = false;  // it has a cleanup, so it writes the object's finalizers
};

struct RoleOptions {
  std::string name = {};        // of all roles and bindings
  std::string namespace_ = {};  // where the operator runs: its ServiceAccount and its leases
  // Where it works: empty for all namespaces, by a ClusterRole; else a Role in each of them.
  std::vector<std::string> namespaces = {};
  std::string service_account = {};  // empty: of the same name
};

// One thing it must be allowed to do, and the role that should say so.
struct Permission {
  std::string role = {};        // "ClusterRole memcached-operator", "Role memcached-operator in namespace shop"
  std::string namespace_ = {};  // empty: in all of them, or on objects without one
  std::string group = {};
  std::string resource = {};  // with its subresource: "pods/log"
  Verb verb = Verb::get;
};

class Rbac {
 public:
  void reconciles(const client::Resource& resource, const ReconcileRights& rights = {});
  // Children: applied, deleted and read. The owners are those of reconciles().
  void owns(const client::Resource& resource);
  void reads(const client::Resource& resource);
  void watches(const client::Resource& resource) { reads(resource); }
  void events();
  // Of leader election, in the operator's own namespace only.
  void leases();
  // What the declarations cannot know. `resource` may name a subresource: "pods/eviction".
  void may(std::string group, std::string resource, const std::set<Verb>& verbs, bool namespaced = true);

  // What is needed in the namespaces it works in, on objects without a namespace, and in its own.
  std::vector<kube::rbac::v1::PolicyRule> namespaced_rules() const { return rules(Scope::namespaces); }
  std::vector<kube::rbac::v1::PolicyRule> cluster_rules() const { return rules(Scope::cluster); }
  std::vector<kube::rbac::v1::PolicyRule> own_rules() const { return rules(Scope::own); }

  // All of it, one by one, as the roles of manifests() give it; in the operator's own namespace too when that is known.
  std::vector<Permission> permissions(const RoleOptions& options) const;

  // The roles and their bindings. Throws InputError without a name, or without the namespace.
  std::vector<json::Value> manifests(const RoleOptions& options) const;
  std::string yaml(const RoleOptions& options) const;

 private:
  enum class Scope : std::uint8_t { namespaces, cluster, own };
  struct Target {
    std::string group;
    std::string resource;
    friend auto operator<=>(const Target&, const Target&) = default;
  };

  void allow(Scope scope, std::string group, std::string resource, const std::set<Verb>& verbs);
  void allow(const client::Resource& resource, const char* subresource, const std::set<Verb>& verbs);
  // With what owning adds: the server asks for it when a child is to hold up the deletion of its owner.
  std::map<Scope, std::map<Target, std::set<Verb>>> needed() const;
  std::vector<kube::rbac::v1::PolicyRule> rules(Scope scope) const;
  bool reconciles_without_namespace() const;

  std::map<Scope, std::map<Target, std::set<Verb>>> needed_;
  std::set<std::pair<Scope, Target>> owners_;  // what is reconciled, by its subresource "finalizers"
  bool owns_ = false;
  bool events_ = false;
};

}  // namespace flyball::runtime
