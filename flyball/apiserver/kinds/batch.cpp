#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/batch_validation.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/pod_defaults.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/kinds/workload_checks.hpp"
#include "flyball/kube/batch/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace batch = kube::batch::v1;

constexpr std::int32_t kBackoffLimit = 6;

// Of a Job and of a CronJob's template: what every pod of it gets.
void default_pods(batch::JobSpec& spec) {
  default_template(spec.template_);
  if (!spec.podFailurePolicy) return;
  for (batch::PodFailurePolicyRule& rule : spec.podFailurePolicy->rules) {
    for (batch::PodFailurePolicyOnPodConditionsPattern& pattern : rule.onPodConditions) {
      if (pattern.status.empty()) pattern.status = "True";
    }
  }
}

// Its own uid makes a Job's pods its own; the labels are also under their old names.
void generate_selector(batch::Job& job) {
  kube::Labels& labels = job.spec.template_.metadata.labels;
  for (const char* key : {"job-name", "batch.kubernetes.io/job-name"}) labels.try_emplace(key, job.metadata.name);
  for (const char* key : {"controller-uid", "batch.kubernetes.io/controller-uid"}) {
    labels.try_emplace(key, job.metadata.uid);
  }
  job.spec.selector.get_or_make().matchLabels.try_emplace("batch.kubernetes.io/controller-uid", job.metadata.uid);
}

void default_labels(batch::Job& job) {
  if (job.metadata.labels.empty()) job.metadata.labels = job.spec.template_.metadata.labels;
}

class JobRules final : public RulesFor<batch::Job> {
 public:
  Traits traits() const override {
    return {.generation = true, .orphans_by_default = true, .fields = {"status.successful"}};
  }
  void set_defaults(batch::Job& job) const override {
    batch::JobSpec& spec = job.spec;
    if (!spec.completions && !spec.parallelism) spec.completions = 1;
    if (!spec.parallelism) spec.parallelism = 1;
    if (!spec.backoffLimit) {
      spec.backoffLimit = spec.backoffLimitPerIndex ? std::numeric_limits<std::int32_t>::max() : kBackoffLimit;
    }
    // Without a selector yet, the template gets more labels first.
    if (spec.selector) default_labels(job);
    if (!spec.completionMode) spec.completionMode = "NonIndexed";
    if (!spec.suspend) spec.suspend = false;
    if (!spec.podReplacementPolicy) {
      spec.podReplacementPolicy = spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
    }
    if (!spec.manualSelector) spec.manualSelector = false;
    default_pods(spec);
  }
  void prepare_create(batch::Job& job) const override {
    if (!job.spec.manualSelector.value_or(false)) generate_selector(job);
    default_labels(job);
    job.status = {};
  }
  void validate(const batch::Job& job, Problems& problems) const override { validate_job(job, problems); }
  void validate_update(const batch::Job& job, const batch::Job& old, Problems& problems) const override {
    validate_job_update(job, old, problems);
  }
  void validate_status(const batch::Job& job, const batch::Job& old, Problems& problems) const override {
    validate_job_status(job, old, problems);
  }
  std::vector<std::string> warnings(const batch::Job& job, const batch::Job* old) const override {
    std::vector<std::string> all;
    if (old == nullptr) warn_of_name(job.metadata.name, all);
    if (old == nullptr || !kube::semantic_equal(job.spec, old->spec)) {
      append_warnings(all, pod_warnings(job.spec.template_.spec, template_path()));
    }
    return all;
  }
};

class CronJobRules final : public RulesFor<batch::CronJob> {
 public:
  Traits traits() const override { return {.generation = true}; }
  void set_defaults(batch::CronJob& job) const override {
    batch::CronJobSpec& spec = job.spec;
    if (spec.concurrencyPolicy.empty()) spec.concurrencyPolicy = "Allow";
    if (!spec.suspend) spec.suspend = false;
    if (!spec.successfulJobsHistoryLimit) spec.successfulJobsHistoryLimit = 3;
    if (!spec.failedJobsHistoryLimit) spec.failedJobsHistoryLimit = 1;
    default_pods(spec.jobTemplate.spec);
  }
  void validate(const batch::CronJob& job, Problems& problems) const override {
    validate_cron_job(job, nullptr, problems);
  }
  void validate_update(const batch::CronJob& job, const batch::CronJob& old, Problems& problems) const override {
    validate_cron_job(job, &old, problems);
  }
  std::vector<std::string> warnings(const batch::CronJob& job, const batch::CronJob* old) const override {
    std::vector<std::string> all;
    if (old == nullptr) warn_of_name(job.metadata.name, all);
    if (old == nullptr || !kube::semantic_equal(job.spec, old->spec)) {
      const FieldPath around = FieldPath("spec").child("jobTemplate").child("spec").child("template");
      append_warnings(all, pod_warnings(job.spec.jobTemplate.spec.template_.spec, around));
    }
    return all;
  }
};

}  // namespace

std::span<const RulesOfKind> batch_kinds() {
  static const JobRules job_rules;
  static const CronJobRules cron_job_rules;
  static const std::array kinds = {RulesOfKind{"batch/v1", "Job", &job_rules},
                                   RulesOfKind{"batch/v1", "CronJob", &cron_job_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
