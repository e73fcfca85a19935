#include "flyball/cluster/controllers/deployment.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/deployment_rollout.hpp"
#include "flyball/cluster/controllers/deployment_status.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

void reconcile(Context& ctx, apps::Deployment& deployment) {
  const auto any = [](const apps::ReplicaSet&) { return true; };
  Rollout(ctx, deployment, claim<apps::ReplicaSet>(ctx, deployment, selector_of(deployment.spec.selector), any)).run();
}

// Only counts: nothing is made, scaled or adopted any more.
void count(Context& ctx, apps::Deployment& deployment) {
  const kube::Time now(ctx.clock().wall_now());
  Sets sets = ctx.list<apps::ReplicaSet>({.owner = deployment.metadata.uid});
  std::ranges::sort(sets, is_older);
  std::optional<apps::ReplicaSet> current;
  const auto found = std::ranges::find_if(sets, [&](const auto& set) { return is_same_template(set, deployment); });
  if (found != sets.end()) {
    current = std::move(*found);
    sets.erase(found);
  }
  deployment.status = counted(deployment, sets, current, now);
}

}  // namespace

void declare_deployments(runtime::Operator& op) {
  op.reconcile<apps::Deployment>(reconcile).while_going(count).owns<apps::ReplicaSet>().reads<core::Pod>().name(
      "deployment-controller");
}

}  // namespace flyball::cluster
