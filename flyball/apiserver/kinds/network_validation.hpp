// What valid Ingresses, network policies and endpoints look like.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/discovery/v1.hpp"
#include "flyball/kube/networking/v1.hpp"

namespace flyball::apiserver {

void validate_ingress(const kube::networking::v1::Ingress& ingress, Problems& problems);
void validate_ingress_class(const kube::networking::v1::IngressClass& object, Problems& problems);
void validate_network_policy(const kube::networking::v1::NetworkPolicy& policy, Problems& problems);
void validate_endpoints(const kube::core::v1::Endpoints& endpoints, Problems& problems);
void validate_endpoint_slice(const kube::discovery::v1::EndpointSlice& slice, Problems& problems);

}  // namespace flyball::apiserver
