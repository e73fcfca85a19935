// Defaults: what a schema says a custom resource holds where it says nothing itself.
//
//   json::Value complete = apply_defaults(*schema, object);
//
// A member that is missing gets the default of its property, and its own members theirs. Null where the schema is not
// nullable is as good as missing: it gets the default, and is dropped where there is none.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// What becomes of a null that is not allowed and has no default.
enum class Nulls : std::uint8_t {
  drop,  // in what clients send
  keep,  // in what apply made: validation refuses it, as upstream's does
};

json::Value apply_defaults(const Schema& schema, json::View object, Nulls nulls = Nulls::drop);

}  // namespace flyball::apiserver
