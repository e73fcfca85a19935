// Conversion between the versions of a kind: HorizontalPodAutoscaler v1 and v2, Events of both groups; everything else
// that has several versions (custom resources without a webhook) only changes its apiVersion.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/resource.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// The object in the version of `to`.
json::Value convert(json::View object, const Resource& to);

}  // namespace flyball::apiserver
