#include "flyball/apiserver/kinds/batch_validation.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/cron_schedule.hpp"
#include "flyball/apiserver/kinds/internal_form.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"
#include "flyball/apiserver/kinds/pod_validation.hpp"
#include "flyball/apiserver/kinds/time_zones.hpp"
#include "flyball/apiserver/kinds/workload_checks.hpp"
#include "flyball/base/error.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver {
namespace {

namespace batch = kube::batch::v1;
namespace core = kube::core::v1;
namespace meta = kube::meta::v1;
namespace names = kube::names;

constexpr std::int32_t kMostIndexedParallelism = 100000;
constexpr std::int32_t kMostFailedIndexes = 100000;
constexpr std::size_t kMostFailureRules = 20;
constexpr std::size_t kMostFailureItems = 255;
constexpr std::size_t kLongestCronName = 52;

constexpr const char* kUid = "batch.kubernetes.io/controller-uid";
constexpr const char* kName = "batch.kubernetes.io/job-name";
constexpr const char* kOldUid = "controller-uid";
constexpr const char* kOldName = "job-name";

bool is_indexed(const batch::JobSpec& spec) { return spec.completionMode == "Indexed"; }

template <class Number>
void check_number(const std::optional<Number>& number, const FieldPath& at, Problems& problems) {
  if (number) check_not_negative(*number, at, problems);
}

void check_exit_codes(const batch::PodFailurePolicyOnExitCodesRequirement& codes,
                      const std::set<std::string>& containers, const FieldPath& at, Problems& problems) {
  if (codes.operator_.empty()) {
    problems.required(at.child("operator"), "valid values: [\"In\" \"NotIn\"]");
  } else {
    check_one_of(codes.operator_, {"In", "NotIn"}, at.child("operator"), problems);
  }
  if (codes.containerName && !containers.contains(*codes.containerName)) {
    problems.invalid(at.child("containerName"), *codes.containerName,
                     "must be one of the container or initContainer names in the pod template");
  }
  const FieldPath values = at.child("values");
  if (codes.values.empty()) {
    problems.invalid(values, json::array(), "at least one value is required");
  } else if (codes.values.size() > kMostFailureItems) {
    problems.too_many(values, codes.values.size(), kMostFailureItems);
  }
  if (!std::ranges::is_sorted(codes.values)) problems.invalid(values, shown(codes.values), "must be ordered");
  std::set<std::int32_t> seen;
  for (std::size_t i = 0; i < codes.values.size(); ++i) {
    if (codes.operator_ == "In" && codes.values[i] == 0) {
      problems.invalid(values.index(i), codes.values[i], "must not be 0 for the In operator");
    }
    if (!seen.insert(codes.values[i]).second) problems.duplicate(values.index(i), codes.values[i]);
  }
}

void check_failure_rule(const batch::PodFailurePolicyRule& rule, const batch::JobSpec& spec,
                        const std::set<std::string>& containers, const FieldPath& at, Problems& problems) {
  const FieldPath action = at.child("action");
  if (rule.action.empty()) {
    problems.required(action, "valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]");
  } else if (rule.action == "FailIndex") {
    if (!spec.backoffLimitPerIndex) {
      problems.invalid(action, rule.action, "requires the backoffLimitPerIndex to be set");
    }
  } else {
    check_one_of(rule.action, {"Count", "FailIndex", "FailJob", "Ignore"}, action, problems);
  }
  if (rule.onExitCodes) check_exit_codes(*rule.onExitCodes, containers, at.child("onExitCodes"), problems);
  for (std::size_t i = 0; i < rule.onPodConditions.size(); ++i) {
    const FieldPath here = at.child("onPodConditions").index(i);
    check_name(rule.onPodConditions[i].type, names::qualified_name, here.child("type"), problems);
    check_one_of(rule.onPodConditions[i].status, {"False", "True", "Unknown"}, here.child("status"), problems);
  }
  if (rule.onExitCodes && !rule.onPodConditions.empty()) {
    problems.add(Problem::Kind::invalid, at,
                 "Invalid value: specifying both OnExitCodes and OnPodConditions is not supported");
  }
  if (!rule.onExitCodes && rule.onPodConditions.empty()) {
    problems.add(Problem::Kind::invalid, at,
                 "Invalid value: specifying one of OnExitCodes and OnPodConditions is required");
  }
}

void check_failure_policy(const batch::JobSpec& spec, const FieldPath& at, Problems& problems) {
  const std::vector<batch::PodFailurePolicyRule>& rules = spec.podFailurePolicy->rules;
  if (rules.size() > kMostFailureRules) problems.too_many(at.child("rules"), rules.size(), kMostFailureRules);
  std::set<std::string> containers;
  for (const core::Container& container : spec.template_.spec.containers) containers.insert(container.name);
  for (const core::Container& container : spec.template_.spec.initContainers) containers.insert(container.name);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    check_failure_rule(rules[i], spec, containers, at.child("rules").index(i), problems);
  }
}

