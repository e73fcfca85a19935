// Answers: what a server said to the steps of a case, as text that people read and git compares.
//
//   === create
//   201 Created
//   Content-Type: application/json
//
//   apiVersion: v1
//   kind: Pod
//   …
//
// Thread-safety: values and pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flyball/json/value.hpp"

namespace flyball::differential {

struct Answer {
  std::string step;
  std::string outcome = {};               // "201 Created", "3 events"
  std::vector<std::string> headers = {};  // "Content-Type: application/json"
  json::Value body = {};                  // null: none
};

std::string write_answers(const std::vector<Answer>& answers);
// Throws InputError when the text is not what write_answers makes.
std::vector<Answer> read_answers(std::string_view text);

// One place where two answers differ.
struct Difference {
  std::string step;
  std::string field;     // "outcome", "header Warning", "body.metadata.generation", "body.items[0].spec"
  std::string recorded;  // as it reads; empty: not there
  std::string found;
};

std::vector<Difference> compare(const std::vector<Answer>& recorded, const std::vector<Answer>& found);

// For a person who wants to know what is wrong.
std::string describe(const std::vector<Difference>& differences);

}  // namespace flyball::differential
