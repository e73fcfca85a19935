// Parts of Regex: from the text of a pattern to the program of its machine.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "flyball/apiserver/schema/regex.hpp"

namespace flyball::apiserver::detail {

// Throws RegexError.
Regex::Program parse_regex(std::string_view pattern);

// The first character of UTF-8 text that is not empty, and how many bytes it takes; U+FFFD when it is none.
char32_t decode(std::string_view text, std::size_t& length);

// Makes the ranges ascending and apart.
void normalize(Regex::Class& characters);
Regex::Class negated(Regex::Class characters);

// "digit", "word", … of [[:digit:]] and \d; nothing when there is no such class.
std::optional<Regex::Class> named_class(std::string_view name);
// "L", "Lu", "Greek", … of \p{L}.
std::optional<Regex::Class> unicode_class(std::string_view name);

}  // namespace flyball::apiserver::detail
