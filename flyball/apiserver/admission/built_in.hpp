// What the server itself changes in objects that are written: tokens, tolerations and priorities of pods, the class of
// claims, finalizers that protect what is in use. Doing it twice changes nothing more.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

// `old` is null on create.
void change_built_in(Context& context, Object& object, const Object* old);

}  // namespace flyball::apiserver
