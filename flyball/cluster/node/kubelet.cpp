#include "flyball/cluster/node/kubelet.hpp"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "flyball/base/api_error.hpp"
#include "flyball/cluster/node/pod_pass.hpp"
#include "flyball/cluster/node/pod_status.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

// A probe that gets no answer holds its pass; others go on beside it.
constexpr std::uint32_t kPassesAtOnce = 16;

bool is_over(const core::Pod& pod) { return pod.status.phase == "Succeeded" || pod.status.phase == "Failed"; }

std::vector<kube::ObjectKey> those_that_end(const cache::Change& change) {
  const bool ends =
      change.type() == cache::Change::Type::deleted || change.object().as<core::Pod>().metadata.deletionTimestamp;
  return ends ? std::vector{change.key()} : std::vector<kube::ObjectKey>();
}

bool anything_runs(const PodRecord& record) {
  for (const auto& [name, state] : record.containers) {
    if (state.runs()) return true;
  }
  return false;
}

}  // namespace

Kubelet::Kubelet(PodRuntime& runtime, KubeletOptions options) : runtime_(runtime), options_(std::move(options)) {}

void Kubelet::declare(runtime::Operator& op) {
  cache::Scope ours;
  ours.fields.require("spec.nodeName", options_.node);
  auto living = op.reconcile<core::Pod>([this](runtime::Context& ctx, core::Pod& pod) { sync(ctx, pod); });
  living.scope(ours)
      .reads<core::ConfigMap>()
      .reads<core::Secret>()
      .reads<core::Service>()
      .reads<core::PersistentVolumeClaim>()
      .reads<core::PersistentVolume>()
      .name("kubelet")
      .concurrency(kPassesAtOnce);
  auto ending = op.control("kubelet-ends", [this](runtime::Context& ctx) { end(ctx); });
  ending.writes<core::Pod>(ours).watches<core::Pod>(those_that_end).concurrency(kPassesAtOnce);
  runtime_.listen([this, live = living.trigger(), gone = ending.trigger()](const std::string& uid) {
    kube::ObjectKey pod;
    {
      MutexLock lock(mutex_);
      const auto found = names_.find(uid);
      if (found == names_.end()) return;
      pod = found->second;
    }
    live.fire(pod, "container ended");
    gone.fire(pod, "container ended");
  });
}

std::shared_ptr<Kubelet::Entry> Kubelet::entry_of(const core::Pod& pod) {
  const kube::ObjectKey key{pod.metadata.namespace_, pod.metadata.name};
  std::string old;
  std::shared_ptr<Entry> entry;
  {
    MutexLock lock(mutex_);
    std::shared_ptr<Entry>& slot = entries_[key];
    if (slot != nullptr && slot->uid != pod.metadata.uid) old = slot->uid;
    if (slot == nullptr || !old.empty()) {
      slot = std::make_shared<Entry>(record_of(pod));
      names_.erase(old);
      names_[pod.metadata.uid] = key;
    }
    entry = slot;
  }
  // One of the same name was here before, and its end was not seen.
  if (!old.empty()) runtime_.remove(old);
  return entry;
}

void Kubelet::sync(runtime::Context& ctx, core::Pod& pod) {
  if (is_over(pod)) return;
  const auto entry = entry_of(pod);
  MutexLock lock(entry->mutex);
  // This pass may have read the pod before its deletion, and come here after its end has begun.
  if (entry->record.told_to_end) return;
  PodPass(ctx, runtime_, options_, pod, entry->record).live();
  if (is_over(pod) && !anything_runs(entry->record)) runtime_.remove(entry->record.uid);
}

void Kubelet::end(runtime::Context& ctx) {
  const auto found = ctx.find<core::Pod>(ctx.key().object());
  if (!found) return forget(ctx.key().object());
  if (!found->metadata.deletionTimestamp) return;
  core::Pod pod = *found;
  {
    const auto entry = entry_of(pod);
    MutexLock lock(entry->mutex);
    const bool done = PodPass(ctx, runtime_, options_, pod, entry->record).end();
    try {
      if (pod.status != found->status) pod = ctx.live().update_status(*found, pod);
    } catch (const ApiError& error) {
      // Somebody else was faster: it went without waiting for us.
      if (!error.is_not_found()) throw;
    }
    if (!done) return;
    runtime_.remove(entry->record.uid);
  }
  // With finalizers it stays, and the last words are said.
  if (!pod.metadata.finalizers.empty() && pod.metadata.deletionGracePeriodSeconds.value_or(0) == 0) return;
  // Past the cache, for which one that is going need not be told to go.
  ctx.live().delete_<core::Pod>(ctx.key().object(),
                                {.grace = std::chrono::seconds(0), .uid = pod.metadata.uid, .missing_is_fine = true});
}

void Kubelet::forget(const kube::ObjectKey& pod) {
  std::string uid;
  {
    MutexLock lock(mutex_);
    const auto found = entries_.find(pod);
    if (found == entries_.end()) return;
    uid = found->second->uid;
    names_.erase(uid);
    entries_.erase(found);
  }
  runtime_.remove(uid);
  std::error_code none;
  if (!options_.folder.empty()) std::filesystem::remove_all(options_.folder + "/pods/" + uid, none);
}

}  // namespace flyball::cluster::node
