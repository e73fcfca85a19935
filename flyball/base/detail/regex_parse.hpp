// Parts of Regex: from the text of a pattern to the program of its machine.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "flyball/base/regex.hpp"

namespace flyball::detail {

// A pattern as a tree.
struct RegexNode {
  enum class Kind : std::uint8_t { empty, characters, assertion, concat, alternate, repeat, group };
  Kind kind = Kind::empty;
  Regex::Op op = Regex::Op::match;
  Regex::Class characters = {};
  std::vector<RegexNode> children = {};
  int least = 0;
  int most = 0;       // -1: no limit
  bool lazy = false;  // as few as will do are preferred
};

// Throws RegexError.
RegexNode parse_regex(std::string_view pattern);
Regex::Program compile_regex(const RegexNode& pattern);

// The first character of UTF-8 text that is not empty, and how many bytes it takes; U+FFFD when it is none.
char32_t decode(std::string_view text, std::size_t& length);

// Makes the ranges ascending and apart.
void normalize(Regex::Class& characters);
Regex::Class negated(Regex::Class characters);

// "digit", "word", … of [[:digit:]] and \d; nothing when there is no such class.
std::optional<Regex::Class> named_class(std::string_view name);
// "L", "Lu", "Greek", … of \p{L}.
std::optional<Regex::Class> unicode_class(std::string_view name);

}  // namespace flyball::detail
