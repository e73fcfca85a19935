// What Go's JSON decoder says of a text or a value it cannot read: clients and people know these words.
//
//   go_syntax_error("{\"a\": 1,");                   // unexpected end of JSON input
//   go_syntax_error("hello");                        // invalid character 'h' looking for beginning of value
//   go_type_error(deployment_type, problem);         // json: cannot unmarshal string into Go struct field …
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::apiserver {

// Of a text that is not JSON.
std::string go_syntax_error(std::string_view text);

// Of a value that is not of the type its field has. `problem` is what reflect::decode says of it.
std::string go_type_error(const reflect::Type& type, const InputError& problem);

// "core", "apps", "rbac": what Go calls the package of a group's types.
std::string go_package(std::string_view group);

}  // namespace flyball::apiserver
