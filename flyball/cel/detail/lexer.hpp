// The tokens of an expression.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "flyball/cel/source.hpp"

namespace flyball::cel::detail {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    identifier,
    escaped_identifier,
    integer,
    unsigned_integer,
    real,
    string,
    bytes,
    symbol,  // operators, brackets, and the words in, true, false, null
  };
  Kind kind = Kind::end;
  std::size_t offset = 0;
  std::string text = {};
  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

// Ends with a token of kind end. What is no token is told and left out.
std::vector<Token> tokenize(const Source& source, Issues& issues);

// What a string or bytes token stands for; `problem` gets cel-go's words when it cannot be said.
std::string unescape(std::string_view token, bool bytes, std::string& problem);

}  // namespace flyball::cel::detail
