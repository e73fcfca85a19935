// ControllerSpec: what a controller does and what it listens to, as declared, without the types. ReconcileBuilder
// fills it, Controller runs it, Rbac and the manifests are made from it.
//
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/cache/change.hpp"
#include "flyball/cache/scope.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/json/value.hpp"
#include "flyball/runtime/predicates.hpp"
#include "flyball/runtime/rbac.hpp"
#include "flyball/runtime/trigger.hpp"

namespace flyball::runtime {

class Context;

// Which objects to reconcile when this one changes.
using Map = std::function<std::vector<kube::ObjectKey>(const cache::Change&)>;

// A kind that a controller listens to.
struct Source {
  client::Resource resource = {};
  cache::Scope scope = {};
  bool primary = false;  // its objects are what is reconciled
  bool owned = false;    // its objects are children
  Predicate when = {};   // of its changes; empty: all
  std::vector<Map> maps = {};
};

// More than the declarations can say.
struct ExtraRule {
  std::string group = {};
  std::string resource = {};
  std::set<Verb> verbs = {};
  bool namespaced = true;
};

struct ControllerSpec {
  std::string name = {};
  std::optional<client::Resource> primary = {};  // none: keys are whatever the maps make them
  std::vector<Source> sources = {};
  std::function<void(Context&)> run = {};        // one pass
  std::function<json::Value()> definition = {};  // the CRD of the primary; empty for a kind of the server
  bool writes_status = false;
  bool has_cleanup = false;
  bool needs_leader = true;                    // passes on the replica that leads only
  std::uint32_t concurrency = 0;               // passes at once; 0: the operator's
  Duration timeout = std::chrono::minutes(5);  // of a pass; zero: none
  std::vector<ExtraRule> extra_rules = {};
  std::vector<std::shared_ptr<detail::TriggerState>> triggers = {};

  // The source of that kind; made when there is none. A kind may be declared twice, as read and as owned: the scope
  // that says something counts.
  Source& source(const client::Resource& resource, cache::Scope scope = {});
  void add_to(Rbac& rbac) const;
};

}  // namespace flyball::runtime
