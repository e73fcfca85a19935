// The metadata of resources that are embedded in a custom resource: what is no metadata is dropped, and what has the
// wrong type is refused, as the metadata of any object is when it is read.
//
//   Coerced coerced = coerce_embedded(*schema, object);
//   if (coerced.wrong) refuse(400, coerced.wrong->text());     // spec.pod.metadata: Invalid value: {"name":5}: json: …
//
// Upstream does so after pruning.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

struct Coerced {
  json::Value object = {};
  std::vector<std::string> unknown = {};  // spec.pod.metadata.nmae; sorted
  std::optional<Problem> wrong = {};      // the first mistake ends the reading
};

Coerced coerce_embedded(const Schema& schema, json::View object);
// A part of an object that stands at `at`. `resource`: it is a whole object itself.
Coerced coerce_embedded_part(const SchemaNode& schema, json::View value, bool resource, const FieldPath& at);

}  // namespace flyball::apiserver
