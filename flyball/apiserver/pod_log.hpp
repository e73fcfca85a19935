// GET …/pods/NAME/log: who asks, for which container, and how much; the node has the lines (pod_door.hpp).
//
// Thread-safety: pure functions.
#pragma once

#include <memory>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/pod_door.hpp"

namespace flyball::apiserver {

bool is_pod_log(const net::Request& request);
// It may go on: follow.
bool follows_pod_log(const net::Request& request);
// Throws Refusal.
std::unique_ptr<client::BodyStream> open_pod_log(Context& context, PodDoor& door);

}  // namespace flyball::apiserver
