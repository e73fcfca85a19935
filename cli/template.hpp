// The files of a new project, as texts with holes. cli/templates has them; CMake puts them into the program.
//
//   fill("main.cpp.in", {{"name", "shop-operator"}});
//
// `{{name}}` is replaced by the value of that name. A line that begins with `{{?name}}` stays, without that mark, when
// the value is there and not empty, and goes when not.
//
// Errors: Error for a template or a name that does not exist: a mistake of ours.
// Thread-safety: pure functions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace flyball::cli {

using Values = std::map<std::string, std::string, std::less<>>;

const std::map<std::string, std::string, std::less<>>& templates();

std::string fill(std::string_view name, const Values& values);
// The same of any text.
std::string fill_text(std::string_view text, const Values& values);

}  // namespace flyball::cli
