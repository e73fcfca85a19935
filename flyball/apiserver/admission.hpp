// Admission: what the server itself changes and refuses between defaults and checks. Webhooks and policies will join
// here.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

// May change the object. `old` is null on create.
void mutate(Context& context, Object& object, const Object* old);
// May refuse it. `object` is null on delete, `old` on create.
void admit(Context& context, const Object* object, const Object* old);

// A new object's namespace must be there, and not on its way out.
void check_namespace_lives(Context& context, const std::string& object);

}  // namespace flyball::apiserver
