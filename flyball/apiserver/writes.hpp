// The verbs that write: create, update, patch, delete and deletecollection.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

net::Response create(Context& context);
net::Response update(Context& context);
net::Response patch(Context& context);
net::Response remove(Context& context);
net::Response remove_collection(Context& context);

// The name in the body, when it has one, is that of the path. Throws Refusal 400.
void check_name(const Object& object, std::string_view name);

}  // namespace flyball::apiserver
