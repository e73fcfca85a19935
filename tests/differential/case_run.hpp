// Runs one case: sends the requests of a script to a server and gives the normalised answers.
//
//   std::vector<Answer> answers = run_case(target, clock, {.name = "create/generate_name", .text = file});
//
// A namespace is made first: {ns}. Errors: InputError for a script that is wrong; whatever the transport throws, with
// the step. Thread-safety: one case at a time per target is what makes the answers the same every time.
#pragma once

#include <string>
#include <vector>

#include "answer.hpp"
#include "target.hpp"

#include "flyball/base/clock.hpp"

namespace flyball::differential {

struct Case {
  std::string name;  // "topic/what_it_shows"
  std::string text;
};

std::vector<Answer> run_case(Target& target, Clock& clock, const Case& which);

}  // namespace flyball::differential
