// Objects as text, for people and for other programs.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/json/value.hpp"

namespace flyball::cli {

// Nobody reads them, and they are half of an object.
json::Value without_managed_fields(const json::Value& object);
// A v1 List of them.
json::Value list_of(const std::vector<json::Value>& objects);
// As yaml or json, with a line break at the end.
std::string document_text(const json::Value& object, const std::string& format);
// Every line begins with that many spaces.
std::string indented(const std::string& text, std::size_t spaces);

}  // namespace flyball::cli
