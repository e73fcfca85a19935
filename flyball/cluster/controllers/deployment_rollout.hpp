// Rollout: one pass over one deployment: makes the set of the new template, lets it grow and the others shrink.
//
//   Rollout(ctx, deployment, sets).run();                 // and the deployment's status is what it should be
//
// A pass takes one step at a time and asks for another: a set grows, and when its pods are available, others shrink.
//
// Thread-safety: the thread of the pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flyball/cluster/controllers/deployment_numbers.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {

class Rollout {
 public:
  // All sets of the deployment.
  Rollout(Context& ctx, kube::apps::v1::Deployment& deployment, Sets sets);

  void run();

 private:
  using ReplicaSet = kube::apps::v1::ReplicaSet;
  enum class Missing { leave, create };

  // Without a step of the rollout: when it is paused, or was scaled.
  void scale_only();
  void roll();
  void recreate();

  // Keeps revision and annotations of the new set, which is made first if it shall be. False: the pass has to end.
  bool find_new_set(Missing missing);
  bool make_new_set(std::int64_t revision);
  void refused(const ReplicaSet& set, const ApiError& error);
  bool collided(const std::string& name, const ApiError& error);
  // The deployment carries the revision too. False when that was written: the status has to wait for the next pass.
  bool note_own_revision(std::int64_t revision);

  bool was_scaled() const;
  void scale();
  void scale_in_proportion();
  // The one set that has pods, or without any the latest; none when there are several.
  ReplicaSet* only_active();
  bool is_saturated() const;
  // True when that changed its size.
  bool scale(ReplicaSet& set, std::int32_t to, bool note_always = false);

  bool grow_new();
  bool shrink_old();
  std::int32_t shrink_unhealthy(std::int32_t most);
  std::int32_t shrink_available();
  bool old_pods_run();
  void forget_oldest();

  void finish_rollout();

  Context& ctx_;
  kube::apps::v1::Deployment& deployment_;
  const kube::apps::v1::DeploymentStatus stored_;
  const kube::Time now_;
  std::optional<ReplicaSet> new_ = {};
  Sets old_;  // oldest first
};

}  // namespace flyball::cluster
