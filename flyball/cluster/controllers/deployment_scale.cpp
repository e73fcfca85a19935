// How the sets of a deployment change their sizes when the deployment changes its own.
#include <algorithm>
#include <map>

#include "flyball/cluster/controllers/deployment_rollout.hpp"

namespace flyball::cluster {

// The sets know how many the deployment wanted when they were scaled last.
bool Rollout::was_scaled() const {
  const auto differs = [&](const ReplicaSet& set) {
    return replicas(set) > 0 &&
           number_in(set, kDesiredReplicas).value_or(replicas(deployment_)) != replicas(deployment_);
  };
  return std::ranges::any_of(old_, differs) || (new_ && differs(*new_));
}

Rollout::ReplicaSet* Rollout::only_active() {
  std::vector<ReplicaSet*> active;
  for (ReplicaSet& set : old_) {
    if (replicas(set) > 0) active.push_back(&set);
  }
  if (new_ && replicas(*new_) > 0) active.push_back(&*new_);
  if (active.size() == 1) return active.front();
  if (active.size() > 1) return nullptr;
  if (new_) return &*new_;
  return old_.empty() ? nullptr : &old_.back();
}

bool Rollout::is_saturated() const {
  return new_ && replicas(*new_) == replicas(deployment_) &&
         number_in(*new_, kDesiredReplicas) == replicas(deployment_) &&
         new_->status.availableReplicas == replicas(deployment_);
}

void Rollout::scale() {
  if (ReplicaSet* only = only_active()) {
    scale(*only, replicas(deployment_));
    return;
  }
  if (is_saturated()) {
    for (ReplicaSet& set : old_) scale(set, 0);
    return;
  }
  if (is_rolling(deployment_)) scale_in_proportion();
}

// In the middle of a rollout: if all growth went to the new set, a bad template would spread the faster.
void Rollout::scale_in_proportion() {
  std::vector<ReplicaSet*> active;
  for (ReplicaSet& set : old_) {
    if (replicas(set) > 0) active.push_back(&set);
  }
  if (new_ && replicas(*new_) > 0) active.push_back(&*new_);
  if (active.empty()) return;
  std::int32_t there = 0;
  for (const ReplicaSet* set : active) there += replicas(*set);
  const std::int32_t allowed = replicas(deployment_) > 0 ? replicas(deployment_) + max_surge(deployment_) : 0;
  const std::int32_t to_add = allowed - there;
  // The largest first; of one size, the newer grows and the older shrinks.
  std::ranges::sort(active, [&](const ReplicaSet* a, const ReplicaSet* b) {
    if (replicas(*a) != replicas(*b)) return replicas(*a) > replicas(*b);
    return to_add > 0 ? is_older(*b, *a) : is_older(*a, *b);
  });
  std::map<ReplicaSet*, std::int32_t> sizes;
  std::int32_t added = 0;
  for (ReplicaSet* set : active) {
    const std::int32_t part = proportion(*set, deployment_, to_add, added);
    sizes[set] = replicas(*set) + part;
    added += part;
  }
  // What does not divide goes to the largest.
  sizes[active.front()] = std::max(0, sizes[active.front()] + to_add - added);
  for (ReplicaSet* set : active) scale(*set, sizes[set], true);
}

bool Rollout::scale(ReplicaSet& set, std::int32_t to, bool note_always) {
  const std::int32_t from = replicas(set);
  if (from == to && !note_always) return false;
  ReplicaSet changed = set;
  changed.spec.replicas = to;
  note_replicas(changed, deployment_);
  const std::string before = set.metadata.resourceVersion;
  set = ctx_.update(set, changed);
  // The next step begins with what this one made.
  if (set.metadata.resourceVersion != before) ctx_.requeue_after(Duration::zero());
  if (from == to) return false;
  ctx_.event("ScalingReplicaSet", std::string("Scaled ") + (from < to ? "up" : "down") + " replica set " +
                                      set.metadata.name + " from " + std::to_string(from) + " to " +
                                      std::to_string(to));
  return true;
}

}  // namespace flyball::cluster
