// The paths of an OpenAPI document: what can be asked of each resource, with which parameters.
//
// Thread-safety: one thread, as Components.
#pragma once

#include <map>
#include <string>

#include "flyball/apiserver/openapi/components.hpp"
#include "flyball/apiserver/resource.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::openapi {

using Paths = std::map<std::string, json::Value>;

// The resource, its list and its subresources.
void add_paths(const Resource& resource, Components& components, Paths& paths);

}  // namespace flyball::apiserver::openapi
