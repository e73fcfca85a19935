// What valid autoscalers look like.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/autoscaling/v1.hpp"
#include "flyball/kube/autoscaling/v2.hpp"

namespace flyball::apiserver {

void validate_autoscaler(const kube::autoscaling::v1::HorizontalPodAutoscaler& scaler, Problems& problems);
void validate_autoscaler(const kube::autoscaling::v2::HorizontalPodAutoscaler& scaler, Problems& problems);

}  // namespace flyball::apiserver
