#include "flyball/cluster/controllers/statefulset.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>
#include <utility>

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/pod_writes.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/revisions.hpp"
#include "flyball/cluster/controllers/statefulset_pods.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

// One pass over one set.
class SetPass {
 public:
  SetPass(Context& ctx, PodWrites& writes, apps::StatefulSet& set)
      : ctx_(ctx), writes_(writes), set_(set), now_(ctx.clock().wall_now()), revisions_(ctx, set) {}

  void run() {
    const auto mine = [&](const core::Pod& pod) { return ordinal_of(set_, pod) >= 0; };
    auto pods = claim<core::Pod>(ctx_, set_, selector_of(set_.spec.selector), mine);
    const auto seen = writes_.without_deleted(set_.metadata.uid, pods);
    for (core::Pod& pod : pods) {
      const bool deleted =
          std::ranges::none_of(seen, [&](const auto& one) { return one.metadata.uid == pod.metadata.uid; });
      // It was deleted, and the watch has not told of it yet.
      if (deleted) pod.metadata.deletionTimestamp = now_;
      pods_.emplace(ordinal_of(set_, pod), std::move(pod));
    }
    for (const auto& [ordinal, pod] : pods_) keep_claims(ordinal, pod);
    if (make_wanted() && remove_surplus()) replace_outdated();
    count();
    forget();
  }

 private:
  bool in_order() const { return set_.spec.podManagementPolicy != "Parallel"; }
  std::int32_t first() const { return first_ordinal(set_); }
  std::int32_t end() const { return first() + set_.spec.replicas.value_or(1); }
  bool is_wanted(std::int32_t ordinal) const { return ordinal >= first() && ordinal < end(); }
  std::int32_t partition() const {
    const auto& rolling = set_.spec.updateStrategy.rollingUpdate;
    return rolling ? rolling->partition.value_or(0) : 0;
  }
  bool is_healthy(const core::Pod& pod) {
    if (pod.metadata.deletionTimestamp || pod.status.phase != "Running" || !answers(pod)) return false;
    if (const auto wait = until_available(pod, set_.spec.minReadySeconds, now_)) {
      ctx_.requeue_after(*wait);
      return false;
    }
    return true;
  }

  bool deletes_claims_when_scaled() const {
    const auto& policy = set_.spec.persistentVolumeClaimRetentionPolicy;
    return policy && policy->whenScaled == "Delete";
  }
  bool deletes_claims_when_deleted() const {
    const auto& policy = set_.spec.persistentVolumeClaimRetentionPolicy;
    return policy && policy->whenDeleted == "Delete";
  }

  // With whom its claims go: with the set, with the pod when it is one too many, or with nobody.
  void keep_claims(std::int32_t ordinal, const core::Pod& pod) {
    const bool with_pod = deletes_claims_when_scaled() && !is_wanted(ordinal);
    const bool with_set = deletes_claims_when_deleted() && !with_pod;
    for (const core::PersistentVolumeClaim& wanted : claims_for(set_, ordinal)) {
      const auto claim = ctx_.find<core::PersistentVolumeClaim>(wanted.metadata.name);
      if (!claim) continue;
      core::PersistentVolumeClaim kept = *claim;
      kube::remove_owner(kept, set_);
      kube::remove_owner(kept, pod);
      if (kube::controller_of(kept.metadata) == nullptr) {
        if (with_set) kube::set_owner(kept, set_);
        if (with_pod) kube::set_owner(kept, pod);
      }
      ctx_.update(*claim, kept);
    }
  }

  // A claim that goes with a pod of this name that is gone.
  bool has_stale_claim(std::int32_t ordinal, const std::string& pod) {
    if (!deletes_claims_when_scaled()) return false;
    return std::ranges::any_of(claims_for(set_, ordinal), [&](const core::PersistentVolumeClaim& wanted) {
      const auto claim = ctx_.find<core::PersistentVolumeClaim>(wanted.metadata.name);
      return claim && std::ranges::any_of(claim->metadata.ownerReferences,
                                          [&](const auto& owner) { return owner.kind == "Pod" && owner.name == pod; });
    });
  }

  // False: something has to happen before the next step.
  bool make_wanted() {
    for (std::int32_t ordinal = first(); ordinal < end(); ++ordinal) {
      const auto found = pods_.find(ordinal);
      if (found == pods_.end()) {
        if (!make(ordinal)) return false;
        if (in_order()) return false;
        continue;
      }
      const core::Pod& pod = found->second;
      if (is_done(pod) && !pod.metadata.deletionTimestamp) {
        remove(found->second);
        if (in_order()) return false;
        continue;
      }
      if (in_order() && !is_healthy(pod)) return false;
    }
    return true;
  }

  bool make(std::int32_t ordinal) {
    const bool old = set_.spec.updateStrategy.type == "RollingUpdate" && ordinal < first() + partition();
    const apps::ControllerRevision& revision = old ? revisions_.current() : revisions_.update();
    const core::Pod wanted = pod_of(set_, Revisions::template_of(revision), ordinal, revision.metadata.name);
    const std::string& name = wanted.metadata.name;
    if (has_stale_claim(ordinal, name)) return false;
    try {
      for (core::PersistentVolumeClaim& claim : claims_for(set_, ordinal)) {
        const std::string claim_name = claim.metadata.name;
        if (ctx_.find<core::PersistentVolumeClaim>(claim_name)) continue;
        ctx_.create(std::move(claim), {.owned = false});
        std::string note = "Create Claim " + claim_name;
        note.append(" Pod ").append(name).append(" in StatefulSet ").append(set_.metadata.name).append(" success");
        tell(note);
      }
      pods_[ordinal] = ctx_.create(wanted);
      tell("Create Pod " + name + " in StatefulSet " + set_.metadata.name + " successful");
      writes_.succeeded(set_.metadata.uid);
      return true;
    } catch (const ApiError& error) {
      pods_.erase(ordinal);
      // The cache is behind: the next pass sees it.
      if (error.is_already_exists()) throw;
      ctx_.warn("FailedCreate",
                "create Pod " + name + " in StatefulSet " + set_.metadata.name + " failed error: " + error.message());
      ctx_.requeue_after(writes_.again_after(set_.metadata.uid));
      return false;
    }
  }
  void tell(const std::string& note) { ctx_.event("SuccessfulCreate", note); }

