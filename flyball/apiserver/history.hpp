// History: how long the past stays readable.
//
// Thread-safety: may be called from any thread.
#pragma once

#include "flyball/apiserver/context.hpp"

namespace flyball::apiserver {

// Compacts what is older than the options allow. Called with every request; does something once in a while.
void forget_old(World& world);

}  // namespace flyball::apiserver
