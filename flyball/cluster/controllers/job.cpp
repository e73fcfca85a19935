#include "flyball/cluster/controllers/job.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/index_set.hpp"
#include "flyball/cluster/controllers/job_pods.hpp"
#include "flyball/cluster/controllers/job_policies.hpp"
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
constexpr const char* kMe = "kubernetes.io/job-controller";

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
    if (is_finished(job_) || job_.spec.managedBy.value_or(kMe) != kMe) return;
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

  bool is_decided(const char* type) { return find_condition(status_.conditions, type) != nullptr; }

  void note_ended() {
    // With the job ends what runs: as a failure when it failed, and as nothing when it was not needed any more.
    const bool failing = is_decided("FailureTarget");
    const bool succeeding = is_decided("SuccessCriteriaMet");
    for (core::Pod& pod : pods_) {
      if (!is_tracked(pod)) continue;
      if (pod.status.phase == "Succeeded") {
        noted().succeeded.push_back(pod.metadata.uid);
      } else if (!failing && !succeeding && !has_failed(pod, job_)) {
        continue;
      } else if ((succeeding && pod.status.phase != "Failed") || judge(job_, pod).verdict == Verdict::ignore) {
        release(ctx_, pod);
        std::erase(pod.metadata.finalizers, kJobTracking);
      } else {
        noted().failed.push_back(pod.metadata.uid);
      }
    }
    if (!is_settled()) ctx_.requeue_after(Duration::zero());
  }
  bool is_settled() { return noted().succeeded.empty() && noted().failed.empty(); }

  void decide() {
    if (is_decided("SuccessCriteriaMet")) return end("Complete");
    if (!is_decided("FailureTarget")) look_for_failure();
    if (is_decided("FailureTarget")) return end("Failed");
    if (const auto why = is_indexed(job_) ? success_of(job_, done_indexes()) : std::nullopt) {
      set("SuccessCriteriaMet", "True", "SuccessPolicy", *why);
      return end("Complete");
    }
    manage();
    const bool enough = job_.spec.completions ? succeeded() >= *job_.spec.completions : succeeded() > 0;
    if (enough && active_.empty()) {
      set("SuccessCriteriaMet", "True", "CompletionsReached", "Reached expected number of succeeded pods");
      return end("Complete");
    }
    note_suspension();
  }

  void fail(const char* reason, const std::string& message) { set("FailureTarget", "True", reason, message); }

  void look_for_failure() {
    for (const core::Pod& pod : pods_) {
      if (!has_failed(pod, job_)) continue;
      const Judgement judged = judge(job_, pod);
      if (judged.verdict == Verdict::fail_job) return fail("PodFailurePolicy", judged.message);
    }
    if (failed() > job_.spec.backoffLimit.value_or(6) || has_restarted_too_often(pods_, job_)) {
      return fail("BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    if (has_per_index_limit()) look_for_failed_indexes();
    if (is_decided("FailureTarget") || !job_.spec.activeDeadlineSeconds || is_suspended(job_)) return;
    const std::int64_t left =
        status_.startTime->unix_seconds() + *job_.spec.activeDeadlineSeconds - now_.unix_seconds();
    if (left > 0) return ctx_.requeue_after(std::chrono::seconds(left));
    fail("DeadlineExceeded", "Job was active longer than specified deadline");
  }

  bool has_per_index_limit() const { return is_indexed(job_) && job_.spec.backoffLimitPerIndex; }

  void look_for_failed_indexes() {
    const Indexes failed = failed_indexes(job_, pods_);
    status_.failedIndexes = to_string(failed);
    const auto number = static_cast<std::int32_t>(failed.size());
    if (job_.spec.maxFailedIndexes && number > *job_.spec.maxFailedIndexes) {
      return fail("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
    }
    if (number > 0 && number + succeeded() >= job_.spec.completions.value_or(0)) {
      fail("FailedIndexes", "Job has failed indexes");
    }
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

  // Those that are only too many have not failed: nobody counts them.
  void let_go(const Pods& pods) {
    for (const core::Pod& pod : pods) {
      if (is_tracked(pod)) release(ctx_, pod);
    }
    delete_pods(pods);
  }

  void manage() {
    if (is_suspended(job_)) return let_go(Pods(active_));
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
      return let_go(victims(active_, active_, surplus, ctx_.clock().wall_now()));
    }
    std::int32_t missing = wanted - active;
    if (job_.spec.podReplacementPolicy == "Failed") {
      missing -= static_cast<std::int32_t>(std::ranges::count_if(pods_, is_terminating));
    }
    if (missing > 0) make_pods(static_cast<std::size_t>(missing));
  }

  void make_pods(std::size_t missing) {
    if (!has_per_index_limit()) {
      if (const Duration wait = backoff(pods_, job_, now_); wait > Duration::zero()) return ctx_.requeue_after(wait);
    }
    for (const auto& index : next_pods(std::min(missing, kMostAtOnce))) {
      core::Pod pod = pod_for(job_, index);
      if (has_per_index_limit()) note_failures(job_, last_failed(job_, pods_, *index), pod);
      auto made = writes_.create(ctx_, pod, 1);
      for (core::Pod& one : made.pods) active_.push_back(std::move(one));
      if (made.error) return ctx_.requeue_after(writes_.again_after(job_.metadata.uid));
    }
    writes_.succeeded(job_.metadata.uid);
  }

  // The lowest indexes that nobody works on and that may be tried now; as many nothings where there are no indexes.
  std::vector<std::optional<std::int32_t>> next_pods(std::size_t most) {
    if (!is_indexed(job_)) return std::vector<std::optional<std::int32_t>>(most);
    Indexes taken = done_indexes();
    taken.merge(parse_indexes(status_.failedIndexes.value_or("")));
    for (const core::Pod& pod : active_) taken.insert(index_of(pod));
    if (job_.spec.podReplacementPolicy == "Failed") {
      for (const core::Pod& pod : pods_) {
        if (is_terminating(pod)) taken.insert(index_of(pod));
      }
    }
    std::vector<std::optional<std::int32_t>> which;
    for (std::int32_t index = 0; index < job_.spec.completions.value_or(0) && which.size() < most; ++index) {
      if (taken.contains(index)) continue;
      const Duration wait =
          has_per_index_limit() ? index_backoff(last_failed(job_, pods_, index), now_) : Duration::zero();
      if (wait > Duration::zero()) {
        ctx_.requeue_after(wait);
      } else {
        which.emplace_back(index);
      }
    }
    return which;
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
