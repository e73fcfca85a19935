// A probe over the network, from inside the pod's own. Runs in a child of the sandbox, which ends with the answer: 0
// for yes; what it prints says why not.
#pragma once

#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

ProbeAnswer ask_over_network(const ProbeRequest& request);

}  // namespace flyball::cluster::node
