// /openapi/v3: a document for each group and version, which kubectl reads for `explain`, to see whether the server
// checks fields, and to merge patches. Made when it is asked for: from the tables of the built-in types and the schemas
// of definitions.
//
// Thread-safety: pure functions of a World.
#pragma once

#include <optional>

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

// Nothing when the path is no such document.
std::optional<net::Response> answer_openapi(World& world, const Call& call);

}  // namespace flyball::apiserver
