// Subresources: status, scale, binding, eviction, finalize, token and the others.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

// context.call.subresource is not empty. Throws Refusal 404 for one the resource does not have.
net::Response answer_subresource(Context& context);

}  // namespace flyball::apiserver
