#include "flyball/cluster/controllers/job.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/index_set.hpp"
#include "flyball/cluster/controllers/job_pods.hpp"
#include "flyball/cluster/controllers/pod_writes.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/status_conditions.hpp"
#include "flyball/cluster/controllers/victims.hpp"
#include "flyball/kube/batch/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {
namespace {

namespace batch = kube::batch::v1;
namespace core = kube::core::v1;
using Pods = std::vector<core::Pod>;

constexpr std::size_t kMostAtOnce = 500;

void release(Context& ctx, const core::Pod& pod) {
  core::Pod without = pod;
  std::erase(without.metadata.finalizers, kJobTracking);
  ctx.update(pod, without);
}

// One pass over one job.
class JobPass {
 public:
  JobPass(Context& ctx, PodWrites& writes, batch::Job& job)
      : ctx_(ctx), writes_(writes), job_(job), status_(job.status), now_(ctx.clock().wall_now()) {}

  void run() {
    if (is_finished(job_)) return;
    if (!status_.startTime && !is_suspended(job_)) status_.startTime = now_;
    const auto any = [](const core::Pod&) { return true; };
    pods_ = claim<core::Pod>(ctx_, job_, selector_of(*job_.spec.selector), any);
    Pods active;
    for (const core::Pod& pod : pods_) {
      if (is_active(pod)) active.push_back(pod);
    }
    active_ = writes_.without_deleted(job_.metadata.uid, std::move(active));
    count_noted();
    note_ended();
    decide();
    status_.active = static_cast<std::int32_t>(active_.size());
    status_.ready = static_cast<std::int32_t>(std::ranges::count_if(active_, answers));
    status_.terminating = static_cast<std::int32_t>(std::ranges::count_if(pods_, is_terminating)) + deleted_;
  }

 private:
  batch::UncountedTerminatedPods& noted() { return status_.uncountedTerminatedPods.get_or_make(); }
  std::int32_t succeeded() {
    if (is_indexed(job_)) return static_cast<std::int32_t>(done_indexes().size());
    return status_.succeeded + static_cast<std::int32_t>(noted().succeeded.size());
  }
  std::int32_t failed() { return status_.failed + static_cast<std::int32_t>(noted().failed.size()); }
  Indexes done_indexes() {
    Indexes done = parse_indexes(status_.completedIndexes);
    for (const core::Pod& pod : pods_) {
      const std::int32_t index = index_of(pod);
      if (pod.status.phase == "Succeeded" && index >= 0 && index < job_.spec.completions.value_or(0)) {
        done.insert(index);
      }
    }
    return done;
  }

  // Those that the last pass noted lose their finalizer, and count.
  void count_noted() {
    for (const auto* uids : {&noted().succeeded, &noted().failed}) {
      for (const std::string& uid : *uids) {
        const auto pod = std::ranges::find(pods_, uid, [](const core::Pod& one) { return one.metadata.uid; });
        if (pod == pods_.end()) continue;
        if (is_tracked(*pod)) release(ctx_, *pod);
        std::erase(pod->metadata.finalizers, kJobTracking);
      }
    }
    status_.failed += static_cast<std::int32_t>(noted().failed.size());
    status_.succeeded += static_cast<std::int32_t>(noted().succeeded.size());
    if (is_indexed(job_)) {
      const Indexes done = done_indexes();
      status_.completedIndexes = to_string(done);
      status_.succeeded = static_cast<std::int32_t>(done.size());
    }
    noted() = {};
  }

  void note_ended() {
    for (const core::Pod& pod : pods_) {
      if (!is_tracked(pod)) continue;
      if (pod.status.phase == "Succeeded") {
        noted().succeeded.push_back(pod.metadata.uid);
      } else if (has_failed(pod, job_)) {
        noted().failed.push_back(pod.metadata.uid);
      }
    }
    if (!is_settled()) ctx_.requeue_after(Duration::zero());
  }
  bool is_settled() { return noted().succeeded.empty() && noted().failed.empty(); }

  void decide() {
    if (find_condition(status_.conditions, "SuccessCriteriaMet") != nullptr) return end("Complete");
    if (find_condition(status_.conditions, "FailureTarget") == nullptr) look_for_failure();
    if (find_condition(status_.conditions, "FailureTarget") != nullptr) return end("Failed");
    manage();
    const bool enough = job_.spec.completions ? succeeded() >= *job_.spec.completions : succeeded() > 0;
    if (enough && active_.empty()) {
      set("SuccessCriteriaMet", "True", "CompletionsReached", "Reached expected number of succeeded pods");
      return end("Complete");
    }
    note_suspension();
  }

