// What valid namespaces, nodes, events, limits and quotas look like.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/events/v1.hpp"

namespace flyball::apiserver {

void validate_namespace(const kube::core::v1::Namespace& object, Problems& problems);
void validate_node(const kube::core::v1::Node& node, Problems& problems);
void validate_node_update(const kube::core::v1::Node& node, const kube::core::v1::Node& old, Problems& problems);
void validate_event(const kube::core::v1::Event& event, Problems& problems);
void validate_event(const kube::events::v1::Event& event, Problems& problems);
void validate_event_update(const kube::events::v1::Event& event, const kube::events::v1::Event& old,
                           Problems& problems);
void validate_limit_range(const kube::core::v1::LimitRange& range, Problems& problems);
void validate_quota(const kube::core::v1::ResourceQuota& quota, Problems& problems);

}  // namespace flyball::apiserver
