// What the schema of a definition does with its custom resources: pruning, defaults, checks.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/kind_steps.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

// The fields that went, as `unknown field "spec.x"`. Throws Refusal 400 for metadata of an embedded resource that is
// none.
std::vector<std::string> prune_custom(Object& object);
void default_custom(Object& object);
void validate_custom(const Object& object, const Object* old, Part part, Problems& problems);

}  // namespace flyball::apiserver
