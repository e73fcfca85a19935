// Parts of validate_definition.
//
// Thread-safety: pure functions.
#pragma once

#include <functional>
#include <string>

#include "flyball/apiserver/problems.hpp"
#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::detail {

// A schema that stands at `at` (…openAPIV3Schema). `has_status`: a version with it has the status subresource.
void check_definition_schema(const SchemaNode& schema, bool has_status, const FieldPath& at, Problems& problems);

// What the JSON of upstream's internal types looks like, which some of its messages show.
json::Value internal_schema(json::View schema);
struct Shared;
json::Value internal_versions(json::View versions, const Shared& shared);

// What all versions say alike.
struct Shared {
  bool schema = false;
  bool subresources = false;
  bool columns = false;
  bool selectable_fields = false;
};
Shared shared_of(json::View versions);

// Whether the path leads to a field of the schema: ".spec.color". Gives what it leads to, or says what is wrong.
const SchemaNode* find_by_path(const SchemaNode& schema, std::string_view path, std::string& wrong);

// Goes through a schema and all within; stops when told so, and says whether.
bool any_schema(json::View schema, const std::function<bool(json::View)>& found);

void check_conversion(json::View conversion, bool preserve_unknown, const FieldPath& at, Problems& problems);

}  // namespace flyball::apiserver::detail
