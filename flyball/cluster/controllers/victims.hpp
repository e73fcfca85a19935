// Which pods go first when there are too many, in the order Kubernetes has: those that run nowhere yet, that are
// pending, that are not ready, that cost least to delete, that stand with most of their kind on one node, that have
// been ready for the shortest time, that restarted most, that are the youngest. Ages count by their order of magnitude.
//
//   for (const auto& pod : victims(pods, related, pods.size() - wanted, clock.wall_now())) ctx.delete_(pod);
//
// Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster {

// `count` of the pods. `related` are those that should not stand together on a node with them, themselves included.
std::vector<kube::core::v1::Pod> victims(std::vector<kube::core::v1::Pod> pods,
                                         const std::vector<kube::core::v1::Pod>& related, std::size_t count,
                                         WallTime now);

}  // namespace flyball::cluster
