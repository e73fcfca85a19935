// container_of: which container of a pod a request is about.
//
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

// The one that was asked for, or the only one there is. Throws Refusal 400.
std::string container_of(const kube::core::v1::Pod& pod, std::string_view asked);

}  // namespace flyball::apiserver
