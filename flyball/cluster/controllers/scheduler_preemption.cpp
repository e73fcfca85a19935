// Who has to go so that a pod of higher priority finds room.
#include <algorithm>
#include <tuple>

#include "flyball/cluster/controllers/scheduler_state.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;

namespace {

std::int32_t priority(const core::Pod& pod) { return pod.spec.priority.value_or(0); }

// Of the pods that would go: the most important, all together, and how many. Less is better.
auto harm(const std::vector<core::Pod>& victims) {
  std::int32_t highest = priority(victims.front());
  std::int64_t sum = 0;
  for (const core::Pod& pod : victims) {
    highest = std::max(highest, priority(pod));
    sum += priority(pod);
  }
  return std::tuple(highest, sum, victims.size());
}

}  // namespace

std::string SchedulerState::why_not_preempt(const core::Pod& pod) const {
  if (pod.spec.preemptionPolicy == "Never") return "not eligible due to preemptionPolicy=Never.";
  const auto nominated = nodes_.find(pod.status.nominatedNodeName);
  if (nominated == nodes_.end()) return {};
  for (const kube::ObjectKey& key : nominated->second.pods) {
    const core::Pod& other = pods_.at(key).pod;
    if (other.metadata.deletionTimestamp && priority(other) < priority(pod)) {
      return "not eligible due to a terminating pod on the nominated node.";
    }
  }
  return {};
}

std::vector<core::Pod> SchedulerState::victims_on(const Node& node, const core::Pod& pod, const Amounts& wanted,
                                                  const PodClaims& claims) const {
  Node without = node;
  std::vector<const Placed*> lower;
  const auto take = [&](const Placed& placed, int sign) {
    for (const auto& [resource, value] : placed.requests) without.free[resource] += sign * value;
  };
  for (const kube::ObjectKey& key : node.pods) {
    const Placed& placed = pods_.at(key);
    if (priority(placed.pod) >= priority(pod)) continue;
    lower.push_back(&placed);
    without.pods.erase(key);
    take(placed, 1);
  }
  bool hopeless = false;
  if (lower.empty() || !refusals(pod, wanted, claims, without, hopeless).empty()) return {};
  // Who can stay stays: the most important first, and of those the one that has been there longest.
  std::ranges::sort(lower, [](const Placed* a, const Placed* b) {
    return std::pair(-priority(a->pod), a->pod.metadata.creationTimestamp) <
           std::pair(-priority(b->pod), b->pod.metadata.creationTimestamp);
  });
  std::vector<core::Pod> victims;
  for (const Placed* placed : lower) {
    const kube::ObjectKey key{placed->pod.metadata.namespace_, placed->pod.metadata.name};
    without.pods.insert(key);
    take(*placed, -1);
    if (refusals(pod, wanted, claims, without, hopeless).empty()) continue;
    without.pods.erase(key);
    take(*placed, 1);
    victims.push_back(placed->pod);
  }
  return victims;
}

SchedulerState::Preemption SchedulerState::preempt(const core::Pod& pod, const Amounts& wanted, const PodClaims& claims,
                                                   const std::vector<const Node*>& nodes) const {
  Preemption best;
  for (const Node* node : nodes) {
    std::vector<core::Pod> victims = victims_on(*node, pod, wanted, claims);
    if (victims.empty()) continue;
    if (!best.victims.empty() && harm(victims) >= harm(best.victims)) continue;
    best = {.node = node->node.metadata.name, .victims = std::move(victims)};
  }
  return best;
}

}  // namespace flyball::cluster
