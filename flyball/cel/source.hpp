// Source and Issues: where in an expression something is wrong, and how it is told.
//
//   ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'
//    | 1 + 'a'
//    | ..^
//
// The text is cel-go's, which people search for and tools parse.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"

namespace flyball::cel {

// Counts code points, not bytes. Lines count from 1, columns from 0; a line of -1 is "nowhere".
struct Location {
  std::int64_t line = -1;
  std::int64_t column = -1;
};

class Source {
 public:
  explicit Source(std::string_view text);
  // The code points of the expression.
  const std::u32string& characters() const { return characters_; }
  Location location(std::size_t offset) const;
  // The line as UTF-8, without its end.
  std::string line(std::int64_t number) const;
  std::string text(std::size_t begin, std::size_t end) const;

 private:
  std::u32string characters_;
  std::vector<std::size_t> line_starts_;
};

struct Issue {
  Location location = {};
  std::string message = {};
};

// What is wrong with an expression, in the order of the text.
class Issues {
 public:
  void add(Location location, std::string message);
  bool empty() const { return count_ == 0; }
  std::string text(const Source& source) const;
  const std::vector<Issue>& all() const { return issues_; }

 private:
  std::vector<Issue> issues_;
  std::size_t count_ = 0;
};

// The expression cannot be used. `what()` has one "ERROR: <input>:1:3: …" per mistake, with the line and a caret.
class CompileError : public Error {
 public:
  using Error::Error;
};

void append_utf8(std::string& to, char32_t c);
std::u32string from_utf8(std::string_view text);  // what is not UTF-8 becomes U+FFFD
std::string to_utf8(std::u32string_view text);

}  // namespace flyball::cel
