// Discovery and the other paths that are no resources: /api, /apis, /version, health.
//
// Thread-safety: pure functions of the World.
#pragma once

#include <optional>

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

// Nothing for a path that is none of these.
std::optional<net::Response> answer_discovery(World& world, const Call& call);

}  // namespace flyball::apiserver