void check_completion(const batch::JobSpec& spec, const FieldPath& at, Problems& problems) {
  check_one_of(spec.completionMode.value_or("NonIndexed"), {"NonIndexed", "Indexed"}, at.child("completionMode"),
               problems);
  if (is_indexed(spec)) {
    if (!spec.completions) problems.required(at.child("completions"), "when completion mode is Indexed");
    if (spec.parallelism.value_or(0) > kMostIndexedParallelism) {
      problems.invalid(at.child("parallelism"), *spec.parallelism,
                       "must be less than or equal to 100000 when completion mode is Indexed");
    }
    if (spec.completions && spec.maxFailedIndexes && *spec.maxFailedIndexes > *spec.completions) {
      problems.invalid(at.child("maxFailedIndexes"), *spec.maxFailedIndexes,
                       "must be less than or equal to completions");
    }
    if (spec.maxFailedIndexes.value_or(0) > kMostFailedIndexes) {
      problems.invalid(at.child("maxFailedIndexes"), *spec.maxFailedIndexes, "must be less than or equal to 100000");
    }
    return;
  }
  if (spec.completionMode.value_or("NonIndexed") != "NonIndexed") return;
  constexpr std::string_view kWhy = "requires indexed completion mode";
  if (spec.backoffLimitPerIndex) {
    problems.invalid(at.child("backoffLimitPerIndex"), *spec.backoffLimitPerIndex, kWhy);
  }
  if (spec.maxFailedIndexes) problems.invalid(at.child("maxFailedIndexes"), *spec.maxFailedIndexes, kWhy);
}

void check_restart_policy(const batch::JobSpec& spec, const FieldPath& at, Problems& problems) {
  const std::string& policy = spec.template_.spec.restartPolicy;
  if (policy == "Always" || policy.empty()) {
    problems.required(at, "valid values: \"OnFailure\", \"Never\"");
  } else if (policy != "OnFailure" && policy != "Never") {
    problems.not_supported(at, policy, {"OnFailure", "Never"});
  } else if (spec.podFailurePolicy && policy != "Never") {
    problems.invalid(at, policy, "only \"Never\" is supported when podFailurePolicy is specified");
  }
}

void check_replacement(const batch::JobSpec& spec, const FieldPath& at, Problems& problems) {
  if (!spec.podReplacementPolicy) return;
  if (spec.podFailurePolicy) {
    check_one_of(*spec.podReplacementPolicy, {"Failed"}, at, problems);
  } else {
    check_one_of(*spec.podReplacementPolicy, {"Failed", "TerminatingOrFailed"}, at, problems);
  }
}

