// Decoding: the body of a request becomes an object, strictly or not, in whichever format it came.
//
//   Decoded decoded = decode_body(call, resource, FieldValidation::warn);
//   for (const std::string& problem : decoded.strict) warn(problem);        // unknown field "spec.x"
//
// JSON, YAML and (built-in kinds) protobuf. What is unknown or stands twice is dropped, and told: strict refuses it.
//
// Errors are Refusals in kube-apiserver's words. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flyball/apiserver/call.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

enum class FieldValidation : std::uint8_t { ignore, warn, strict };

struct Decoded {
  Object object;
  std::vector<std::string> strict = {};  // unknown and repeated fields
};

// `resource` may be that of a subresource's kind (Scale, Binding, Eviction).
Decoded decode_body(const Call& call, const ResourcePointer& resource, FieldValidation validation);

// A value that was made of a patch.
Decoded decode_value(json::View value, const ResourcePointer& resource, FieldValidation validation);

// Any JSON, YAML or protobuf body as a value: the options of a DELETE, patches in YAML.
enum class BodyFormat : std::uint8_t { json, yaml, protobuf };
// Throws Refusal 415 for a Content-Type that is none of these.
BodyFormat body_format(const Call& call, bool protobuf);

// The Refusal for a strict problem, or the warnings: one place for both.
void report_strict(const std::vector<std::string>& problems, FieldValidation validation, const Resource& resource,
                   std::vector<std::string>& warnings);

}  // namespace flyball::apiserver
