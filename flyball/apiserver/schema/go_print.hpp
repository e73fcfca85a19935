// How Go's fmt prints JSON values: `map[a:1 b:[x y]]`. Messages of kube-apiserver hold such text, and clients read it.
//
//   go_print(json::parse(R"({"b": ["x", 1.5], "a": null})"));       // map[a:<nil> b:[x 1.5]]
//   go_type(json::parse("[]"));                                      // []interface {}
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// As "%v".
std::string go_print(json::View value);
// As "%s", which shows what is no string as `%!s(int64=1)`.
std::string go_print_string(json::View value);
// As "%#v", which quotes strings and names types: `[]interface {}{"x", 1}`.
std::string go_syntax(json::View value);
// A double as "%v" shows it: 1.5, 1e+06.
std::string go_float(double value);

// A text as strconv.Quote shows it, and how many bytes its first character takes.
std::string go_quote(std::string_view text);
std::size_t go_character_size(std::string_view text);

// The type that Go's decoder gives the value, as "%s" shows it: "map[string]interface {}", "int64".
std::string_view go_type(json::View value);

}  // namespace flyball::apiserver
