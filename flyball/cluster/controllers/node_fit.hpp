// Whether a pod may stand on a node, as far as the two of them decide it: taints, selectors, affinity to nodes.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster {

// A taint that keeps the pod off: NoSchedule or NoExecute, and not tolerated.
bool is_tainted_for(const kube::core::v1::Node& node, const kube::core::v1::Pod& pod);
bool tolerates(const kube::core::v1::Pod& pod, const kube::core::v1::Taint& taint);
// Its nodeSelector and its required node affinity.
bool wants_node(const kube::core::v1::Pod& pod, const kube::core::v1::Node& node);
bool matches(const kube::core::v1::NodeSelector& selector, const kube::core::v1::Node& node);
// A port of the host that both want.
bool share_host_port(const kube::core::v1::Pod& a, const kube::core::v1::Pod& b);

}  // namespace flyball::cluster