  void remove(core::Pod& pod) {
    if (pod.metadata.deletionTimestamp) return;
    writes_.delete_quietly(ctx_, set_.metadata.uid, pod);
    ctx_.event("SuccessfulDelete",
               "Delete Pod " + pod.metadata.name + " in StatefulSet " + set_.metadata.name + " successful");
    pod.metadata.deletionTimestamp = now_;
  }

  // Those with the highest numbers first.
  bool remove_surplus() {
    for (auto& [ordinal, pod] : pods_ | std::views::reverse) {
      if (is_wanted(ordinal)) continue;
      if (pod.metadata.deletionTimestamp) {
        if (in_order()) return false;
        continue;
      }
      remove(pod);
      if (in_order()) return false;
    }
    return true;
  }

  void replace_outdated() {
    if (set_.spec.updateStrategy.type != "RollingUpdate") return;
    for (std::int32_t ordinal = end() - 1; ordinal >= first() + partition(); --ordinal) {
      const auto found = pods_.find(ordinal);
      if (found == pods_.end()) return;
      const bool outdated = revision_of(found->second) != revisions_.update().metadata.name;
      if (outdated && !found->second.metadata.deletionTimestamp) return remove(found->second);
      if (!is_healthy(found->second)) return;
    }
  }

  void count() {
    apps::StatefulSetStatus& status = set_.status;
    const std::string update = revisions_.update().metadata.name;
    const std::string current = revisions_.current().metadata.name;
    status.observedGeneration = set_.metadata.generation;
    status.collisionCount = status.collisionCount.value_or(0);
    status.updateRevision = update;
    status.currentRevision = current;
    status.replicas = status.readyReplicas = status.availableReplicas = 0;
    status.currentReplicas = status.updatedReplicas = 0;
    for (const auto& [ordinal, pod] : pods_) {
      ++status.replicas;
      if (pod.status.phase == "Running" && answers(pod)) {
        ++status.readyReplicas;
        if (is_available(pod, set_.spec.minReadySeconds, now_)) ++status.availableReplicas;
      }
      if (pod.metadata.deletionTimestamp) continue;
      if (revision_of(pod) == current) ++status.currentReplicas;
      if (revision_of(pod) == update) ++status.updatedReplicas;
    }
    // All are of the new template and work: it is the current one.
    const bool complete = set_.spec.updateStrategy.type == "RollingUpdate" && partition() == 0 &&
                          status.updatedReplicas == status.replicas && status.readyReplicas == status.replicas &&
                          status.replicas == set_.spec.replicas.value_or(1);
    if (!complete) return;
    status.currentReplicas = status.updatedReplicas;
    status.currentRevision = update;
  }

  void forget() {
    std::set<std::string> in_use;
    for (const auto& [ordinal, pod] : pods_) in_use.insert(revision_of(pod));
    revisions_.forget_oldest(in_use);
  }

  Context& ctx_;
  PodWrites& writes_;
  apps::StatefulSet& set_;
  const kube::Time now_;
  Revisions revisions_;
  std::map<std::int32_t, core::Pod> pods_ = {};  // by ordinal
};

// One that is on its way out makes nothing any more, but its status goes on to tell what there is.
void count_going(Context& ctx, apps::StatefulSet& set) {
  apps::StatefulSetStatus& status = set.status;
  const kube::Time now(ctx.clock().wall_now());
  status.observedGeneration = set.metadata.generation;
  status.replicas = status.readyReplicas = status.availableReplicas = 0;
  status.currentReplicas = status.updatedReplicas = 0;
  for (const core::Pod& pod : ctx.list<core::Pod>({.owner = set.metadata.uid})) {
    ++status.replicas;
    if (pod.status.phase == "Running" && answers(pod)) {
      ++status.readyReplicas;
      if (is_available(pod, set.spec.minReadySeconds, now)) ++status.availableReplicas;
    }
    if (pod.metadata.deletionTimestamp) continue;
    if (revision_of(pod) == status.currentRevision) ++status.currentReplicas;
    if (revision_of(pod) == status.updateRevision) ++status.updatedReplicas;
  }
}

}  // namespace

void declare_statefulsets(runtime::Operator& op) {
  const auto writes = std::make_shared<PodWrites>();
  op.reconcile<apps::StatefulSet>([writes](Context& ctx, apps::StatefulSet& set) { SetPass(ctx, *writes, set).run(); })
      .while_going(count_going)
      .owns<core::Pod>()
      .owns<apps::ControllerRevision>()
      .reads<core::PersistentVolumeClaim>()
      .may("", "persistentvolumeclaims", {runtime::Verb::create, runtime::Verb::patch})
      .name("statefulset-controller");
}

}  // namespace flyball::cluster
