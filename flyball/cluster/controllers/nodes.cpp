#include "flyball/cluster/controllers/nodes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/kube/coordination/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace coordination = kube::coordination::v1;
namespace core = kube::core::v1;

constexpr std::int64_t kGraceSeconds = 50;
constexpr const char* kLeases = "kube-node-lease";

struct TaintFor {
  const char* condition;
  const char* status;
  const char* taint;
};
constexpr std::array<TaintFor, 6> kTaints = {{
    {"Ready", "False", "node.kubernetes.io/not-ready"},
    {"Ready", "Unknown", "node.kubernetes.io/unreachable"},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
}};
constexpr const char* kCordoned = "node.kubernetes.io/unschedulable";

// True when the node was written: the status waits for the next pass.
bool taint(Context& ctx, const core::Node& node) {
  core::Node changed = node;
  const auto set = [&](const char* key, bool wanted) {
    auto& taints = changed.spec.taints;
    const auto same = [&](const core::Taint& one) { return one.key == key && one.effect == "NoSchedule"; };
    const bool there = std::ranges::any_of(taints, same);
    if (wanted && !there) {
      taints.push_back({.key = key, .effect = "NoSchedule", .timeAdded = kube::Time(ctx.clock().wall_now())});
    } else if (!wanted && there) {
      std::erase_if(taints, same);
    }
  };
  for (const TaintFor& one : kTaints) {
    const auto* condition = find_condition(node.status.conditions, one.condition);
    // One that has never said how it is keeps the taint that the server gave it.
    if (condition == nullptr && std::string_view(one.condition) == "Ready") continue;
    set(one.taint, condition != nullptr && condition->status == one.status);
  }
  set(kCordoned, node.spec.unschedulable);
  if (changed.spec == node.spec) return false;
  ctx.update(node, changed);
  ctx.requeue_after(Duration::zero());
  return true;
}

void look_at_lease(Context& ctx, core::Node& node) {
  const auto lease = ctx.find<coordination::Lease>({kLeases, node.metadata.name});
  if (!lease || !lease->spec.renewTime) return;
  const kube::Time now(ctx.clock().wall_now());
  const std::int64_t left = lease->spec.renewTime->unix_micros() / 1'000'000 + kGraceSeconds - now.unix_seconds();
  if (left > 0) return ctx.requeue_after(std::chrono::seconds(left + 1));
  for (core::NodeCondition& condition : node.status.conditions) {
    if (condition.status == "Unknown" || condition.type == "NetworkUnavailable") continue;
    condition.status = "Unknown";
    condition.reason = "NodeStatusUnknown";
    condition.message = "Kubelet stopped posting node status.";
    condition.lastTransitionTime = now;
    ctx.requeue_after(Duration::zero());
  }
}

void reconcile(Context& ctx, core::Node& node) {
  if (!taint(ctx, node)) look_at_lease(ctx, node);
}

}  // namespace

void declare_nodes(runtime::Operator& op) {
  op.reconcile<core::Node>(reconcile)
      .reads<coordination::Lease>({.namespaces = {kLeases}})
      .may("", "nodes", {runtime::Verb::patch}, false)
      .name("node-lifecycle-controller");
}

}  // namespace flyball::cluster
