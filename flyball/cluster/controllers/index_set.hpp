// Sets of completion indexes in the text that a Job's status has: "1,3-5,7".
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace flyball::cluster {

using Indexes = std::set<std::int32_t>;

// What is no number is left out.
Indexes parse_indexes(std::string_view text);
// Three and more in a row are written with a hyphen.
std::string to_string(const Indexes& indexes);

}  // namespace flyball::cluster
