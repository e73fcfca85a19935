// Checks a default against the schema it stands in. Private to the room.
#pragma once

#include <string>

#include "flyball/json/value.hpp"

namespace flyball::reflect {

// Throws Error, naming `field`, when the default does not fit: `MemcachedSpec.size: the default 0 is less than the
// minimum 1`.
void check_default(const std::string& field, json::View schema);

}  // namespace flyball::reflect
