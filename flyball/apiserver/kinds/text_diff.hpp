// What changed, as a person reads it: the unified diff of two values, indented. In the API server's refusals.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// The lines of a unified diff with three lines of context and without file names; empty when nothing differs.
std::string unified_diff(json::View from, json::View to);

}  // namespace flyball::apiserver
