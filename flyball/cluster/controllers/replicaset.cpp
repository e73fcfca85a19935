#include "flyball/cluster/controllers/replicaset.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/pod_writes.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/cluster/controllers/victims.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
using Pods = std::vector<core::Pod>;

constexpr std::size_t kMostAtOnce = 500;

// The pods of all sets that have the same owner: those of a deployment should not stand together.
Pods related(Context& ctx, const apps::ReplicaSet& set) {
  const auto* controller = kube::controller_of(set.metadata);
  if (controller == nullptr) return ctx.list<core::Pod>({.selector = selector_of(set.spec.selector)});
  Pods all;
  for (const auto& sibling : ctx.list<apps::ReplicaSet>({.owner = controller->uid})) {
    for (core::Pod& pod : ctx.list<core::Pod>({.owner = sibling.metadata.uid})) all.push_back(std::move(pod));
  }
  return all;
}

struct Managed {
  Pods pods = {};  // those that are there now
  std::optional<std::string> error = {};
  const char* reason = "";
  bool more = false;  // is to be done than one pass does
};

Managed make_missing(Context& ctx, PodWrites& writes, const apps::ReplicaSet& set, Pods pods, std::size_t missing) {
  auto made = writes.create(ctx, pod_from(set.spec.template_, set.metadata.name), std::min(missing, kMostAtOnce));
  for (core::Pod& pod : made.pods) pods.push_back(std::move(pod));
  return {
      .pods = std::move(pods), .error = std::move(made.error), .reason = "FailedCreate", .more = missing > kMostAtOnce};
}

Managed delete_surplus(Context& ctx, PodWrites& writes, const apps::ReplicaSet& set, Pods pods, std::size_t surplus) {
  const Pods chosen = victims(pods, related(ctx, set), std::min(surplus, kMostAtOnce), ctx.clock().wall_now());
  auto deleted = writes.delete_all(ctx, set.metadata.uid, chosen);
  std::erase_if(pods, [&](const core::Pod& pod) {
    return std::ranges::any_of(deleted.pods,
                               [&](const core::Pod& gone) { return gone.metadata.uid == pod.metadata.uid; });
  });
  return {.pods = std::move(pods),
          .error = std::move(deleted.error),
          .reason = "FailedDelete",
          .more = surplus > kMostAtOnce};
}

Managed manage(Context& ctx, PodWrites& writes, const apps::ReplicaSet& set, Pods pods) {
  const auto wanted = static_cast<std::size_t>(std::max(0, set.spec.replicas.value_or(1)));
  if (pods.size() < wanted) {
    const std::size_t missing = wanted - pods.size();
    return make_missing(ctx, writes, set, std::move(pods), missing);
  }
  if (pods.size() > wanted) {
    const std::size_t surplus = pods.size() - wanted;
    return delete_surplus(ctx, writes, set, std::move(pods), surplus);
  }
  return {.pods = std::move(pods)};
}

void count(apps::ReplicaSet& set, const Pods& pods, kube::Time now) {
  const auto number = [&](auto&& holds) { return static_cast<std::int32_t>(std::ranges::count_if(pods, holds)); };
  const kube::Selector template_labels = kube::Selector::from_labels(set.spec.template_.metadata.labels);
  set.status.replicas = static_cast<std::int32_t>(pods.size());
  set.status.fullyLabeledReplicas =
      number([&](const core::Pod& pod) { return template_labels.matches(pod.metadata.labels); });
  set.status.readyReplicas = number(answers);
  set.status.availableReplicas =
      number([&](const core::Pod& pod) { return is_available(pod, set.spec.minReadySeconds, now); });
  set.status.observedGeneration = set.metadata.generation;
}

template <class Wanted>
Pods owned(Context& ctx, const apps::ReplicaSet& set, const Wanted& wanted) {
  Pods all = ctx.list<core::Pod>({.owner = set.metadata.uid});
  std::erase_if(all, [&](const core::Pod& pod) { return !wanted(pod); });
  return all;
}

void reconcile(Context& ctx, PodWrites& writes, apps::ReplicaSet& set) {
  const kube::Time now(ctx.clock().wall_now());
  const kube::Selector selector = selector_of(set.spec.selector);
  // Those that this pass deletes are counted when the watch tells of them.
  std::int32_t terminating = 0;
  const auto look = [&](const core::Pod& pod) {
    if (is_terminating(pod) && selector.matches(pod.metadata.labels)) ++terminating;
    return is_active(pod);
  };
  // One that is on its way out only counts.
  const bool going = set.metadata.deletionTimestamp.has_value();
  Pods mine = going ? owned(ctx, set, look) : claim<core::Pod>(ctx, set, selector, look);
  Pods active = writes.without_deleted(set.metadata.uid, std::move(mine));
  const Managed managed = going ? Managed{.pods = std::move(active)} : manage(ctx, writes, set, std::move(active));
  count(set, managed.pods, now);
  set.status.terminatingReplicas = terminating;
  if (managed.error) {
    set_condition(set.status.conditions, {.type = "ReplicaFailure",
                                          .status = "True",
                                          .reason = managed.reason,
                                          .message = *managed.error,
                                          .lastTransitionTime = now});
    // Not thrown: the status would not be written.
    ctx.requeue_after(writes.again_after(set.metadata.uid));
    return;
  }
  writes.succeeded(set.metadata.uid);
  remove_condition(set.status.conditions, "ReplicaFailure");
  if (managed.more) ctx.requeue_after(Duration::zero());
  for (const core::Pod& pod : managed.pods) {
    if (const auto wait = until_available(pod, set.spec.minReadySeconds, now)) ctx.requeue_after(*wait);
  }
}

}  // namespace

void declare_replicasets(runtime::Operator& op) {
  const auto writes = std::make_shared<PodWrites>();
  const auto pass = [writes](Context& ctx, apps::ReplicaSet& set) { reconcile(ctx, *writes, set); };
  op.reconcile<apps::ReplicaSet>(pass).while_going(pass).owns<core::Pod>().name("replicaset-controller");
}

}  // namespace flyball::cluster
