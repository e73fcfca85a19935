// Writing JSON text, byte for byte as Go's encoding/json writes it.
//
//   std::string body = json::write(value);                             // compact, keys in their order
//   std::string file = json::write(value, {.indent = 2, .sort_keys = true});
//
// Go's habits matter because clients and servers compare bytes: `<`, `>`, `&`, U+2028 and U+2029 are escaped, doubles
// take the shortest form that reads back the same, with an exponent only below 1e-6 and from 1e21.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/json/value.hpp"

namespace flyball::json {

struct WriteOptions {
  // Spaces per level; 0 writes everything on one line without blanks. Default: 0.
  int indent = 0;
  // Members in the byte order of their keys, as Go writes maps. Default: the order they have.
  bool sort_keys = false;
  // Escape <, > and & as Go does unless told otherwise. Default: true.
  bool escape_html = true;
};

// An absent view writes as null.
std::string write(View value, const WriteOptions& options = {});
void write(View value, std::string& to, const WriteOptions& options = {});

// One JSON string with its quotes, one number: the pieces, for writers of other shapes.
void write_string(std::string_view text, std::string& to, bool escape_html = true);
void write_number(std::int64_t value, std::string& to);
void write_number(double value, std::string& to);

// A value as it reads in an error: `the string "abc"`, `the integer 3`, `an array of 2`, shortened when long.
std::string summary(View value);

}  // namespace flyball::json
