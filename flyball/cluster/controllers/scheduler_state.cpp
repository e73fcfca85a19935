#include "flyball/cluster/controllers/scheduler_state.hpp"

#include <algorithm>
#include <utility>

#include "flyball/cluster/controllers/node_fit.hpp"
#include "flyball/cluster/controllers/pods.hpp"

namespace flyball::cluster {

namespace core = kube::core::v1;

namespace {

constexpr const char* kPods = "pods";

std::int64_t amount(const std::string& resource, const kube::Quantity& quantity) {
  return resource == "cpu" ? quantity.milli_value() : quantity.value();
}

void add(Amounts& to, const std::map<std::string, kube::Quantity>& more) {
  for (const auto& [resource, quantity] : more) to[resource] += amount(resource, quantity);
}

kube::ObjectKey key_of(const core::Pod& pod) { return {pod.metadata.namespace_, pod.metadata.name}; }

std::string histogram(const std::map<std::string, int>& reasons) {
  std::vector<std::string> texts;
  texts.reserve(reasons.size());
  for (const auto& [reason, count] : reasons) texts.push_back(std::to_string(count) + " " + reason);
  std::ranges::sort(texts);
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

}  // namespace

double fullness(const Amounts& free, const Amounts& wanted, const core::Node& node) {
  double sum = 0;
  for (const char* resource : {"cpu", "memory"}) {
    const auto allocatable = node.status.allocatable.find(resource);
    if (allocatable == node.status.allocatable.end()) continue;
    const auto total = static_cast<double>(amount(resource, allocatable->second));
    const auto left = static_cast<double>(free.contains(resource) ? free.at(resource) : 0);
    const auto more = static_cast<double>(wanted.contains(resource) ? wanted.at(resource) : 0);
    if (total > 0) sum += (total - left + more) / total / 2;
  }
  return sum;
}

Amounts requests_of(const core::Pod& pod) {
  Amounts sum;
  Amounts most_at_start;
  Amounts sidecars;
  for (const core::Container& container : pod.spec.containers) add(sum, container.resources.requests);
  for (const core::Container& container : pod.spec.initContainers) {
    if (container.restartPolicy == "Always") {
      add(sum, container.resources.requests);
      add(sidecars, container.resources.requests);
      continue;
    }
    Amounts alone = sidecars;
    add(alone, container.resources.requests);
    for (const auto& [resource, value] : alone) most_at_start[resource] = std::max(most_at_start[resource], value);
  }
  for (const auto& [resource, value] : most_at_start) sum[resource] = std::max(sum[resource], value);
  add(sum, pod.spec.overhead);
  return sum;
}

void SchedulerState::recount(Node& node) {
  node.free.clear();
  for (const auto& [resource, quantity] : node.node.status.allocatable) {
    node.free[resource] = amount(resource, quantity);
  }
  for (const kube::ObjectKey& key : node.pods) {
    for (const auto& [resource, value] : pods_.at(key).requests) node.free[resource] -= value;
  }
}

void SchedulerState::put(const core::Node& node) {
  const MutexLock lock(mutex_);
  Node& kept = nodes_[node.metadata.name];
  kept.node = node;
  for (const auto& [key, placed] : pods_) {
    if (placed.node == node.metadata.name) kept.pods.insert(key);
  }
  recount(kept);
}

void SchedulerState::remove_node(const std::string& name) {
  const MutexLock lock(mutex_);
  nodes_.erase(name);
}

void SchedulerState::place(const core::Pod& pod, const std::string& node) {
  const kube::ObjectKey key = key_of(pod);
  unplace(key);
  Placed& placed = pods_[key];
  placed = {.node = node, .pod = pod, .requests = requests_of(pod)};
  placed.pod.metadata.managedFields.clear();
  const auto& affinity = pod.spec.affinity;
  if (affinity && affinity->podAntiAffinity) keep_others_off_.insert(key);
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  found->second.pods.insert(key);
  for (const auto& [resource, value] : placed.requests) found->second.free[resource] -= value;
}

void SchedulerState::unplace(const kube::ObjectKey& pod) {
  const auto found = pods_.find(pod);
  if (found == pods_.end()) return;
  if (const auto node = nodes_.find(found->second.node); node != nodes_.end()) {
    node->second.pods.erase(pod);
    for (const auto& [resource, value] : found->second.requests) node->second.free[resource] += value;
  }
  keep_others_off_.erase(pod);
  pods_.erase(found);
}

void SchedulerState::put(const core::Pod& pod) {
  const MutexLock lock(mutex_);
  if (!pod.spec.nodeName.empty()) waiting_.erase(key_of(pod));
  if (!pod.spec.nodeName.empty() && !is_done(pod)) return place(pod, pod.spec.nodeName);
  // One that was assumed and that the server does not know as placed yet keeps its place, if it is the same.
  const auto found = pods_.find(key_of(pod));
  const bool assumed = found != pods_.end() && !is_done(pod) && found->second.pod.metadata.uid == pod.metadata.uid;
  if (!assumed) unplace(key_of(pod));
}

void SchedulerState::remove_pod(const kube::ObjectKey& pod) {
  const MutexLock lock(mutex_);
  waiting_.erase(pod);
  unplace(pod);
}

void SchedulerState::assume(const core::Pod& pod, const std::string& node) {
  const MutexLock lock(mutex_);
  waiting_.erase(key_of(pod));
  place(pod, node);
}

void SchedulerState::set_waiting(const kube::ObjectKey& pod, bool waits) {
  const MutexLock lock(mutex_);
  if (waits) {
    waiting_.insert(pod);
  } else {
    waiting_.erase(pod);
  }
}

std::vector<kube::ObjectKey> SchedulerState::waiting() const {
  const MutexLock lock(mutex_);
  return {waiting_.begin(), waiting_.end()};
}

SchedulerState::Reasons SchedulerState::refusals(const core::Pod& pod, const Amounts& wanted, const PodClaims& claims,
                                                 const Node& node, bool& hopeless) const {
  hopeless = true;
  const core::Taint unschedulable{.key = "node.kubernetes.io/unschedulable", .effect = "NoSchedule"};
  if (node.node.spec.unschedulable && !tolerates(pod, unschedulable)) return {"node(s) were unschedulable"};
  if (is_tainted_for(node.node, pod)) return {"node(s) had untolerated taint(s)"};
  if (!wants_node(pod, node.node)) return {"node(s) didn't match Pod's node affinity/selector"};
  hopeless = false;
  for (const kube::ObjectKey& key : node.pods) {
    if (share_host_port(pod, pods_.at(key).pod)) return {"node(s) didn't have free ports for the requested pod ports"};
  }
  Reasons short_of;
  const auto most = node.node.status.allocatable.find(kPods);
  if (most != node.node.status.allocatable.end() &&
      static_cast<std::int64_t>(node.pods.size()) + 1 > most->second.value()) {
    short_of.emplace_back("Too many pods");
  }
  for (const auto& [resource, value] : wanted) {
    const auto free = node.free.find(resource);
    if (value == 0 || (free != node.free.end() && free->second >= value)) continue;
    short_of.push_back("Insufficient " + resource);
    const auto all = node.node.status.allocatable.find(resource);
    if (all == node.node.status.allocatable.end() || amount(resource, all->second) < value) hopeless = true;
  }
  if (!short_of.empty()) return short_of;
  for (const auto& volume : claims.volumes) {
    const auto& where = volume.spec.nodeAffinity;
    if (!where || !where->required || matches(*where->required, node.node)) continue;
    hopeless = true;
    return {"node(s) didn't match PersistentVolume's node affinity"};
  }
  return affinity_refusals(pod, node);
}

Decision SchedulerState::decide(const core::Pod& pod, const PodClaims& claims) const {
  const MutexLock lock(mutex_);
  if (nodes_.empty()) return {.why = "no nodes available to schedule pods"};
  const std::string none = "0/" + std::to_string(nodes_.size()) + " nodes are available: ";
  if (!claims.why.empty()) {
    // That is what it says in Kubernetes v1.36, where preemption finds nothing of its own to look at.
    return {.why = none + claims.why + ". not found"};
  }
  const Amounts wanted = requests_of(pod);
  std::map<std::string, int> reasons;
  std::map<std::string, int> preemption;
  std::vector<const Node*> fitting;
  std::vector<const Node*> hopeful;
  for (const auto& [name, node] : nodes_) {
    bool hopeless = false;
    const Reasons refused = refusals(pod, wanted, claims, node, hopeless);
    if (refused.empty()) {
      fitting.push_back(&node);
      continue;
    }
    for (const std::string& reason : refused) ++reasons[reason];
    if (!hopeless) hopeful.push_back(&node);
    ++preemption[hopeless ? "Preemption is not helpful for scheduling"
                          : "No preemption victims found for incoming pod"];
  }
  if (!fitting.empty()) return {.node = best_of(fitting, pod, wanted).node.metadata.name};
  const std::string why = none + histogram(reasons) + ".";
  if (const std::string cannot = why_not_preempt(pod); !cannot.empty()) {
    return {.why = why + " preemption: " + cannot, .nominated = pod.status.nominatedNodeName};
  }
  if (Preemption found = preempt(pod, wanted, claims, hopeful); !found.victims.empty()) {
    return {.why = why, .nominated = std::move(found.node), .victims = std::move(found.victims)};
  }
  return {.why = why + " no new claims to deallocate, preemption: " + none + histogram(preemption) + "."};
}

}  // namespace flyball::cluster
