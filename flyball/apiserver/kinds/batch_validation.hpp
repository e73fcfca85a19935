// What valid Jobs and CronJobs look like, and what of them can change.
//
// Thread-safety: pure functions.
#pragma once

#include "flyball/apiserver/problems.hpp"
#include "flyball/kube/batch/v1.hpp"

namespace flyball::apiserver {

void validate_job(const kube::batch::v1::Job& job, Problems& problems);
void validate_job_update(const kube::batch::v1::Job& job, const kube::batch::v1::Job& old, Problems& problems);
void validate_job_status(const kube::batch::v1::Job& job, const kube::batch::v1::Job& old, Problems& problems);
// `old` is null on create.
void validate_cron_job(const kube::batch::v1::CronJob& job, const kube::batch::v1::CronJob* old, Problems& problems);

}  // namespace flyball::apiserver
