#include "flyball/cluster/controllers/deployment.hpp"

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/deployment_rollout.hpp"
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

}  // namespace

void declare_deployments(runtime::Operator& op) {
  op.reconcile<apps::Deployment>(reconcile).owns<apps::ReplicaSet>().reads<core::Pod>().name("deployment-controller");
}

}  // namespace flyball::cluster
