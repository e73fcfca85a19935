#include "flyball/cluster/controllers/victims.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "flyball/cluster/controllers/pods.hpp"

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;

struct Candidate {
  core::Pod pod;
  int rank = 0;  // how many related pods stand on its node
};

int phase_order(const std::string& phase) {
  if (phase == "Running") return 2;
  return phase == "Unknown" ? 1 : 0;
}

std::int32_t deletion_cost(const core::Pod& pod) {
  const auto found = pod.metadata.annotations.find("controller.kubernetes.io/pod-deletion-cost");
  if (found == pod.metadata.annotations.end()) return 0;
  std::int32_t cost = 0;
  const char* end = found->second.data() + found->second.size();
  const auto [read, error] = std::from_chars(found->second.data(), end, cost);
  return error == std::errc() && read == end ? cost : 0;
}

bool is_sidecar(const core::Pod& pod, const std::string& name) {
  return std::ranges::any_of(pod.spec.initContainers, [&](const auto& container) {
    return container.name == name && container.restartPolicy == "Always";
  });
}

// Of the containers, then of the sidecars.
std::pair<std::int32_t, std::int32_t> restarts(const core::Pod& pod) {
  std::pair<std::int32_t, std::int32_t> most{0, 0};
  for (const auto& status : pod.status.containerStatuses) most.first = std::max(most.first, status.restartCount);
  for (const auto& status : pod.status.initContainerStatuses) {
    if (is_sidecar(pod, status.name)) most.second = std::max(most.second, status.restartCount);
  }
  return most;
}

int magnitude(kube::Time since, WallTime now) {
  const auto age = now - since.as<WallTime>();
  return age <= Duration::zero() ? -1 : static_cast<int>(std::floor(std::log2(static_cast<double>(age.count()))));
}

// The younger goes first; among those of about one age, chance decides, and the uid is as good as chance.
bool is_younger(kube::Time a, kube::Time b, const core::Pod& pod_a, const core::Pod& pod_b, WallTime now) {
  if (a.is_zero() || b.is_zero()) return a.is_zero();
  const int difference = magnitude(a, now) - magnitude(b, now);
  return difference == 0 ? pod_a.metadata.uid < pod_b.metadata.uid : difference < 0;
}

bool goes_before(const Candidate& one, const Candidate& other, WallTime now) {
  const core::Pod& a = one.pod;
  const core::Pod& b = other.pod;
  if (a.spec.nodeName.empty() != b.spec.nodeName.empty()) return a.spec.nodeName.empty();
  if (const int difference = phase_order(a.status.phase) - phase_order(b.status.phase)) return difference < 0;
  if (answers(a) != answers(b)) return !answers(a);
  if (deletion_cost(a) != deletion_cost(b)) return deletion_cost(a) < deletion_cost(b);
  if (one.rank != other.rank) return one.rank > other.rank;
  if (answers(a) && ready_since(a) != ready_since(b)) return is_younger(ready_since(a), ready_since(b), a, b, now);
  if (restarts(a) != restarts(b)) return restarts(a) > restarts(b);
  if (a.metadata.creationTimestamp == b.metadata.creationTimestamp) return false;
  return is_younger(a.metadata.creationTimestamp, b.metadata.creationTimestamp, a, b, now);
}

}  // namespace

std::vector<core::Pod> victims(std::vector<core::Pod> pods, const std::vector<core::Pod>& related, std::size_t count,
                               WallTime now) {
  if (count >= pods.size()) return pods;
  std::map<std::string, int> on_node;
  for (const core::Pod& pod : related) {
    if (is_active(pod)) ++on_node[pod.spec.nodeName];
  }
  std::vector<Candidate> candidates;
  candidates.reserve(pods.size());
  for (core::Pod& pod : pods) {
    const int rank = on_node[pod.spec.nodeName];
    candidates.push_back({.pod = std::move(pod), .rank = rank});
  }
  // One by one, not sorted: the order is not transitive, which the algorithms that sort may not meet.
  std::vector<core::Pod> chosen;
  while (chosen.size() < count) {
    const auto first = std::ranges::min_element(
        candidates, [&](const Candidate& a, const Candidate& b) { return goes_before(a, b, now); });
    chosen.push_back(std::move(first->pod));
    candidates.erase(first);
  }
  return chosen;
}

}  // namespace flyball::cluster
