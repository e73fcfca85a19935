// Errors: the one exception family of Flyball.
//
//   Error                     everything Flyball throws on purpose
//   ├─ InputError             a person or a peer gave us something wrong: says where and what
//   ├─ ApiError               the API server refused (api_error.hpp)
//   └─ Stopped                the work was told to stop, or ran past its deadline (stop.hpp)
//
// Rule: bad input is an exception that names the field and the value; absence that is normal is an empty optional;
// a broken invariant of our own is an assertion. Nothing is swallowed.
//
// Thread-safety: exceptions are values; share them as you share strings.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace flyball {

// The root of the family. `what()` is a whole sentence for a person.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where in a text something was found. Lines and columns count from 1; a line of 0 means "unknown".
// The column counts bytes, as compilers and editors' goto-byte do.
struct Position {
  std::size_t line = 0;
  std::size_t column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

// Something in a document, a flag or a request is wrong. `what()` reads "line 3, column 7: spec.size: <problem>".
class InputError : public Error {
 public:
  // `path` is the field as Kubernetes prints it (`spec.ports[0].name`), empty for the document itself.
  // `problem` says what is wrong, with the value found and what was expected.
  InputError(Position position, std::string path, std::string problem)
      : Error(compose(position, path, problem)),
        position_(position),
        path_(std::move(path)),
        problem_(std::move(problem)) {}

  Position position() const noexcept { return position_; }
  const std::string& path() const noexcept { return path_; }
  const std::string& problem() const noexcept { return problem_; }

 private:
  static std::string compose(Position position, const std::string& path, const std::string& problem);

  Position position_;
  std::string path_;
  std::string problem_;
};

}  // namespace flyball
