// Bootstrap: the objects that a new cluster has before anybody asks for one.
//
// Thread-safety: may be called from any thread; what is there stays as it is.
#pragma once

#include <string_view>

#include "flyball/apiserver/context.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// Namespaces, and `default/kubernetes` when the server has an address.
void bootstrap(World& world);

// Makes an object if it is not there, through the whole chain, as the server itself.
void ensure_object(World& world, std::string_view group, std::string_view version, std::string_view plural,
                   std::string_view space, const json::Value& object);

}  // namespace flyball::apiserver
