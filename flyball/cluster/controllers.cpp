#include "flyball/cluster/controllers.hpp"

#include <utility>

#include "flyball/cluster/controllers/cluster_roles.hpp"
#include "flyball/cluster/controllers/deployment.hpp"
#include "flyball/cluster/controllers/endpoint_slices.hpp"
#include "flyball/cluster/controllers/endpoints.hpp"
#include "flyball/cluster/controllers/endpoints_mirror.hpp"
#include "flyball/cluster/controllers/garbage_collector.hpp"
#include "flyball/cluster/controllers/job.hpp"
#include "flyball/cluster/controllers/namespaces.hpp"
#include "flyball/cluster/controllers/nodes.hpp"
#include "flyball/cluster/controllers/replicaset.hpp"
#include "flyball/cluster/controllers/scheduler.hpp"
#include "flyball/cluster/controllers/service_accounts.hpp"
#include "flyball/cluster/controllers/statefulset.hpp"
#include "flyball/cluster/controllers/volume_protection.hpp"

namespace flyball::cluster {

void declare_controllers(runtime::Operator& op, ControllersOptions options) {
  declare_replicasets(op);
  declare_deployments(op);
  declare_statefulsets(op);
  declare_jobs(op);
  declare_endpoint_slices(op);
  declare_endpoints(op);
  declare_endpoints_mirror(op);
  declare_service_accounts(op, options.root_ca);
  declare_volume_binder(op, std::move(options.volumes));
  declare_volume_protection(op);
  declare_nodes(op);
  if (options.scheduler) declare_scheduler(op);
  declare_namespaces(op);
  declare_cluster_roles(op);
  declare_garbage_collector(op);
}

}  // namespace flyball::cluster
