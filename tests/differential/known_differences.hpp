// The list of known differences: where our server answers otherwise than kube-apiserver, and why.
//
//   # case/step: field — reason
//   pods/defaults/create: body.spec.tolerations — no DefaultTolerationSeconds admission
//
// A field covers all that is below it. Errors: InputError with the line. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer.hpp"

namespace flyball::differential {

struct KnownDifference {
  std::string where;  // "topic/case/step"
  std::string field;
  std::string reason;
};

std::vector<KnownDifference> parse_known_differences(std::string_view text);

struct Judgement {
  std::vector<Difference> unknown;        // differ, and nobody has said why
  std::vector<KnownDifference> outdated;  // are said to differ, and do not
};

Judgement judge(const std::string& case_name, const std::vector<Difference>& differences,
                const std::vector<KnownDifference>& known);

}  // namespace flyball::differential
