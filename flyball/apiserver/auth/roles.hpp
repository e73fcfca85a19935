// The roles and bindings that every cluster has.
#pragma once

#include "flyball/apiserver/context.hpp"

namespace flyball::apiserver {

// Makes those that are not there.
void bootstrap_roles(World& world);

}  // namespace flyball::apiserver
