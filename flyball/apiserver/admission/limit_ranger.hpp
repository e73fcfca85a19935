// LimitRanges: what containers, pods and claims of a namespace may ask for, and what they get when they ask for
// nothing.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

// A new pod's containers get the default requests and limits of its namespace.
void set_limit_defaults(const Context& context, Object& object, const Object* old);
// Throws Refusal 403, which names the LimitRange's bound and what was asked for.
void check_limits(const Context& context, const Object& object, const Object* old);

}  // namespace flyball::apiserver
