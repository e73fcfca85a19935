#include "flyball/cluster/controllers.hpp"

#include "flyball/cluster/controllers/deployment.hpp"
#include "flyball/cluster/controllers/garbage_collector.hpp"
#include "flyball/cluster/controllers/replicaset.hpp"

namespace flyball::cluster {

void declare_controllers(runtime::Operator& op) {
  declare_replicasets(op);
  declare_deployments(op);
  declare_garbage_collector(op);
}

}  // namespace flyball::cluster
