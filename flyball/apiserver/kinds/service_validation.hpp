// What a valid Service looks like, and what of it can change.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

void validate_service(const kube::core::v1::Service& service, Problems& problems);
void validate_service_update(const kube::core::v1::Service& service, const kube::core::v1::Service& old,
                             Problems& problems);
void validate_service_status(const kube::core::v1::Service& service, Problems& problems);
// Whether cluster IPs, families and policy fit each other.
void check_cluster_ips(const kube::core::v1::Service& service, Problems& problems);
// An address that traffic can be sent to.
void check_endpoint_ip(const std::string& ip, const FieldPath& at, Problems& problems);
// Addresses and masks: 10.0.0.0/24.
void check_cidr(const std::string& cidr, const FieldPath& at, Problems& problems);
// Whether a range lies within another and is not the whole of it; true when one of them cannot be read.
bool is_inside(const std::string& cidr, const std::string& around);
std::vector<std::string> service_warnings(const kube::core::v1::Service& service);

}  // namespace flyball::apiserver
