// The suite: scenarios and what the real controllers made of them, as files; running, comparing and recording them.
//
//   cases/deployment/create.yaml           the script
//   cases/deployment/create.seen           what a cluster with kube-controller-manager looks like at its checkpoints
//   known_differences.txt                  where ours looks otherwise, and why
//
// Errors: Error. Thread-safety: functions of the files and the world.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario.hpp"

namespace flyball::scenarios {

using Filters = std::vector<std::string>;  // beginnings of names

std::vector<std::string> scenario_names(const std::string& directory, const Filters& filters = {});
Scenario load_scenario(const std::string& directory, const std::string& name);

// What was recorded, and what is to be.
std::vector<Checkpoint> load_seen(const std::string& directory, const std::string& name);
void save_seen(const std::string& directory, const std::string& name, const std::vector<Checkpoint>& seen);

struct KnownDifference {
  std::string where;  // "topic/case/checkpoint", or "topic/case/*"
  std::string words;  // that a line has which is only on one side
  std::string reason;
};
// Lines of "topic/case/checkpoint: words — reason".
std::vector<KnownDifference> parse_known(std::string_view text);
std::vector<KnownDifference> load_known(const std::string& directory);

// What differs, for a person; empty when nothing does that is not known. A known one that is none is wrong too.
std::string compare(const std::string& name, const std::vector<Checkpoint>& expected,
                    const std::vector<Checkpoint>& seen, const std::vector<KnownDifference>& known);

}  // namespace flyball::scenarios
