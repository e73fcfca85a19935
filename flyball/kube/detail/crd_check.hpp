// What crd() finds wrong before the API server does.
#pragma once

#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/kube/crd.hpp"

namespace flyball::kube::detail {

// The schema of a whole object, as it stands in the definition.
json::Value schema_of(const CrdVersion& version);

// Throws Error that names the resource, the option and what was expected.
void check_crd(const std::vector<CrdVersion>& versions);

}  // namespace flyball::kube::detail
