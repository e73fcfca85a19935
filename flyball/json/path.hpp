// Field paths as people write them: `spec.containers[0].image`, `metadata.annotations["example.com/owner"]`.
//
// Errors carry such a path; programs that navigate use JSON Pointers (pointer.hpp).
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flyball::json {

// Appends a member: `.key` after something, `key` at the start, `["key"]` when the key is not a plain word.
void append_member(std::string& path, std::string_view key);

// Appends `[index]`.
void append_index(std::string& path, std::size_t index);

// Turns the JSON Pointer `/spec/containers/0` into the path `spec.containers[0]`. Digits are taken as an index.
std::string path_of_pointer(std::string_view pointer);

}  // namespace flyball::json
