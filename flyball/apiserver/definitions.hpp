// CustomResourceDefinitions: what becomes of one that is written. It is served in the same request that makes it
// Established, and its objects go with it.
//
// Thread-safety: may be called from any thread.
#pragma once

#include <string>
#include <string_view>

#include "flyball/apiserver/context.hpp"

namespace flyball::apiserver {

inline constexpr std::string_view kDefinitionShelf = "customresourcedefinitions.apiextensions.k8s.io";

// Its names are accepted or not, it is Established, and served from now on; one that ends loses its objects first.
void definition_written(World& world, const std::string& name);
void definition_gone(World& world, const std::string& name);
// DELETE of a definition: it is marked, loses its objects, and goes with the last of them. False when it is marked
// already.
bool begin_definition_end(Context& context, Object& object);
// Perhaps the last one that a definition waits for.
void instance_gone(World& world, const Resource& resource);
// All that are stored, when a server starts.
void serve_definitions(World& world);

}  // namespace flyball::apiserver
