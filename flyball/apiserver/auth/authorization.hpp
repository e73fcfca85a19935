// Authorization: whether the caller may do what a request asks for, in kube-apiserver's words when not.
//
// Thread-safety: pure functions of a World.
#pragma once

#include "flyball/apiserver/auth/rbac.hpp"
#include "flyball/apiserver/context.hpp"

namespace flyball::apiserver {

// What a request wants to do.
Action action_of(const Call& call);

// Throws Refusal 403 when it may not be done. A server without rules (EngineOptions::rbac) allows everything.
void authorize(World& world, const Action& action);
Decision decide(World& world, const Action& action);

}  // namespace flyball::apiserver
