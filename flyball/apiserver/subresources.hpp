// Subresources: status, scale, binding, eviction, finalize and the others; and the kinds that are only asked for
// (reviews), never stored.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

// context.call.subresource is not empty. Throws Refusal 404 for one the resource does not have.
net::Response answer_subresource(Context& context);

// A kind that is created and answered at once: SelfSubjectReview and its family.
bool is_review(const Resource& resource);
net::Response answer_review(Context& context);

}  // namespace flyball::apiserver
