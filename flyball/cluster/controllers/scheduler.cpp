#include "flyball/cluster/controllers/scheduler.hpp"

#include <memory>
#include <utility>

#include "flyball/client/subresources.hpp"
#include "flyball/cluster/controllers/pod_claims.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/scheduler_state.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/kube/events/v1.hpp"
#include "flyball/kube/storage/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/event_note.hpp"

namespace flyball::cluster {
namespace {

constexpr Duration kLookAgain = std::chrono::seconds(1);

namespace core = kube::core::v1;
namespace events = kube::events::v1;
namespace storage = kube::storage::v1;
using Keys = std::vector<kube::ObjectKey>;

bool is_ours(const core::Pod& pod) {
  return pod.spec.nodeName.empty() && pod.spec.schedulerName == "default-scheduler" &&
         pod.spec.schedulingGates.empty() && !is_done(pod);
}

void refuse(Context& ctx, core::Pod& pod, const std::string& why) {
  ctx.warn("FailedScheduling", why);
  const kube::Time now(ctx.clock().wall_now());
  const auto* before = find_condition(pod.status.conditions, "PodScheduled");
  core::PodCondition condition{
      .type = "PodScheduled",
      .status = "False",
      .reason = "Unschedulable",
      .message = why,
      .lastTransitionTime = before != nullptr && before->status == "False" ? before->lastTransitionTime : now,
      .observedGeneration = pod.metadata.generation};
  remove_condition(pod.status.conditions, "PodScheduled");
  pod.status.conditions.push_back(std::move(condition));
}

// An event about another object than the pass is about.
void tell_victim(const Context& ctx, const core::Pod& preemptor, const core::Pod& victim, const std::string& node) {
  ctx.live().create(events::Event{.metadata = {.name = victim.metadata.name + "." + preemptor.metadata.uid,
                                               .namespace_ = victim.metadata.namespace_},
                                  .eventTime = kube::MicroTime(ctx.clock().wall_now()),
                                  .reportingController = "default-scheduler",
                                  .reportingInstance = "default-scheduler",
                                  .action = "Preempting",
                                  .reason = "Preempted",
                                  .regarding = runtime::reference_to(victim),
                                  .related = {runtime::reference_to(preemptor)},
                                  .note = "Preempted by pod " + preemptor.metadata.uid + " on node " + node,
                                  .type = "Normal"});
}

// The victims are told why, and end as pods do.
void preempt(Context& ctx, const core::Pod& preemptor, const Decision& decision) {
  for (const core::Pod& victim : decision.victims) {
    if (victim.metadata.deletionTimestamp) continue;
    const kube::ObjectKey key{victim.metadata.namespace_, victim.metadata.name};
    try {
      ctx.live().edit_status<core::Pod>(key, [&](core::Pod& pod) {
        remove_condition(pod.status.conditions, "DisruptionTarget");
        pod.status.conditions.push_back(
            {.type = "DisruptionTarget",
             .status = "True",
             .reason = "PreemptionByScheduler",
             .message = preemptor.spec.schedulerName + ": preempting to accommodate a higher priority pod",
             .lastTransitionTime = kube::Time(ctx.clock().wall_now()),
             .observedGeneration = pod.metadata.generation});
      });
      ctx.live().delete_<core::Pod>(key, {.uid = victim.metadata.uid, .missing_is_fine = true});
    } catch (const ApiError& error) {
      if (!error.is_not_found() && !error.is_conflict()) throw;
      ctx.requeue_after(kLookAgain);
      continue;
    }
    tell_victim(ctx, preemptor, victim, decision.nominated);
  }
}

// The claims are told where their volume is needed.
void tell_claims(Context& ctx, const PodClaims& claims, const std::string& node) {
  for (const core::PersistentVolumeClaim& claim : claims.unbound) {
    core::PersistentVolumeClaim told = claim;
    told.metadata.annotations[kSelectedNode] = node;
    ctx.update(claim, told);
  }
}

void schedule(Context& ctx, SchedulerState& state, core::Pod& pod) {
  const kube::ObjectKey key = ctx.key().object();
  if (!is_ours(pod)) return state.set_waiting(key, false);
  const PodClaims claims = claims_of(ctx, pod);
  const Decision decision = state.decide(pod, claims);
  if (!decision.node) {
    state.set_waiting(key, true);
    preempt(ctx, pod, decision);
    pod.status.nominatedNodeName = decision.nominated;
    return refuse(ctx, pod, decision.why);
  }
  // When they are bound, which is remembered as read, the pod comes again.
  if (!claims.unbound.empty()) return tell_claims(ctx, claims, *decision.node);
  state.assume(pod, *decision.node);
  try {
    client::bind(ctx.live(), key, *decision.node);
  } catch (const ApiError& error) {
    state.remove_pod(key);
    // It is going, gone, or somebody else was faster: mostly nothing is left to do when we look again.
    if (!error.is_not_found() && !error.is_conflict()) throw;
    return ctx.requeue_after(kLookAgain);
  }
  ctx.event("Scheduled", "Successfully assigned " + key.to_string() + " to " + *decision.node);
}

// What becomes free may be what others wait for.
Keys heard_of_pod(SchedulerState& state, const cache::Change& change) {
  if (change.type() == cache::Change::Type::deleted) {
    state.remove_pod(change.key());
    return state.waiting();
  }
  const auto pod = change.object().as<core::Pod>();
  state.put(pod);
  return is_done(pod) ? state.waiting() : Keys{};
}

Keys heard_of_node(SchedulerState& state, const cache::Change& change) {
  if (change.type() == cache::Change::Type::deleted) {
    state.remove_node(std::string(change.metadata().name));
  } else {
    const auto node = change.object().as<core::Node>();
    const auto* old = change.old();
    // A heartbeat changes nothing for anybody.
    const bool same = old != nullptr && [&] {
      const auto before = old->as<core::Node>();
      return before.spec == node.spec && before.metadata.labels == node.metadata.labels &&
             before.status.allocatable == node.status.allocatable;
    }();
    state.put(node);
    if (same) return {};
  }
  return state.waiting();
}

}  // namespace

void declare_scheduler(runtime::Operator& op) {
  const auto state = std::make_shared<SchedulerState>();
  op.reconcile<core::Pod>([state](Context& ctx, core::Pod& pod) { schedule(ctx, *state, pod); })
      .watches<core::Pod>([state](const cache::Change& change) { return heard_of_pod(*state, change); })
      .watches<core::Node>([state](const cache::Change& change) { return heard_of_node(*state, change); })
      .reads<core::PersistentVolumeClaim>()
      .reads<core::PersistentVolume>()
      .reads<storage::StorageClass>()
      .may("", "pods/binding", {runtime::Verb::create})
      .may("", "persistentvolumeclaims", {runtime::Verb::patch})
      .may("", "pods", {runtime::Verb::delete_})
      .may("events.k8s.io", "events", {runtime::Verb::create})
      .when([](const cache::Change& change) { return change.object().as<core::Pod>().spec.nodeName.empty(); })
      .name("default-scheduler")
      // One decision at a time: two must not take the same place.
      .concurrency(1);
}

}  // namespace flyball::cluster
