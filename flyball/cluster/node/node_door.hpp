// NodeDoor: how the API server reaches into the node's pods: their logs, commands in them, their ports.
//
//   NodeDoor door(clock, runtime, folder);
//   engine.set_pod_door(&door);
//
// Thread-safety: may be called from any thread. Lifetime: clock and runtime outlive it, and it all that it has opened.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "flyball/apiserver/pod_door.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/cluster/node/pod_logs.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"

namespace flyball::cluster::node {

class NodeDoor final : public apiserver::PodDoor {
 public:
  NodeDoor(Clock& clock, PodRuntime& runtime, std::string folder)
      : runtime_(runtime), logs_(clock, runtime, std::move(folder)) {}

  std::unique_ptr<client::BodyStream> logs(const apiserver::PodLogRequest& request) override;
  void check(const apiserver::PodCommand& command) override;
  std::unique_ptr<apiserver::PodProcess> run(const apiserver::PodCommand& command, const Stop& stop) override;
  net::OwnedDescriptor connect(const kube::core::v1::Pod& pod, std::uint16_t port, const Stop& stop) override;

 private:
  PodRuntime& runtime_;
  PodLogs logs_;
};

}  // namespace flyball::cluster::node