  void look_for_failure() {
    if (failed() > job_.spec.backoffLimit.value_or(6) || has_restarted_too_often(pods_, job_)) {
      return set("FailureTarget", "True", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    if (!job_.spec.activeDeadlineSeconds || is_suspended(job_)) return;
    const std::int64_t left =
        status_.startTime->unix_seconds() + *job_.spec.activeDeadlineSeconds - now_.unix_seconds();
    if (left > 0) return ctx_.requeue_after(std::chrono::seconds(left));
    set("FailureTarget", "True", "DeadlineExceeded", "Job was active longer than specified deadline");
  }

  void set(const char* type, const char* holds, const std::string& reason, const std::string& message) {
    set_condition(status_.conditions, {.type = type,
                                       .status = holds,
                                       .reason = reason,
                                       .message = message,
                                       .lastTransitionTime = now_,
                                       .lastProbeTime = now_});
  }

  // What was decided becomes final when no pod runs any more and all are counted.
  void end(const char* type) {
    delete_pods(active_);
    const bool running = std::ranges::any_of(pods_, is_terminating) || deleted_ > 0;
    if (!active_.empty() || running || !is_settled()) return;
    const bool complete = std::string_view(type) == "Complete";
    const auto* why = find_condition(status_.conditions, complete ? "SuccessCriteriaMet" : "FailureTarget");
    const batch::JobCondition decided = *why;
    set(type, "True", decided.reason, decided.message);
    if (!complete) return ctx_.warn(decided.reason, decided.message);
    status_.completionTime = now_;
    ctx_.event("Completed", "Job completed");
  }

  void delete_pods(const Pods& pods) {
    if (pods.empty()) return;
    const auto gone = writes_.delete_all(ctx_, job_.metadata.uid, pods);
    deleted_ += static_cast<std::int32_t>(gone.pods.size());
    std::erase_if(active_, [&](const core::Pod& pod) {
      return std::ranges::any_of(gone.pods, [&](const auto& one) { return one.metadata.uid == pod.metadata.uid; });
    });
    if (gone.error) ctx_.requeue_after(writes_.again_after(job_.metadata.uid));
  }

  void manage() {
    if (is_suspended(job_)) return delete_pods(Pods(active_));
    const std::int32_t parallelism = job_.spec.parallelism.value_or(1);
    const auto active = static_cast<std::int32_t>(active_.size());
    std::int32_t wanted = parallelism;
    if (job_.spec.completions) {
      wanted = std::clamp(*job_.spec.completions - succeeded(), 0, parallelism);
    } else if (succeeded() > 0) {
      wanted = active;
    }
    if (active > wanted) {
      const auto surplus = static_cast<std::size_t>(active - wanted);
      return delete_pods(victims(active_, active_, surplus, ctx_.clock().wall_now()));
    }
    std::int32_t missing = wanted - active;
    if (job_.spec.podReplacementPolicy == "Failed") {
      missing -= static_cast<std::int32_t>(std::ranges::count_if(pods_, is_terminating));
    }
    if (missing > 0) make_pods(static_cast<std::size_t>(missing));
  }

  void make_pods(std::size_t missing) {
    if (const Duration wait = backoff(pods_, job_, now_); wait > Duration::zero()) return ctx_.requeue_after(wait);
    std::vector<std::optional<std::int32_t>> which(std::min(missing, kMostAtOnce));
    if (is_indexed(job_)) {
      Indexes taken = done_indexes();
      for (const core::Pod& pod : active_) taken.insert(index_of(pod));
      std::int32_t next = 0;
      for (auto& index : which) {
        while (taken.contains(next)) ++next;
        index = next++;
      }
    }
    for (const auto& index : which) {
      auto made = writes_.create(ctx_, pod_for(job_, index), 1);
      for (core::Pod& pod : made.pods) active_.push_back(std::move(pod));
      if (made.error) return ctx_.requeue_after(writes_.again_after(job_.metadata.uid));
    }
    writes_.succeeded(job_.metadata.uid);
  }

  void note_suspension() {
    const auto* before = find_condition(status_.conditions, "Suspended");
    if (is_suspended(job_)) {
      if (before != nullptr && before->status == "True") return;
      set("Suspended", "True", "JobSuspended", "Job suspended");
      status_.startTime.reset();
      return ctx_.event("Suspended", "Job suspended");
    }
    if (before == nullptr || before->status == "False") return;
    set("Suspended", "False", "JobResumed", "Job resumed");
    status_.startTime = now_;
    ctx_.event("Resumed", "Job resumed");
  }

  Context& ctx_;
  PodWrites& writes_;
  batch::Job& job_;
  batch::JobStatus& status_;
  const kube::Time now_;
  Pods pods_ = {};
  Pods active_ = {};
  std::int32_t deleted_ = 0;  // by this pass
};

// A pod that has ended, or is going, and whose job counts no more, is kept by nothing.
void release_orphan(Context& ctx) {
  const auto pod = ctx.find<core::Pod>(ctx.key().object());
  if (!pod || !is_tracked(*pod)) return;
  const auto* controller = kube::controller_of(pod->metadata);
  if (controller != nullptr && controller->kind == "Job") {
    const auto job = ctx.find<batch::Job>(controller->name);
    const bool counts =
        job && job->metadata.uid == controller->uid && !job->metadata.deletionTimestamp && !is_finished(*job);
    if (counts) return;
  }
  release(ctx, *pod);
}

void delete_finished(Context& ctx, batch::Job& job) {
  if (!job.spec.ttlSecondsAfterFinished || !is_finished(job)) return;
  kube::Time finished;
  for (const auto& condition : job.status.conditions) {
    if (condition.type == "Complete" || condition.type == "Failed") finished = condition.lastTransitionTime;
  }
  const std::int64_t left =
      finished.unix_seconds() + *job.spec.ttlSecondsAfterFinished - kube::Time(ctx.clock().wall_now()).unix_seconds();
  if (left > 0) return ctx.requeue_after(std::chrono::seconds(left));
  ctx.delete_(job, {.propagation = client::Propagation::foreground});
}

}  // namespace

void declare_jobs(runtime::Operator& op) {
  const auto writes = std::make_shared<PodWrites>();
  op.reconcile<batch::Job>([writes](Context& ctx, batch::Job& job) { JobPass(ctx, *writes, job).run(); })
      .owns<core::Pod>()
      .name("job-controller");
  op.control("job-orphan-pods", release_orphan)
      .watches<core::Pod>([](const cache::Change& change) { return std::vector{change.key()}; },
                          [](const cache::Change& change) {
                            const auto& finalizers = change.metadata().finalizers;
                            return std::ranges::find(finalizers, kJobTracking) != finalizers.end();
                          })
      .reads<batch::Job>();
  op.reconcile<batch::Job>(delete_finished).name("ttl-after-finished-controller");
}

}  // namespace flyball::cluster
