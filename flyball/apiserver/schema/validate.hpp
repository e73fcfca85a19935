// Validation of custom resources against their schema, in the words of kube-apiserver.
//
//   Problems problems;
//   validate(*schema, object, problems);
//   problems.text();      // spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"
//   validate_update(*schema, object, old, problems);       // what was wrong before and did not change is tolerated
//
// Upstream walks the members of an object in no particular order; here it is that of their names.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// What OpenAPI says: types, required members, limits, formats, anyOf and its like.
void validate(const Schema& schema, json::View object, Problems& problems);
void validate_update(const Schema& schema, json::View object, json::View old, Problems& problems);
// A part of an object that stands at `at`, against the schema of that part; its messages name fields from there on.
void validate_part(const SchemaNode& schema, json::View value, const FieldPath& at, Problems& problems);
// The same for an update; an absent `old` has nothing to tolerate.
void validate_part_update(const SchemaNode& schema, json::View value, json::View old, const FieldPath& at,
                          Problems& problems);

// Resources embedded in the object: their apiVersion, kind and metadata.
void validate_embedded(const Schema& schema, json::View object, Problems& problems);
// The same for a part. `resource`: it is a whole object itself. Without a place, fields are named from the part on.
void validate_embedded_part(const SchemaNode& schema, json::View value, bool resource, const FieldPath& at,
                            Problems& problems);
// Lists that are sets or maps: no item, or key, twice.
void validate_lists(const Schema& schema, json::View object, Problems& problems);

}  // namespace flyball::apiserver
