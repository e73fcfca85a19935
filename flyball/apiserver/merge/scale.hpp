// The owners of replicas, seen through the scale subresource.
//
//   const ReplicasPaths paths = {{"apps/v1", Path{PathElement::field("spec"), PathElement::field("replicas")}}};
//   json::Value of_scale = to_scale(parent["metadata"]["managedFields"], paths);
//   ... the write on the Scale object, which has these managedFields ...
//   json::Value of_parent = to_parent(parent_fields, scale_fields, "apps/v1", paths);
//
// Who owns the path of the replicas in the parent owns `.spec.replicas` of the Scale, and who came to own that owns the
// path in the parent afterwards.
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/apiserver/merge/path.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::merge {

// By version of the parent; empty for a version without a scale subresource. Versions that are not here are unknown.
using ReplicasPaths = std::map<std::string, std::optional<Path>, std::less<>>;

// Both throw FieldsError for managedFields that cannot be read, and give null for none.
json::Value to_scale(json::View parent_fields, const ReplicasPaths& paths);
json::Value to_parent(json::View parent_fields, json::View scale_fields, std::string_view api_version,
                      const ReplicasPaths& paths);

}  // namespace flyball::apiserver::merge
