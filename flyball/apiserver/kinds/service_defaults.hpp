// What a Service needs, by its type, and what the API server fills in.
#pragma once

#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

void default_service(kube::core::v1::Service& service);

bool needs_cluster_ip(const kube::core::v1::Service& service);
bool needs_node_port(const kube::core::v1::Service& service);
bool needs_health_check_port(const kube::core::v1::Service& service);
// From outside of the cluster.
bool is_externally_accessible(const kube::core::v1::Service& service);

// Takes away what an older type needed and the client did not touch; `service` is what the client sent.
void drop_fields_of_old_type(kube::core::v1::Service& service, const kube::core::v1::Service& old);
// Puts back what the server had chosen and a client that replaces the whole object left out.
void keep_allocated(kube::core::v1::Service& service, const kube::core::v1::Service& old);

}  // namespace flyball::apiserver
