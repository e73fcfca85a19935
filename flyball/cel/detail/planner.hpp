// From a checked expression to the steps that evaluate it.
//
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <string>

#include "flyball/cel/detail/check.hpp"
#include "flyball/cel/detail/plan.hpp"

namespace flyball::cel::detail {

struct Plan {
  StepRef root = nullptr;
  std::map<std::string, int, std::less<>> variables = {};  // their numbers
};

// Throws CompileError when something constant fails: int('a').
Plan plan(const Ast& ast, const Checked& checked, const CheckInput& input);

}  // namespace flyball::cel::detail
