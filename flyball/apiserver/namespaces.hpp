// Namespaces: what every one has, and how one ends.
//
// Thread-safety: pure functions of a Context or a World.
#pragma once

#include <string>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

// DELETE of a namespace that still has finalizers in its spec: it is marked, and goes when they are gone. False when
// there is nothing to mark.
bool begin_namespace_end(Context& context, Object& object);

// PUT of /finalize: its finalizers may go; with the last one goes the namespace.
net::Response finalize_namespace(Context& context);

// The objects that every namespace has.
void fill_namespace(World& world, const std::string& name);

}  // namespace flyball::apiserver
