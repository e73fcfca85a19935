// Waiting until what was applied runs, and saying why it does not.
//
//   wait_for_rollout(access, {{deployments, {"shop", "web"}}}, stop, io);
//
// A line for each change of a state; for a pod that is stuck what its container waits for, and its newest warning.
//
// Errors: Error when the time is over, with what is not ready and why. Thread-safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/access.hpp"
#include "cli/applying.hpp"

namespace flyball::cli {

// Whether a kind is one that runs something, so that it can be waited for.
bool is_workload(const client::Resource& resource);

// Why a workload is not ready: a line for each of its pods that is not; empty when nothing is known.
std::vector<std::string> troubles_of(Access& access, const json::Value& workload);

void wait_for_rollout(Access& access, const std::vector<Place>& places, const Stop& stop, Io& io);

}  // namespace flyball::cli
