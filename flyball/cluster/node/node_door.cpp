#include "flyball/cluster/node/node_door.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

std::unique_ptr<client::BodyStream> NodeDoor::logs(const apiserver::PodLogRequest& request) {
  return logs_.open(request);
}

void NodeDoor::check(const apiserver::PodCommand& command) {
  const std::string& name = command.container;
  bool any = false;
  for (const ContainerReport& report : runtime_.look(command.pod.metadata.uid)) {
    if (report.run.end) continue;
    any = true;
    if (report.name == name) return;
  }
  // Of a port-forward: any will do.
  if (name.empty() && any) return;
  if (name.empty()) {
    throw Error("unable to forward port because pod is not running. Current status=" + command.pod.status.phase);
  }
  throw Error("container not found (\"" + name + "\")");
}

std::unique_ptr<apiserver::PodProcess> NodeDoor::run(const apiserver::PodCommand& command, const Stop& stop) {
  return runtime_.run(command.pod.metadata.uid,
                      {.container = command.container,
                       .command = command.command,
                       .in = command.in,
                       .out = command.out,
                       .error = command.error,
                       .tty = command.tty},
                      stop);
}

net::OwnedDescriptor NodeDoor::connect(const core::Pod& pod, std::uint16_t port, const Stop& stop) {
  try {
    return runtime_.connect(pod.metadata.uid, port, stop);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    throw Error("error forwarding port " + std::to_string(port) + " to pod " + pod.metadata.uid +
                ", uid : " + error.what());
  }
}

}  // namespace flyball::cluster::node
