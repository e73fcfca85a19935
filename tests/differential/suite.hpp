// The suite: the files of the cases, and the three things done with them.
//
// Thread-safety: pure functions on files.
#pragma once

#include <string>
#include <vector>

#include "case_run.hpp"

#include "flyball/base/clock.hpp"

namespace flyball::differential {

// The beginnings of names; none: all.
using Filters = std::vector<std::string>;

// The names of the cases that the filters let through. Discovery comes first: it shows a server that nobody has
// used yet.
std::vector<std::string> case_names(const std::string& directory, const Filters& filters = {});

Case load_case(const std::string& directory, const std::string& name);
std::string load_answers(const std::string& directory, const std::string& name);

// Runs the cases on the real server and rewrites their answers. Returns how many changed.
int record(Clock& clock, const std::string& directory, const Filters& filters);
// Runs the cases on the real server and says where it does not answer as recorded. Returns how many cases that are.
int check(Clock& clock, const std::string& directory, const Filters& filters);

// One case on a fresh server of our own. Returns what is wrong; empty: nothing.
std::string verify(Clock& clock, const std::string& directory, const std::string& name);

}  // namespace flyball::differential
