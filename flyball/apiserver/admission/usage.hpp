// Usage: what an object takes of the things that LimitRanges and ResourceQuotas count.
//
//   pod_requests(pod.spec)["cpu"]                 // 1500m: of all containers, as the scheduler counts
//   usage_of(object)["requests.cpu"]              // the same, as quotas name it; "pods": 1; "count/pods": 1
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "flyball/apiserver/object.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/quantity.hpp"

namespace flyball::apiserver {

using Amounts = std::map<std::string, Quantity>;

// Of the whole pod: its containers together, or the largest of those that run before them.
Amounts pod_requests(const kube::core::v1::PodSpec& spec);
Amounts pod_limits(const kube::core::v1::PodSpec& spec);

// What a container or a pod with these takes, as quotas name it: "cpu", "requests.cpu", "limits.cpu".
Amounts compute_usage(const Amounts& requests, const Amounts& limits);

// What an object takes of a quota. Every object counts once: "count/deployments.apps".
Amounts usage_of(const Object& object);

// Whether a quota for `name` speaks of objects of this resource.
bool counts_for(const Resource& resource, std::string_view name);

// Whether an object is in all scopes that a quota has.
bool in_scopes(const kube::core::v1::ResourceQuotaSpec& quota, const Object& object);

void add(Amounts& to, const Amounts& more);
void subtract(Amounts& from, const Amounts& less);

}  // namespace flyball::apiserver
