// A Resource for a built-in kind that is not served as one: Scale, Binding, Eviction, DeleteOptions.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "flyball/apiserver/resource.hpp"

namespace flyball::apiserver {

ResourcePointer kind_resource(std::string_view api_version, std::string_view kind);

}  // namespace flyball::apiserver
