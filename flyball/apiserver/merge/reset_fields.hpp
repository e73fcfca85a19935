// FieldFilter, and reset_fields: which fields a resource or a subresource writes at all.
//
//   const ManagedKind kind{.schema = schema, .api_version = "apps/v1", .kind = "Deployment",
//                          .reset = reset_fields(type, "status")};
//
// What a door to an object does not write is reset when a client tries, and nobody comes to own it through that door:
// the resource of a kind with a status subresource does not write the status, and that subresource not the spec.
//
// Thread-safety: values. Lifetime: none to mind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/merge/field_set.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver::merge {

class FieldFilter {
 public:
  // A path by the names on it.
  using Pattern = std::vector<std::string>;

  FieldFilter() = default;                                       // lets everything pass
  FieldFilter(FieldSet reset) : reset_(std::move(reset)) {}      // but these fields and what is below them
  static FieldFilter except(const std::vector<Pattern>& reset);  // the same

  FieldSet operator()(const FieldSet& set) const;

 private:
  FieldSet reset_;
};

// Of a built-in kind; `subresource` is empty for the resource itself.
FieldFilter reset_fields(const reflect::Type& kind, std::string_view subresource);
// Of a custom resource.
FieldFilter reset_fields_of_custom(bool has_status, std::string_view subresource);

}  // namespace flyball::apiserver::merge
