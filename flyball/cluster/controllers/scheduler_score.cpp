// Which of the nodes that would do is the best: what the pod prefers, and where most is left.
#include <algorithm>
#include <utility>

#include "flyball/cluster/controllers/node_fit.hpp"
#include "flyball/cluster/controllers/scheduler_state.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;

namespace {

// As much as Kubernetes gives to each of its own.
constexpr double kNodeAffinity = 2;
constexpr double kTaints = 3;
constexpr double kPodAffinity = 2;

double preferred(const core::Pod& pod, const core::Node& node) {
  double sum = 0;
  if (!pod.spec.affinity || !pod.spec.affinity->nodeAffinity) return sum;
  for (const auto& term : pod.spec.affinity->nodeAffinity->preferredDuringSchedulingIgnoredDuringExecution) {
    if (matches(core::NodeSelector{.nodeSelectorTerms = {term.preference}}, node)) sum += term.weight;
  }
  return sum;
}

double unwanted_taints(const core::Pod& pod, const core::Node& node) {
  return static_cast<double>(std::ranges::count_if(node.spec.taints, [&](const core::Taint& taint) {
    return taint.effect == "PreferNoSchedule" && !tolerates(pod, taint);
  }));
}

// Between 0 for the least and 1 for the most of all nodes; 0 where they are all the same.
std::vector<double> normalized(std::vector<double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  for (double& value : values) value = most > least ? (value - least) / (most - least) : 0;
  return values;
}

}  // namespace

double SchedulerState::preferred_company(const core::Pod& pod, const Node& node) const {
  double sum = 0;
  if (!pod.spec.affinity) return sum;
  if (const auto& near = pod.spec.affinity->podAffinity) {
    for (const auto& term : near->preferredDuringSchedulingIgnoredDuringExecution) {
      if (has_match(term.podAffinityTerm, pod, node)) sum += term.weight;
    }
  }
  if (const auto& far = pod.spec.affinity->podAntiAffinity) {
    for (const auto& term : far->preferredDuringSchedulingIgnoredDuringExecution) {
      if (has_match(term.podAffinityTerm, pod, node)) sum -= term.weight;
    }
  }
  return sum;
}

const SchedulerState::Node& SchedulerState::best_of(const std::vector<const Node*>& nodes, const core::Pod& pod,
                                                    const Amounts& wanted) const {
  std::vector<double> affinity;
  std::vector<double> taints;
  std::vector<double> company;
  for (const Node* node : nodes) {
    affinity.push_back(preferred(pod, node->node));
    taints.push_back(unwanted_taints(pod, node->node));
    company.push_back(preferred_company(pod, *node));
  }
  affinity = normalized(std::move(affinity));
  taints = normalized(std::move(taints));
  company = normalized(std::move(company));
  const auto score = [&](std::size_t i) {
    return kNodeAffinity * affinity[i] - kTaints * taints[i] + kPodAffinity * company[i] -
           fullness(nodes[i]->free, wanted, nodes[i]->node);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const bool fewer = score(i) == score(best) && nodes[i]->pods.size() < nodes[best]->pods.size();
    if (score(i) > score(best) || fewer) best = i;
  }
  return *nodes[best];
}

}  // namespace flyball::cluster
