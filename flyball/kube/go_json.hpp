// The JSON text Go writes for a built-in object: what an API server answers and stores.
//
//   std::string text = kube::to_go_json(type, object);  // {"apiVersion":"v1","kind":"Pod","metadata":{…},"status":{}}
//
// The same text as json::write(message_to_json(encode_message(type, object), type)), which says it by way of protobuf,
// in a fraction of the time: with `"status": {}` and `null` where Go has them, and without what protobuf has no place
// for. reflect::encode writes what a client sends: there, what says nothing is left out.
//
// Errors: InputError with the field path, for JSON within the object that is none, and for numbers that JSON cannot
// hold. Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/reflect/type.hpp"

namespace flyball::kube {

// A document of a top-level kind: begins with its apiVersion and kind.
std::string to_go_json(const reflect::Type& type, const void* value);

}  // namespace flyball::kube
