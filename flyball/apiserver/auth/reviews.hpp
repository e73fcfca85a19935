// The kinds that are created and answered at once, never stored: who am I, whose token is this, may somebody do that.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

bool is_review(const Resource& resource);
net::Response answer_review(Context& context);

}  // namespace flyball::apiserver
