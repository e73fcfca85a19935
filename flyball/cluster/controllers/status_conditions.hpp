// The conditions of built-in kinds, each of a type of its own: one entry per type, changed as Kubernetes changes them.
//
//   set_condition(deployment.status.conditions, {.type = "Available", .status = "True", .reason = "…",
//                                                .lastTransitionTime = now});
//
// (Resources of your own have kube::Conditions.) Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace flyball::cluster {

// The condition of that type, or null.
template <class Condition>
const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

template <class Condition>
void remove_condition(std::vector<Condition>& conditions, std::string_view type) {
  std::erase_if(conditions, [&](const Condition& condition) { return condition.type == type; });
}

// Nothing changes when status and reason are the same; the transition is of the status alone.
template <class Condition>
void set_condition(std::vector<Condition>& conditions, Condition condition) {
  if (const Condition* before = find_condition(conditions, condition.type)) {
    if (before->status == condition.status && before->reason == condition.reason) return;
    if (before->status == condition.status) condition.lastTransitionTime = before->lastTransitionTime;
  }
  remove_condition(conditions, condition.type);
  conditions.push_back(std::move(condition));
}

}  // namespace flyball::cluster
