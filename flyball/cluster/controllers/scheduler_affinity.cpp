// Which pods a pod must stand next to, and which it must not.
#include <algorithm>

#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/scheduler_state.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;

namespace {

// Whether the term, of a pod in that namespace, speaks of `other`. A selector of namespaces is taken for all of them.
bool speaks_of(const core::PodAffinityTerm& term, const std::string& in_namespace, const core::Pod& other) {
  const auto& names = term.namespaces;
  const bool here =
      names.empty() && !term.namespaceSelector
          ? other.metadata.namespace_ == in_namespace
          : term.namespaceSelector.has_value() || std::ranges::find(names, other.metadata.namespace_) != names.end();
  return here && term.labelSelector && selector_of(*term.labelSelector).matches(other.metadata.labels);
}

}  // namespace

std::optional<std::string> SchedulerState::topology(const std::string& node, const std::string& key) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return std::nullopt;
  const auto label = found->second.node.metadata.labels.find(key);
  if (label == found->second.node.metadata.labels.end()) return std::nullopt;
  return label->second;
}

// A pod that the term speaks of stands in the same place as the node.
bool SchedulerState::has_match(const core::PodAffinityTerm& term, const core::Pod& of, const Node& near) const {
  const auto here = topology(near.node.metadata.name, term.topologyKey);
  if (!here) return false;
  return std::ranges::any_of(pods_, [&](const auto& entry) FLYBALL_REQUIRES(mutex_) {
    const Placed& placed = entry.second;
    return speaks_of(term, of.metadata.namespace_, placed.pod) && topology(placed.node, term.topologyKey) == here;
  });
}

// The first of a group that wants to stand together finds nobody to stand next to.
bool SchedulerState::is_first_of_its_kind(const core::PodAffinityTerm& term, const core::Pod& pod) const {
  return speaks_of(term, pod.metadata.namespace_, pod) && std::ranges::none_of(pods_, [&](const auto& entry) {
           return speaks_of(term, pod.metadata.namespace_, entry.second.pod);
         });
}

// Somebody who stands there already does not want it near.
bool SchedulerState::is_kept_off(const core::Pod& pod, const Node& node) const {
  return std::ranges::any_of(keep_others_off_, [&](const kube::ObjectKey& key) FLYBALL_REQUIRES(mutex_) {
    const Placed& placed = pods_.at(key);
    const auto& terms = placed.pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution;
    return std::ranges::any_of(terms, [&](const core::PodAffinityTerm& term) FLYBALL_REQUIRES(mutex_) {
      const auto there = topology(placed.node, term.topologyKey);
      return there && there == topology(node.node.metadata.name, term.topologyKey) &&
             speaks_of(term, placed.pod.metadata.namespace_, pod);
    });
  });
}

SchedulerState::Reasons SchedulerState::affinity_refusals(const core::Pod& pod, const Node& node) const {
  const auto& affinity = pod.spec.affinity;
  if (affinity && affinity->podAffinity) {
    for (const auto& term : affinity->podAffinity->requiredDuringSchedulingIgnoredDuringExecution) {
      const bool labelled = topology(node.node.metadata.name, term.topologyKey).has_value();
      if (has_match(term, pod, node) || (labelled && is_first_of_its_kind(term, pod))) continue;
      return {"node(s) didn't match pod affinity rules"};
    }
  }
  if (affinity && affinity->podAntiAffinity) {
    for (const auto& term : affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution) {
      if (has_match(term, pod, node)) return {"node(s) didn't match pod anti-affinity rules"};
    }
  }
  if (is_kept_off(pod, node)) return {"node(s) didn't satisfy existing pods anti-affinity rules"};
  return {};
}

}  // namespace flyball::cluster
