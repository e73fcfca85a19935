// Objects as the bodies of requests.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/client/object_requests.hpp"

namespace flyball::client {

json::Value as_json(ConstObject object);

// A dynamic value that does not say what it is gets the resource's apiVersion and kind.
std::string object_body(ConstObject object, Format format, const Resource& resource);

// What server-side apply takes: without what only the server may write, and only the part that is applied.
std::string apply_body(ConstObject object, const Resource& resource, Part part);

}  // namespace flyball::client
