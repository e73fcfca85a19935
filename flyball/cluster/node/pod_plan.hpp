// plan_of: what a node does next for a pod: which containers it starts, and until when it waits.
//
//   const PodPlan plan = plan_of(pod, record, now);
//   for (const core::Container* container : plan.start) start(*container);
//
// Init containers go one after the other; each ends well before the next begins, and one that stays (restartPolicy
// Always) has started. Then all the others at once. What crashes again and again waits (backoff.hpp).
//
// Thread-safety: a pure function. Lifetime: the plan points into the pod.
#pragma once

#include <optional>
#include <vector>

#include "flyball/cluster/node/pod_record.hpp"

namespace flyball::cluster::node {

struct Held {
  const kube::core::v1::Container* container = nullptr;
  kube::Time until = {};  // its crashes make it wait
};

struct PodPlan {
  std::vector<const kube::core::v1::Container*> start = {};
  std::vector<Held> held = {};
  bool done = false;  // nothing will run any more but sidecars, and those are told to end
};

PodPlan plan_of(const kube::core::v1::Pod& pod, const PodRecord& record, kube::Time now);

}  // namespace flyball::cluster::node
