// FieldsV1: a FieldSet as managedFields carries it.
//
//   json::Value fields = encode_fields(set);            // {"f:spec":{"f:replicas":{}}}
//   FieldSet again = decode_fields(fields);
//
// `{}` is a member; `".": {}` marks a step as a member that also has something below it. Order and spelling of what is
// written are upstream's. What a later version may have added is dropped on reading, anything else that is not
// FieldsV1 throws FieldsError.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/apiserver/merge/field_set.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::merge {

json::Value encode_fields(const FieldSet& set);
void encode_fields(const FieldSet& set, json::Builder& to);
std::string fields_text(const FieldSet& set);

// `null` and nothing are the empty set.
FieldSet decode_fields(json::View fields);

}  // namespace flyball::apiserver::merge
