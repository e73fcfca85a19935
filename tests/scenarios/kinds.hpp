// Kinds by the names that scenarios give them: "Deployment", or "example.com/v1/Widget" for any other.
#pragma once

#include <string_view>

#include "flyball/kube/resource_key.hpp"

namespace flyball::scenarios {

// Throws Error for a bare name that is not known here.
kube::GroupVersionKind kind_of(std::string_view name);

}  // namespace flyball::scenarios
