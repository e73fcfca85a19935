// The OpenAPI schema of a described struct: structural, as CustomResourceDefinitions want it.
//
//   json::Value schema = reflect::schema<MemcachedSpec>();
//   // {"type":"object","properties":{"size":{"type":"integer","format":"int32","default":1,"minimum":1, …
//
// Everything comes from the struct: types from its members, defaults from their initialisers, presence from the rule in
// describe.hpp, the rest from the attributes. What cannot be right is an Error that names type and field, the first
// time the schema is made: a default outside its own bounds, a type that contains itself.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/json/value.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::reflect {

struct SchemaOptions {
  // Status objects are written by the operator, step by step: nothing in them is required. Default: false.
  bool status = false;
};

json::Value schema(const Type& type, const SchemaOptions& options = {});

template <class T>
json::Value schema(const SchemaOptions& options = {}) {
  return schema(type_of<T>(), options);
}

}  // namespace flyball::reflect
