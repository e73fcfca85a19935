// The pods of a job, and what they mean to it.
//
// Thread-safety: the thread of the pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/kube/batch/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::cluster {

inline constexpr const char* kJobTracking = "batch.kubernetes.io/job-tracking";
inline constexpr const char* kCompletionIndex = "batch.kubernetes.io/job-completion-index";

inline bool is_indexed(const kube::batch::v1::Job& job) { return job.spec.completionMode == "Indexed"; }
inline bool is_suspended(const kube::batch::v1::Job& job) { return job.spec.suspend.value_or(false); }
// Complete or Failed.
bool is_finished(const kube::batch::v1::Job& job);

bool is_tracked(const kube::core::v1::Pod& pod);
// A pod that is going counts as failed at once, unless only those that have failed are replaced.
bool has_failed(const kube::core::v1::Pod& pod, const kube::batch::v1::Job& job);
// -1 for none.
std::int32_t index_of(const kube::core::v1::Pod& pod);
kube::Time finished_at(const kube::core::v1::Pod& pod);

// How long a pod has to wait after so many failures, the last of them then.
Duration backoff_after(std::int32_t failures, kube::Time last, kube::Time now);
// How long the next pod has to wait because of those that failed since the last success.
Duration backoff(const std::vector<kube::core::v1::Pod>& pods, const kube::batch::v1::Job& job, kube::Time now);
// Containers that are restarted in their pods count too.
bool has_restarted_too_often(const std::vector<kube::core::v1::Pod>& pods, const kube::batch::v1::Job& job);

kube::core::v1::Pod pod_for(const kube::batch::v1::Job& job, std::optional<std::int32_t> index);

}  // namespace flyball::cluster
