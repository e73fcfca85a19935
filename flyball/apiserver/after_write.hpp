// What the server does when an object was written or is gone: definitions become resources, namespaces get what every
// namespace has, events of the past are forgotten.
//
// Thread-safety: may be called from any thread, after the write, without locks.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

// `old` is null after a create.
void after_write(World& world, const Object& object, const Object* old);
void after_erase(World& world, const Object& object);

// Writes what stands there without the chain: for the server's own changes. Throws Outdated.
Revision replace_object(Context& context, Object& object, Revision expected);

}  // namespace flyball::apiserver
