// The scale subresource: how many replicas an object has, in the same words for every kind.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

// GET, PUT and PATCH of …/scale.
net::Response answer_scale(Context& context);

}  // namespace flyball::apiserver
