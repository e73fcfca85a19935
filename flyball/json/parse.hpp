// Parsing JSON text into a Value.
//
//   json::Value pod = json::parse(text);                      // throws ParseError: line, column, path, what is wrong
//   json::Value body = json::parse(text, {.duplicates = json::Duplicates::last_wins});
//
// What is refused: anything that is not RFC 8259 JSON, text that is not UTF-8, text after the value, and, unless told
// otherwise, a member that stands twice in one object. A lone surrogate escape becomes U+FFFD, as in Go.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "flyball/json/reader.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

enum class Duplicates {
  refuse,     // an error that names the member
  last_wins,  // what Kubernetes' decoders do
};

struct ParseOptions {
  Limits limits = {};
  // Default: a member that stands twice is an error.
  Duplicates duplicates = Duplicates::refuse;
  // With last_wins: every member that stood twice is reported here, as the error it would have been. Default: nowhere.
  std::vector<InputError>* reports = nullptr;
};

Value parse(std::string_view text, const ParseOptions& options = {});

// The value at the reader's cursor, which then stands behind it. `options.limits` are the reader's own.
Value parse_next(Reader& reader, const ParseOptions& options = {});

}  // namespace flyball::json
