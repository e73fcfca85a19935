// Metadata: what it must look like, and what of it an update may change; the same for all kinds.
//
//   validate_metadata(pod.metadata, true, rules.traits().name, problems);
//   validate_metadata_update(pod.metadata, old.metadata, problems);
//
// The API server checks metadata before the rest of the object.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::apiserver {

using NameRule = kube::names::Messages (*)(std::string_view);

// On create, after the name was generated.
void validate_metadata(const kube::meta::v1::ObjectMeta& metadata, bool namespaced, NameRule name, Problems& problems);
void validate_metadata(const kube::meta::v1::ObjectMeta& metadata, bool namespaced, NameRule name, const FieldPath& at,
                       Problems& problems);
void validate_metadata_update(const kube::meta::v1::ObjectMeta& metadata, const kube::meta::v1::ObjectMeta& old,
                              Problems& problems);

// Finalizers that need a domain in front: built-in kinds take only the standard ones without. (CRDs' objects may.)
void validate_kube_finalizers(const kube::meta::v1::ObjectMeta& metadata, Problems& problems);

// For a status that cannot change any of the metadata beside managedFields.
void keep_metadata(kube::meta::v1::ObjectMeta& metadata, const kube::meta::v1::ObjectMeta& old);

}  // namespace flyball::apiserver
