// SchedulerState: what stands on which node, kept by the changes of pods and nodes, so that a decision costs what there
// are nodes, and not what there are pods.
//
//   state.put(pod);  state.put(node);                                // as they change
//   const Decision decision = state.decide(pod);
//   if (decision.node) bind(client, key, *decision.node);
//   else message = decision.why;                                     // "0/3 nodes are available: 3 Insufficient cpu."
//
// Thread-safety: all members may be called from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/cluster/controllers/pod_claims.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/resource_key.hpp"

namespace flyball::cluster {

// Amounts by resource: of cpu in thousandths, of all else in units.
using Amounts = std::map<std::string, std::int64_t>;

// How full the node would be, between 0 and 1.
double fullness(const Amounts& free, const Amounts& wanted, const kube::core::v1::Node& node);

// What a pod asks for: its containers together, or more where it begins with more.
Amounts requests_of(const kube::core::v1::Pod& pod);

struct Decision {
  std::optional<std::string> node = {};
  std::string why = {};  // there is none
  // There will be one, when these have gone.
  std::string nominated = {};
  std::vector<kube::core::v1::Pod> victims = {};
};

class SchedulerState {
 public:
  void put(const kube::core::v1::Node& node);
  void remove_node(const std::string& name);
  // One that stands on a node and has not ended takes its place; another takes none.
  void put(const kube::core::v1::Pod& pod);
  void remove_pod(const kube::ObjectKey& pod);

  Decision decide(const kube::core::v1::Pod& pod, const PodClaims& claims = {}) const;
  // It takes its place before the server tells of it.
  void assume(const kube::core::v1::Pod& pod, const std::string& node);

  // Those that found no node: they are tried again when something has changed.
  void set_waiting(const kube::ObjectKey& pod, bool waits);
  std::vector<kube::ObjectKey> waiting() const;

 private:
  struct Placed {
    std::string node = {};
    kube::core::v1::Pod pod = {};  // what others may ask of it: labels, ports, what it cannot stand next to
    Amounts requests = {};
  };
  struct Node {
    kube::core::v1::Node node = {};
    Amounts free = {};
    std::set<kube::ObjectKey> pods = {};
  };
  using Reasons = std::vector<std::string>;

  void place(const kube::core::v1::Pod& pod, const std::string& node) FLYBALL_REQUIRES(mutex_);
  void unplace(const kube::ObjectKey& pod) FLYBALL_REQUIRES(mutex_);
  void recount(Node& node) FLYBALL_REQUIRES(mutex_);
  // Why the pod cannot stand there; empty when it can. `hopeless`: not even when others went.
  Reasons refusals(const kube::core::v1::Pod& pod, const Amounts& wanted, const PodClaims& claims, const Node& node,
                   bool& hopeless) const FLYBALL_REQUIRES(mutex_);
  // Of several nodes, of which there is at least one.
  const Node& best_of(const std::vector<const Node*>& nodes, const kube::core::v1::Pod& pod,
                      const Amounts& wanted) const FLYBALL_REQUIRES(mutex_);
  double preferred_company(const kube::core::v1::Pod& pod, const Node& node) const FLYBALL_REQUIRES(mutex_);
  struct Preemption {
    std::string node = {};
    std::vector<kube::core::v1::Pod> victims = {};
  };
  // Empty when the pod may.
  std::string why_not_preempt(const kube::core::v1::Pod& pod) const FLYBALL_REQUIRES(mutex_);
  Preemption preempt(const kube::core::v1::Pod& pod, const Amounts& wanted, const PodClaims& claims,
                     const std::vector<const Node*>& nodes) const FLYBALL_REQUIRES(mutex_);
  std::vector<kube::core::v1::Pod> victims_on(const Node& node, const kube::core::v1::Pod& pod, const Amounts& wanted,
                                              const PodClaims& claims) const FLYBALL_REQUIRES(mutex_);
  Reasons affinity_refusals(const kube::core::v1::Pod& pod, const Node& node) const FLYBALL_REQUIRES(mutex_);
  bool has_match(const kube::core::v1::PodAffinityTerm& term, const kube::core::v1::Pod& of, const Node& near) const
      FLYBALL_REQUIRES(mutex_);
  bool is_first_of_its_kind(const kube::core::v1::PodAffinityTerm& term, const kube::core::v1::Pod& pod) const
      FLYBALL_REQUIRES(mutex_);
  bool is_kept_off(const kube::core::v1::Pod& pod, const Node& node) const FLYBALL_REQUIRES(mutex_);
  std::optional<std::string> topology(const std::string& node, const std::string& key) const FLYBALL_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, Node> nodes_ FLYBALL_GUARDED_BY(mutex_);
  std::map<kube::ObjectKey, Placed> pods_ FLYBALL_GUARDED_BY(mutex_);
  std::set<kube::ObjectKey> keep_others_off_ FLYBALL_GUARDED_BY(mutex_);  // those with anti-affinity
  std::set<kube::ObjectKey> waiting_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cluster
