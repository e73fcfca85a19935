// What the nodes of a cluster do, for tests of controllers: pods begin to run when a test says so.
//
//   TestEnvironment env(setup);
//   env.settle();
//   run_pods(env);                                     // all that are there are Running and Ready now
//   finish_pods(env, "Succeeded");
//
// Thread-safety: the test's.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/kube/core/v1.hpp"
#include "flyball/testing/environment.hpp"

namespace flyball::cluster {

// One that is ready: the server taints those that are new.
inline void make_node(TestEnvironment& env, const std::string& name,
                      const std::map<std::string, kube::Quantity>& allocatable, const Labels& labels = {}) {
  env.create(kube::core::v1::Node{.metadata = {.name = name, .labels = labels}});
  env.edit<kube::core::v1::Node>(name, [](auto& node) { node.spec.taints.clear(); });
  env.edit_status<kube::core::v1::Node>(name, [&](auto& node) {
    node.status.allocatable = allocatable;
    node.status.conditions = {{.type = "Ready", .status = "True", .reason = "KubeletReady"}};
  });
  env.settle();
}

inline void set_pod(TestEnvironment& env, const kube::core::v1::Pod& pod, const std::string& phase, bool ready) {
  const kube::Time now(env.clock().wall_now());
  env.client().edit_status<kube::core::v1::Pod>(
      {pod.metadata.namespace_, pod.metadata.name}, [&](kube::core::v1::Pod& changed) {
        changed.status.phase = phase;
        changed.status.podIP = "10.1.0." + std::to_string(std::hash<std::string>()(pod.metadata.name) % 250 + 1);
        changed.status.podIPs = {{.ip = changed.status.podIP}};
        std::erase_if(changed.status.conditions, [](const auto& condition) { return condition.type == "Ready"; });
        changed.status.conditions.push_back(
            {.type = "Ready", .status = ready ? "True" : "False", .lastTransitionTime = now});
      });
}

// Those that wait begin to run and are ready; what that leads to has happened when it returns.
inline void run_pods(TestEnvironment& env, bool ready = true) {
  for (const auto& pod : env.list<kube::core::v1::Pod>()) {
    if (pod.metadata.deletionTimestamp || pod.status.phase != "Pending") continue;
    set_pod(env, pod, "Running", ready);
  }
  env.settle();
}

inline void finish_pods(TestEnvironment& env, const std::string& phase) {
  for (const auto& pod : env.list<kube::core::v1::Pod>()) {
    if (pod.status.phase == "Pending" || pod.status.phase == "Running") set_pod(env, pod, phase, false);
  }
  env.settle();
}

// What was told to end has ended.
inline void end_pods(TestEnvironment& env) {
  for (const auto& pod : env.list<kube::core::v1::Pod>()) {
    if (!pod.metadata.deletionTimestamp) continue;
    env.client().delete_<kube::core::v1::Pod>({pod.metadata.namespace_, pod.metadata.name},
                                              {.grace = std::chrono::seconds(0), .missing_is_fine = true});
  }
  env.settle();
}

}  // namespace flyball::cluster
