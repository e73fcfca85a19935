#include "flyball/cluster/controllers/pod_writes.hpp"

#include <algorithm>

namespace flyball::cluster {
namespace {

namespace core = kube::core::v1;

constexpr Duration kLookAgain = std::chrono::seconds(1);

bool is_namespace_going(const ApiError& error) {
  return std::ranges::any_of(error.causes(), [](const auto& cause) { return cause.reason == "NamespaceTerminating"; });
}

}  // namespace

PodsWritten PodWrites::create(Context& ctx, const core::Pod& pod, std::size_t count) {
  PodsWritten made;
  while (made.pods.size() < count) {
    try {
      made.pods.push_back(ctx.create(pod));
      ctx.event("SuccessfulCreate", "Created pod: " + made.pods.back().metadata.name);
    } catch (const ApiError& error) {
      if (is_namespace_going(error)) return made;
      ctx.warn("FailedCreate", "Error creating: " + error.message());
      made.error = error.message();
      return made;
    }
  }
  return made;
}

PodsWritten PodWrites::delete_all(Context& ctx, const std::string& owner_uid, const std::vector<core::Pod>& pods) {
  PodsWritten deleted;
  for (const core::Pod& pod : pods) {
    try {
      if (ctx.delete_(pod)) ctx.event("SuccessfulDelete", "Deleted pod: " + pod.metadata.name);
      deleted.pods.push_back(pod);
    } catch (const ApiError& error) {
      // Another pod of that name: the one that was meant is gone. When it is not, nothing would wake us.
      if (error.is_conflict()) {
        ctx.requeue_after(kLookAgain);
        continue;
      }
      ctx.warn("FailedDelete", "Error deleting: " + error.message());
      deleted.error = "unable to delete pods: " + error.message();
    }
  }
  const MutexLock lock(mutex_);
  for (const core::Pod& pod : deleted.pods) deleted_[owner_uid].insert(pod.metadata.uid);
  return deleted;
}

void PodWrites::delete_quietly(Context& ctx, const std::string& owner_uid, const core::Pod& pod) {
  ctx.delete_(pod);
  const MutexLock lock(mutex_);
  deleted_[owner_uid].insert(pod.metadata.uid);
}

std::vector<core::Pod> PodWrites::without_deleted(const std::string& owner_uid, std::vector<core::Pod> pods) {
  const MutexLock lock(mutex_);
  const auto found = deleted_.find(owner_uid);
  if (found == deleted_.end()) return pods;
  std::set<std::string> still_shown;
  std::erase_if(pods, [&](const core::Pod& pod) {
    if (!found->second.contains(pod.metadata.uid)) return false;
    still_shown.insert(pod.metadata.uid);
    return true;
  });
  found->second = std::move(still_shown);
  if (found->second.empty()) deleted_.erase(found);
  return pods;
}

Duration PodWrites::again_after(const std::string& uid) {
  constexpr Duration kFirst = std::chrono::milliseconds(5);
  constexpr Duration kMost = std::chrono::seconds(1000);
  constexpr int kDoublings = 18;
  const MutexLock lock(mutex_);
  const int failures = std::min(failures_[uid]++, kDoublings);
  return std::min(kMost, kFirst * (1 << failures));
}

void PodWrites::succeeded(const std::string& uid) {
  const MutexLock lock(mutex_);
  failures_.erase(uid);
}

}  // namespace flyball::cluster
