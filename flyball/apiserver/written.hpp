// Written: what a write made, on its way from the chain to the answer.
//
// Thread-safety: a value.
#pragma once

#include <optional>

#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/stored_text.hpp"

namespace flyball::apiserver {

struct Written {
  Bytes text = {};  // as it was stored, or would have been, in the version of the request
  bool created = false;
  std::optional<Object> object = {};  // the same as an object, where it is at hand
};

}  // namespace flyball::apiserver