void check_any_job(const batch::JobSpec& spec, const FieldPath& at, Problems& problems) {
  check_number(spec.parallelism, at.child("parallelism"), problems);
  check_number(spec.completions, at.child("completions"), problems);
  check_number(spec.activeDeadlineSeconds, at.child("activeDeadlineSeconds"), problems);
  check_number(spec.backoffLimit, at.child("backoffLimit"), problems);
  check_number(spec.ttlSecondsAfterFinished, at.child("ttlSecondsAfterFinished"), problems);
  check_number(spec.backoffLimitPerIndex, at.child("backoffLimitPerIndex"), problems);
  check_number(spec.maxFailedIndexes, at.child("maxFailedIndexes"), problems);
  if (spec.maxFailedIndexes && !spec.backoffLimitPerIndex) {
    problems.required(at.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  }
  check_completion(spec, at, problems);
  if (spec.podFailurePolicy) check_failure_policy(spec, at.child("podFailurePolicy"), problems);
  if (spec.successPolicy && is_indexed(spec) && spec.successPolicy->rules.empty()) {
    problems.required(at.child("successPolicy").child("rules"),
                      "at least one rules must be specified when the successPolicy is specified");
  }
  check_replacement(spec, at.child("podReplacementPolicy"), problems);
  validate_pod_template(spec.template_, at.child("template"), problems);
  check_restart_policy(spec, at.child("template").child("spec").child("restartPolicy"), problems);
}

bool matches(const meta::LabelSelector& selector, const kube::Labels& labels) {
  try {
    return kube::Selector::from(selector.matchLabels, selector.matchExpressions).matches(labels);
  } catch (const InputError&) {
    return true;  // the selector's own problem
  }
}

void check_job_spec(const batch::JobSpec& spec, Problems& problems) {
  const FieldPath at("spec");
  check_any_job(spec, at, problems);
  const kube::Labels& labels = spec.template_.metadata.labels;
  if (spec.selector) {
    check_label_selector(*spec.selector, at.child("selector"), problems);
  } else {
    problems.required(at.child("selector"));
  }
  if (!spec.selector || !matches(*spec.selector, labels)) {
    problems.invalid(at.child("template").child("metadata").child("labels"), shown_labels(labels),
                     "`selector` does not match template `labels`");
  }
}

void check_has_label(const kube::Labels& labels, const char* key, const std::string& expected, Problems& problems) {
  const FieldPath at = FieldPath("spec").child("template").child("metadata").child("labels");
  const auto found = labels.find(key);
  if (found == labels.end()) {
    problems.required(at.key(key), "must be '" + expected + "'");
  } else if (found->second != expected) {
    problems.invalid(at.key(key), shown(labels), "must be '" + expected + "'");
  }
}

void check_generated_selector(const batch::Job& job, Problems& problems) {
  if (job.spec.manualSelector.value_or(false) || !job.spec.selector) return;
  const kube::Labels& labels = job.spec.template_.metadata.labels;
  check_has_label(labels, kOldUid, job.metadata.uid, problems);
  check_has_label(labels, kOldName, job.metadata.name, problems);
  check_has_label(labels, kUid, job.metadata.uid, problems);
  check_has_label(labels, kName, job.metadata.name, problems);
  const kube::Labels expected = {
      {kUid, job.metadata.uid}, {kName, job.metadata.name}, {kOldUid, job.metadata.uid}, {kOldName, job.metadata.name}};
  if (matches(*job.spec.selector, expected)) return;
  problems.invalid(FieldPath("spec").child("selector"), shown(*job.spec.selector), "`selector` not auto-generated");
}

// A Job that waits to start may still be told where to run and with how much.
bool template_may_change(const batch::Job& old) { return old.spec.suspend.value_or(false) && !old.status.startTime; }

core::PodTemplateSpec with_directives_of(core::PodTemplateSpec old, const core::PodTemplateSpec& next) {
  old.metadata.labels = next.metadata.labels;
  old.metadata.annotations = next.metadata.annotations;
  old.spec.nodeSelector = next.spec.nodeSelector;
  old.spec.tolerations = next.spec.tolerations;
  old.spec.schedulingGates = next.spec.schedulingGates;
  if (next.spec.affinity) {
    old.spec.affinity.get_or_make().nodeAffinity = next.spec.affinity->nodeAffinity;
  } else if (old.spec.affinity) {
    old.spec.affinity->nodeAffinity.reset();
    if (*old.spec.affinity == core::Affinity()) old.spec.affinity.reset();
  }
  for (std::size_t i = 0; i < std::min(old.spec.containers.size(), next.spec.containers.size()); ++i) {
    old.spec.containers[i].resources = next.spec.containers[i].resources;
  }
  for (std::size_t i = 0; i < std::min(old.spec.initContainers.size(), next.spec.initContainers.size()); ++i) {
    old.spec.initContainers[i].resources = next.spec.initContainers[i].resources;
  }
  return old;
}

void check_completions_update(const batch::JobSpec& spec, const batch::JobSpec& old, const FieldPath& at,
                              Problems& problems) {
  if (spec.completions == old.completions) return;
  if (!is_indexed(spec)) {
    problems.invalid(at, spec.completions ? json::Value(*spec.completions) : json::Value(), kImmutable);
    return;
  }
  if (!spec.completions || spec.completions == spec.parallelism) return;
  problems.invalid(at, *spec.completions, "can only be modified in tandem with spec.parallelism");
}

template <class T>
json::Value shown_optional(const std::optional<T>& value) {
  return value ? json::Value(*value) : json::Value();
}

template <class T>
json::Value shown_box(const Box<T>& value) {
  return value ? shown(*value) : json::Value();
}

bool has_condition(const batch::Job& job, std::string_view type) {
  return std::ranges::any_of(job.status.conditions, [&](const batch::JobCondition& condition) {
    return condition.type == type && condition.status == "True";
  });
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void check_zone(const std::optional<std::string>& zone, const FieldPath& at, Problems& problems) {
  if (!zone) return;
  if (zone->empty()) {
    problems.invalid(at, *zone, "timeZone must be nil or non-empty string");
    return;
  }
  const bool local = std::ranges::equal(*zone, std::string_view("local"), {}, lower);
  if (local) {
    problems.invalid(at, *zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  // Go knows one "Local".
  if (*zone != "Local" && !is_time_zone(*zone)) problems.invalid(at, *zone, "unknown time zone " + *zone);
}

void check_schedule(const batch::CronJobSpec& spec, bool zone_allowed, const FieldPath& at, Problems& problems) {
  if (spec.schedule.empty()) {
    problems.required(at);
    return;
  }
  const std::string wrong = cron_problem(spec.schedule);
  if (!wrong.empty()) problems.invalid(at, spec.schedule, wrong);
  if (spec.schedule.find("TZ") == std::string::npos) return;
  if (!zone_allowed) {
    problems.invalid(at, spec.schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (spec.timeZone) {
    problems.invalid(at, spec.schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

}  // namespace

void validate_job(const batch::Job& job, Problems& problems) {
  check_generated_selector(job, problems);
  check_job_spec(job.spec, problems);
  if (!is_indexed(job.spec) || job.spec.completions.value_or(0) <= 0) return;
  const std::string last = job.metadata.name + "-" + std::to_string(*job.spec.completions - 1);
  if (names::dns1123_label(last).empty()) return;
  problems.invalid(FieldPath("metadata").child("name"), job.metadata.name,
                   "will not able to create pod with invalid DNS label: " + last);
}

void validate_job_update(const batch::Job& job, const batch::Job& old, Problems& problems) {
  validate_job(job, problems);
  const FieldPath at("spec");
  const batch::JobSpec& spec = job.spec;
  check_completions_update(spec, old.spec, at.child("completions"), problems);
  if (spec.selector != old.spec.selector) problems.invalid(at.child("selector"), shown_box(spec.selector), kImmutable);
  const core::PodTemplateSpec before =
      template_may_change(old) ? with_directives_of(old.spec.template_, spec.template_) : old.spec.template_;
  if (!kube::semantic_equal(spec.template_, before)) {
    problems.invalid(at.child("template"), internal_form("PodTemplateSpec", shown(spec.template_)), kImmutable);
  }
  if (spec.completionMode != old.spec.completionMode) {
    problems.invalid(at.child("completionMode"), shown_optional(spec.completionMode), kImmutable);
  }
  if (spec.podFailurePolicy != old.spec.podFailurePolicy) {
    problems.invalid(
        at.child("podFailurePolicy"),
        spec.podFailurePolicy ? internal_form("PodFailurePolicy", shown(*spec.podFailurePolicy)) : json::Value(),
        kImmutable);
  }
  if (spec.backoffLimitPerIndex != old.spec.backoffLimitPerIndex) {
    problems.invalid(at.child("backoffLimitPerIndex"), shown_optional(spec.backoffLimitPerIndex), kImmutable);
  }
  if (spec.managedBy != old.spec.managedBy) {
    problems.invalid(at.child("managedBy"), shown_optional(spec.managedBy), kImmutable);
  }
  if (spec.successPolicy != old.spec.successPolicy) {
    problems.invalid(at.child("successPolicy"),
                     spec.successPolicy ? internal_form("SuccessPolicy", shown(*spec.successPolicy)) : json::Value(),
                     kImmutable);
  }
}

void validate_job_status(const batch::Job& job, const batch::Job& old, Problems& problems) {
  const FieldPath at("status");
  const batch::JobStatus& status = job.status;
  check_counts({{"active", status.active},
                {"succeeded", status.succeeded},
                {"failed", status.failed},
                {"ready", status.ready.value_or(0)},
                {"terminating", status.terminating.value_or(0)}},
               at, problems);
  const auto wrong_conditions = [&](std::string_view why) {
    problems.add(Problem::Kind::invalid, at.child("conditions"), "Invalid value: " + std::string(why));
  };
  const bool complete = has_condition(job, "Complete");
  const bool failed = has_condition(job, "Failed");
  const bool changed = complete != has_condition(old, "Complete") || failed != has_condition(old, "Failed");
  if (!changed) return;  // what was stored before is not judged again
  if (complete && failed) wrong_conditions("cannot set Complete=True and Failed=true conditions");
  if (complete && has_condition(job, "FailureTarget")) {
    wrong_conditions("cannot set Complete=True and FailureTarget=true conditions");
  }
  if (complete && !status.completionTime) {
    problems.required(at.child("completionTime"), "completionTime is required for Complete jobs");
  }
  if (failed && !has_condition(job, "FailureTarget")) {
    wrong_conditions("cannot set Failed=True condition without the FailureTarget=true condition");
  }
  if (complete && !has_condition(job, "SuccessCriteriaMet")) {
    wrong_conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
  if (status.active > 0) problems.invalid(at.child("active"), status.active, "active>0 is invalid for finished job");
  if (!status.startTime) problems.required(at.child("startTime"), "startTime is required for finished job");
}

void validate_cron_job(const batch::CronJob& job, const batch::CronJob* old, Problems& problems) {
  const FieldPath at("spec");
  const batch::CronJobSpec& spec = job.spec;
  const bool zone_allowed = old != nullptr && old->spec.schedule.find("TZ") != std::string::npos;
  check_schedule(spec, zone_allowed, at.child("schedule"), problems);
  check_number(spec.startingDeadlineSeconds, at.child("startingDeadlineSeconds"), problems);
  if (old == nullptr || old->spec.timeZone != spec.timeZone) check_zone(spec.timeZone, at.child("timeZone"), problems);
  check_one_of(spec.concurrencyPolicy, {"Allow", "Forbid", "Replace"}, at.child("concurrencyPolicy"), problems);
  const FieldPath job_spec = at.child("jobTemplate").child("spec");
  check_any_job(spec.jobTemplate.spec, job_spec, problems);
  if (spec.jobTemplate.spec.selector) {
    problems.invalid(job_spec.child("selector"), shown(*spec.jobTemplate.spec.selector),
                     "`selector` will be auto-generated");
  }
  if (spec.jobTemplate.spec.manualSelector.value_or(false)) {
    problems.not_supported(job_spec.child("manualSelector"), true, {"nil", "false"});
  }
  check_number(spec.successfulJobsHistoryLimit, at.child("successfulJobsHistoryLimit"), problems);
  check_number(spec.failedJobsHistoryLimit, at.child("failedJobsHistoryLimit"), problems);
  if (old == nullptr && job.metadata.name.size() > kLongestCronName) {
    problems.invalid(FieldPath("metadata").child("name"), job.metadata.name, "must be no more than 52 characters");
  }
}

}  // namespace flyball::apiserver
