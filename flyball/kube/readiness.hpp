// Whether an object says of itself that it is ready: its status has the condition Ready, and it is True.
//
//   for (const auto& pod : ctx.list<core::Pod>({.labels = labels}))
//     if (is_ready(pod)) names.push_back(pod.metadata.name);
//
// For every kind with conditions: Pods and Nodes of the server, and resources of your own.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>

namespace flyball::kube {

template <class T>
concept HasStatusConditions = requires(const T& object) {
  object.status.conditions.begin()->type;
  object.status.conditions.begin()->status;
};

template <HasStatusConditions T>
bool has_condition(const T& object, std::string_view type, std::string_view status = "True") {
  for (const auto& condition : object.status.conditions) {
    if (condition.type == type) return condition.status == status;
  }
  return false;
}

// One that is going is not: its processes are told to end.
template <HasStatusConditions T>
bool is_ready(const T& object) {
  return !object.metadata.deletionTimestamp && has_condition(object, "Ready");
}

}  // namespace flyball::kube

namespace flyball {
using kube::has_condition;
using kube::is_ready;
}  // namespace flyball
