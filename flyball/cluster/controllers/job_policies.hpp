// What a job's policies say: which failures of pods count, when it has succeeded early, what failed indexes mean.
//
//   const Judgement judged = judge(job, pod);
//   if (judged.verdict == Verdict::fail_job) fail("PodFailurePolicy", judged.message);
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/cluster/controllers/index_set.hpp"
#include "flyball/kube/batch/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::cluster {

enum class Verdict : std::uint8_t { count, ignore, fail_index, fail_job };

struct Judgement {
  Verdict verdict = Verdict::count;
  std::string message = {};  // of fail_job
};

// By the first rule of the job's podFailurePolicy that fits the pod, which has failed.
Judgement judge(const kube::batch::v1::Job& job, const kube::core::v1::Pod& failed);

// "Matched rules at index 0" when the successPolicy is content with these indexes.
std::optional<std::string> success_of(const kube::batch::v1::Job& job, const Indexes& succeeded);

// --- Jobs with a backoffLimitPerIndex

// Those that have failed as often as an index may, of what the status says and the pods show.
Indexes failed_indexes(const kube::batch::v1::Job& job, const std::vector<kube::core::v1::Pod>& pods);
// The last pod of the index that failed; null when none has.
const kube::core::v1::Pod* last_failed(const kube::batch::v1::Job& job, const std::vector<kube::core::v1::Pod>& pods,
                                       std::int32_t index);
// How long the one that takes its place has to wait.
Duration index_backoff(const kube::core::v1::Pod* failed, kube::Time now);
// How often the index has failed, for the pod that takes the place of `failed`.
void note_failures(const kube::batch::v1::Job& job, const kube::core::v1::Pod* failed, kube::core::v1::Pod& pod);

}  // namespace flyball::cluster
