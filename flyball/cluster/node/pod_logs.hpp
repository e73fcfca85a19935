// PodLogs: what kubectl logs shows: the lines that containers have printed, and those to come.
//
//   PodLogs logs(clock, runtime, folder);
//   const auto stream = logs.open({.pod = pod, .container = "web", .follow = true});
//
// Thread-safety: may be called from any thread. Lifetime: clock and runtime outlive it, and it its streams.
#pragma once

#include <memory>
#include <string>

#include "flyball/apiserver/pod_door.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

class PodLogs {
 public:
  PodLogs(Clock& clock, PodRuntime& runtime, std::string folder)
      : clock_(clock), runtime_(runtime), folder_(std::move(folder)) {}

  std::unique_ptr<client::BodyStream> open(const apiserver::PodLogRequest& request);

 private:
  Clock& clock_;
  PodRuntime& runtime_;
  const std::string folder_;  // empty: nothing is printed here
};

// Which run of the container: the number of its log. Throws Error in the kubelet's words when there is none.
std::int32_t run_to_show(const apiserver::PodLogRequest& request);

}  // namespace flyball::cluster::node
