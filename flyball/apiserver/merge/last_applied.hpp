// The annotation in which kubectl's client-side apply keeps what it applied, and how its owners move on to server-side
// apply: `kubectl apply --server-side` takes over what the annotation shows to be kubectl's, and keeps it up to date.
// Private to merge.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/merge/field_manager.hpp"

namespace flyball::apiserver::merge {

inline constexpr std::string_view kKubectl = "kubectl";

// The fields that the annotation and `live` agree on; empty when there is no annotation that can be read.
FieldSet fields_last_applied(json::View live, const ManagedKind& kind);

// `object` with an annotation that says `applied`, if it has one at all.
json::Value with_last_applied(json::Value object, json::View applied);

}  // namespace flyball::apiserver::merge
