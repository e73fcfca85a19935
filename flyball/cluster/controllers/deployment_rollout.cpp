#include "flyball/cluster/controllers/deployment_rollout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "flyball/cluster/controllers/deployment_status.hpp"
#include "flyball/cluster/controllers/pods.hpp"

namespace flyball::cluster {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

Rollout::Rollout(Context& ctx, apps::Deployment& deployment, Sets sets)
    : ctx_(ctx),
      deployment_(deployment),
      stored_(deployment.status),
      now_(ctx.clock().wall_now()),
      old_(std::move(sets)) {
  std::ranges::sort(old_, is_older);
  const auto found =
      std::ranges::find_if(old_, [&](const ReplicaSet& set) { return is_same_template(set, deployment_); });
  if (found == old_.end()) return;
  new_ = std::move(*found);
  old_.erase(found);
}

void Rollout::run() {
  note_pause(deployment_, now_);
  if (deployment_.spec.paused || was_scaled()) return scale_only();
  if (is_rolling(deployment_)) return roll();
  recreate();
}

void Rollout::scale_only() {
  if (!find_new_set(Missing::leave)) return;
  scale();
  if (deployment_.spec.paused) forget_oldest();
  deployment_.status = counted(deployment_, old_, new_, now_);
}

void Rollout::roll() {
  if (!find_new_set(Missing::create)) return;
  // Not both in one pass: what grows must be there before something shrinks for it.
  if (!grow_new()) shrink_old();
  finish_rollout();
}

void Rollout::recreate() {
  if (!find_new_set(Missing::leave)) return;
  bool shrunk = false;
  for (ReplicaSet& set : old_) shrunk = scale(set, 0) || shrunk;
  if (shrunk || old_pods_run()) return finish_rollout();
  if (!new_ && !find_new_set(Missing::create)) return;
  scale(*new_, replicas(deployment_));
  finish_rollout();
}

void Rollout::finish_rollout() {
  deployment_.status = rolled_out(deployment_, old_, new_, now_);
  if (is_complete(deployment_, deployment_.status)) forget_oldest();
  if (const auto wait = until_deadline(deployment_, deployment_.status, now_)) ctx_.requeue_after(*wait);
}

bool Rollout::grow_new() {
  if (replicas(*new_) > replicas(deployment_)) return scale(*new_, replicas(deployment_));
  return scale(*new_, allowed_replicas(deployment_, replicas(old_) + replicas(*new_), replicas(*new_)));
}

bool Rollout::shrink_old() {
  if (replicas(old_) == 0) return false;
  const std::int32_t least = replicas(deployment_) - max_unavailable(deployment_);
  const std::int32_t new_unavailable = replicas(*new_) - new_->status.availableReplicas;
  const std::int32_t most = replicas(old_) + replicas(*new_) - least - new_unavailable;
  if (most <= 0) return false;
  const std::int32_t unhealthy = shrink_unhealthy(most);
  return shrink_available() + unhealthy > 0;
}

// Pods that do not work are no loss, and would block the rollout.
std::int32_t Rollout::shrink_unhealthy(std::int32_t most) {
  std::int32_t shrunk = 0;
  for (ReplicaSet& set : old_) {
    const std::int32_t unhealthy = replicas(set) - set.status.availableReplicas;
    const std::int32_t by = std::min(most - shrunk, unhealthy);
    if (by <= 0) continue;
    scale(set, replicas(set) - by);
    shrunk += by;
  }
  return shrunk;
}

std::int32_t Rollout::shrink_available() {
  std::int32_t left = new_->status.availableReplicas - (replicas(deployment_) - max_unavailable(deployment_));
  for (const ReplicaSet& set : old_) left += set.status.availableReplicas;
  std::int32_t shrunk = 0;
  for (ReplicaSet& set : old_) {
    const std::int32_t by = std::min(left - shrunk, replicas(set));
    if (by <= 0) continue;
    scale(set, replicas(set) - by);
    shrunk += by;
  }
  return shrunk;
}

bool Rollout::old_pods_run() {
  for (const ReplicaSet& set : old_) {
    if (set.status.replicas > 0) return true;
    const auto pods = ctx_.list<core::Pod>({.owner = set.metadata.uid});
    if (!std::ranges::all_of(pods, is_done)) return true;
  }
  return false;
}

void Rollout::forget_oldest() {
  const std::int32_t limit = deployment_.spec.revisionHistoryLimit.value_or(std::numeric_limits<std::int32_t>::max());
  Sets alive;
  for (const ReplicaSet& set : old_) {
    if (!set.metadata.deletionTimestamp) alive.push_back(set);
  }
  std::ranges::stable_sort(alive, {}, revision);
  const auto surplus = static_cast<std::int64_t>(alive.size()) - limit;
  for (std::int64_t i = 0; i < surplus; ++i) {
    const ReplicaSet& set = alive[static_cast<std::size_t>(i)];
    const bool in_use =
        set.status.replicas != 0 || replicas(set) != 0 || set.metadata.generation > set.status.observedGeneration;
    if (!in_use) ctx_.delete_(set);
  }
}

}  // namespace flyball::cluster
