// How an object is, in a word or two: for trees, waits and deployments.
//
//   state_of(pod)             // "Running", "CrashLoopBackOff", "Terminating"
//   state_of(deployment)      // "2/3 ready"
//   state_of(memcached)       // "Available", or "not Ready: ImageMissing"
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flyball/json/value.hpp"

namespace flyball::cli {

struct State {
  std::string word = {};  // empty: it has none
  bool good = true;       // nothing is wrong with it and nothing is awaited
  std::string why = {};   // what is wrong, or awaited
};

State state_of(const json::Value& object);
// The status of a condition: "True", "False", "Unknown"; empty without one.
std::string condition_of(const json::Value& object, std::string_view type);
// Why a pod does not run, from its containers: "web: ImagePullBackOff: no such image"; empty when it does.
std::string trouble_of_pod(const json::Value& pod);

}  // namespace flyball::cli
