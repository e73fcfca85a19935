// The steps of the chain for CustomResourceDefinitions themselves.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/kind_steps.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

bool is_definition(const Resource& resource);

void default_definition_object(Object& object);
void prepare_definition_object(Object& object, const Object* old, Part part);
void validate_definition_object(const Object& object, const Object* old, Part part, Problems& problems);

}  // namespace flyball::apiserver
