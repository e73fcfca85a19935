// Scenario: a script of what people and nodes do to a cluster, as YAML. README.md has the language.
//
//   const Scenario one = parse_scenario("deployment/create", text);
//   for (const Checkpoint& seen : run_scenario(*world, one)) …
//
// Errors: Error with the step that is wrong, or that could not be done. Thread-safety: values, and the world's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "observe.hpp"
#include "world.hpp"

#include "flyball/json/value.hpp"

namespace flyball::scenarios {

struct Scenario {
  std::string name;                      // "deployment/create"
  std::string space;                     // the namespace it happens in, and the stem of cluster-wide names
  json::Value script = {};               // with {ns} replaced
  std::vector<std::string> kinds = {};   // that it looks at
  std::vector<std::string> varies = {};  // words of lines that differ from one run of the real ones to the next
  bool scheduler = false;                // needs kube-scheduler, and the nodes for itself
};

Scenario parse_scenario(const std::string& name, std::string_view text);

std::vector<Checkpoint> run_scenario(World& world, const Scenario& scenario);

}  // namespace flyball::scenarios
