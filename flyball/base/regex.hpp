// Regex: Go's regular expressions (RE2 syntax), which patterns of custom resources are written in.
//
//   const Regex regex("^[a-z]+(-[a-z0-9]+)*$");      // throws RegexError in Go's words when it is none
//   regex.search("my-app");                          // true when some part of the text matches
//   regex.find("1 my-app", 0);                       // where: {2, 8}
//
// Matching takes time linear in the text, whatever the pattern: no input makes it hang. All of RE2's syntax is read;
// captures are not kept, only where the whole match is. Beyond ASCII two things are coarse: (?i) does not fold case,
// and the Unicode classes (\p{L}) are by blocks, not by the tables of the standard.
//
// Thread-safety: immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/error.hpp"

namespace flyball {

// `what()` reads "error parsing regexp: missing closing ]: `[a`".
class RegexError : public Error {
 public:
  using Error::Error;
};

class Regex {
 public:
  explicit Regex(std::string_view pattern);
  bool search(std::string_view text) const;

  // Bytes [begin, end) of a match.
  struct Bounds {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const Bounds&, const Bounds&) = default;
  };
  // The leftmost match that begins at `from` or behind; of several there the one that Perl and Go prefer.
  std::optional<Bounds> find(std::string_view text, std::size_t from = 0) const;
  // The matches from left to right, none overlapping, at most `most`; as Go's FindAllStringIndex.
  std::vector<Bounds> find_all(std::string_view text, std::size_t most = SIZE_MAX) const;

  // Characters as ascending ranges.
  using Class = std::vector<std::pair<char32_t, char32_t>>;

  enum class Op : std::uint8_t {
    characters,  // one of a class
    split,       // go on at both x and y; x is preferred
    jump,
    begin_text,
    end_text,
    begin_line,
    end_line,
    word_boundary,
    no_word_boundary,
    match,
  };
  struct Instruction {
    Op op = Op::match;
    std::uint32_t x = 0;  // the class, or where to go on
    std::uint32_t y = 0;
  };
  struct Program {
    std::vector<Instruction> code = {};
    std::vector<Class> classes = {};
  };

 private:
  Program program_;
};

}  // namespace flyball
