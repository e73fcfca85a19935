// The ReplicaSet of a deployment's present template: finding it, making it, its revision.
#include <utility>

#include "flyball/cluster/controllers/deployment_rollout.hpp"
#include "flyball/cluster/controllers/deployment_status.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/cluster/controllers/template_hash.hpp"
#include "flyball/json/value.hpp"

namespace flyball::cluster {

namespace apps = kube::apps::v1;

bool Rollout::find_new_set(Missing missing) {
  const std::int64_t next = last_revision(old_) + 1;
  if (!new_) return missing == Missing::leave || make_new_set(next);
  ReplicaSet changed = *new_;
  note_revision(changed, deployment_, next);
  changed.spec.minReadySeconds = deployment_.spec.minReadySeconds;
  new_ = ctx_.update(*new_, changed);
  if (has_deadline(deployment_) && find_condition(deployment_.status.conditions, "Progressing") == nullptr) {
    set_progressing(deployment_.status, "True", "FoundNewReplicaSet",
                    "Found new replica set \"" + new_->metadata.name + "\"", now_);
  }
  return note_own_revision(revision(*new_));
}

bool Rollout::note_own_revision(std::int64_t number) {
  const auto found = deployment_.metadata.annotations.find(kRevision);
  if (found != deployment_.metadata.annotations.end() && found->second == std::to_string(number)) return true;
  // By way of the status: a write of the deployment itself would count as a new generation of it.
  const json::Value annotations = json::object({{kRevision, json::Value(std::to_string(number))}});
  const json::Value metadata = json::object(
      {{"resourceVersion", json::Value(deployment_.metadata.resourceVersion)}, {"annotations", annotations}});
  ctx_.live().patch_status<apps::Deployment>({deployment_.metadata.namespace_, deployment_.metadata.name},
                                             client::Patch::merge(json::object({{"metadata", metadata}})));
  // The status of the version that was read cannot be written any more. The pass that can comes with the new version:
  // what is written past the cache wakes the deployment.
  deployment_.status = stored_;
  return false;
}

bool Rollout::make_new_set(std::int64_t number) {
  constexpr std::size_t kLongestName = 253;
  if (!note_own_revision(number)) return false;
  const std::string hash = template_hash(deployment_.spec.template_, deployment_.status.collisionCount);
  const std::string label(kTemplateHash);
  ReplicaSet set{.metadata = {.name = deployment_.metadata.name.substr(0, kLongestName - 1 - hash.size()) + "-" + hash,
                              .namespace_ = deployment_.metadata.namespace_},
                 .spec = {.replicas = 0,
                          .selector = deployment_.spec.selector,
                          .template_ = deployment_.spec.template_,
                          .minReadySeconds = deployment_.spec.minReadySeconds}};
  set.spec.template_.metadata.labels[label] = hash;
  set.spec.selector.matchLabels[label] = hash;
  set.metadata.labels = set.spec.template_.metadata.labels;
  set.spec.replicas = allowed_replicas(deployment_, replicas(old_), 0);
  note_revision(set, deployment_, number);
  note_replicas(set, deployment_);
  try {
    new_ = ctx_.create(set);
  } catch (const ApiError& error) {
    refused(set, error);
    return false;
  }
  if (replicas(*new_) > 0) {
    ctx_.event("ScalingReplicaSet",
               "Scaled up replica set " + new_->metadata.name + " from 0 to " + std::to_string(replicas(*new_)));
  }
  if (has_deadline(deployment_)) {
    set_progressing(deployment_.status, "True", "NewReplicaSetCreated",
                    "Created new replica set \"" + new_->metadata.name + "\"", now_);
  }
  // What there is of the new template is counted before the set has any: that is what progress is measured by. The
  // set's own status wakes the deployment again.
  deployment_.status = counted(deployment_, old_, new_, now_);
  return false;
}

// Another template has the same hash, or the name is somebody else's: the next try has another name.
bool Rollout::collided(const std::string& name, const ApiError& error) {
  if (!error.is_already_exists()) return false;
  const auto there = ctx_.live().find<ReplicaSet>({deployment_.metadata.namespace_, name});
  if (!there) return false;
  const auto* controller = kube::controller_of(there->metadata);
  if (controller != nullptr && controller->uid == deployment_.metadata.uid && is_same_template(*there, deployment_)) {
    return false;
  }
  deployment_.status.collisionCount = deployment_.status.collisionCount.value_or(0) + 1;
  return true;
}

void Rollout::refused(const ReplicaSet& set, const ApiError& error) {
  constexpr Duration kTryAgain = std::chrono::seconds(1);
  if (collided(set.metadata.name, error)) return ctx_.requeue_after(Duration::zero());
  // The cache is behind: the next pass finds the set.
  if (error.is_already_exists()) throw error;
  for (const auto& cause : error.causes()) {
    if (cause.reason == "NamespaceTerminating") return;
  }
  const std::string message = "Failed to create new replica set \"" + set.metadata.name + "\": " + error.message();
  if (has_deadline(deployment_)) {
    set_progressing(deployment_.status, "False", "ReplicaSetCreateError", message, now_);
  }
  ctx_.warn("ReplicaSetCreateError", message);
  // Not thrown: the status would not be written.
  ctx_.requeue_after(kTryAgain);
}

}  // namespace flyball::cluster
