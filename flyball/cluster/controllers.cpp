#include "flyball/cluster/controllers.hpp"

#include "flyball/cluster/controllers/replicaset.hpp"

namespace flyball::cluster {

void declare_controllers(runtime::Operator& op) {
  declare_replicasets(op);
}

}  // namespace flyball::cluster
