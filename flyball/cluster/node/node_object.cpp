#include "flyball/cluster/node/node_object.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <sys/utsname.h>
#include <unistd.h>

#include "flyball/kube/coordination/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;
namespace coordination = kube::coordination::v1;

namespace {

constexpr std::chrono::seconds kBeat{10};
constexpr std::int32_t kLeaseSeconds = 40;
constexpr const char* kLeases = "kube-node-lease";

std::int64_t memory_kib() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? pages / 1024 * size : 0;
}

std::string architecture(const std::string& machine) {
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return machine;
}

core::NodeCondition condition(std::string type, bool holds, std::string reason, std::string message) {
  return {.type = std::move(type),
          .status = holds ? "True" : "False",
          .reason = std::move(reason),
          .message = std::move(message)};
}

}  // namespace

void NodeObject::declare(runtime::Operator& op) {
  auto control = op.control("node", [this](runtime::Context& ctx) { beat(ctx); });
  control.writes<core::Node>().writes<coordination::Lease>();
  control.trigger().fire({"", options_.name}, "start");
}

core::NodeStatus NodeObject::status(const core::NodeStatus& before, kube::Time now) const {
  utsname machine{};
  ::uname(&machine);
  core::NodeStatus status = before;
  status.capacity = {{"cpu", static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()))},
                     {"memory", std::to_string(memory_kib()) + "Ki"},
                     {"pods", options_.pods}};
  status.allocatable = status.capacity;
  status.addresses = {{.type = "InternalIP", .address = options_.address},
                      {.type = "Hostname", .address = options_.name}};
  status.nodeInfo.kernelVersion = machine.release;
  status.nodeInfo.osImage = "this machine";
  status.nodeInfo.containerRuntimeVersion = options_.runtime;
  status.nodeInfo.kubeletVersion = "v1.36.3";
  status.nodeInfo.operatingSystem = "linux";
  status.nodeInfo.architecture = architecture(machine.machine);
  status.conditions = {
      condition("MemoryPressure", false, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
      condition("DiskPressure", false, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
      condition("PIDPressure", false, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
      condition("Ready", true, "KubeletReady", "kubelet is posting ready status")};
  for (core::NodeCondition& each : status.conditions) {
    const auto old = std::ranges::find(before.conditions, each.type, &core::NodeCondition::type);
    const bool same = old != before.conditions.end() && old->status == each.status;
    each.lastTransitionTime = same ? old->lastTransitionTime : now;
    // The Lease says that we live; this changes only with the rest.
    each.lastHeartbeatTime = same ? old->lastHeartbeatTime : now;
  }
  return status;
}

void NodeObject::beat(runtime::Context& ctx) const {
  const Labels labels{{"kubernetes.io/hostname", options_.name}, {"kubernetes.io/os", "linux"}};
  const core::Node node = ctx.apply(core::Node{.metadata = {.name = options_.name, .labels = labels}});
  core::Node changed = node;
  changed.status = status(node.status, ctx.clock().wall_now());
  if (changed.status != node.status) ctx.live().update_status(node, changed);
  if (ctx.live().find<core::Namespace>(kube::ObjectKey{"", kLeases})) {
    ctx.apply(coordination::Lease{.metadata = {.name = options_.name, .namespace_ = kLeases},
                                  .spec = {.holderIdentity = options_.name,
                                           .leaseDurationSeconds = kLeaseSeconds,
                                           .renewTime = kube::MicroTime(ctx.clock().wall_now())}});
  }
  ctx.requeue_after(kBeat);
}

}  // namespace flyball::cluster::node
