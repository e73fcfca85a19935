// Problems as the recorders of tests/schemas write down what the real server found: [field, message, reason], sorted.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "flyball/apiserver/problems.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {

inline std::string causes_for_test(const Problems& problems) {
  std::vector<std::array<std::string, 3>> all;
  for (const Problem& problem : problems) {
    all.push_back({problem.field, problem.message, std::string(wire_name(problem.kind))});
  }
  std::ranges::sort(all);
  json::Builder list;
  list.begin_array();
  for (const auto& cause : all) {
    list.begin_array();
    for (const std::string& part : cause) list.string(part);
    list.end();
  }
  return json::write(list.end().finish());
}

}  // namespace flyball::apiserver
