// Jobs and what starts them.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kJobColumns = {kName, column("Status"),   column("Completions"), column("Duration"),
                                    kAge,  wide("Containers"), wide("Images"),        wide("Selector")};

std::string completions_text(json::View job) {
  const std::int64_t succeeded = number(job["status"]["succeeded"]);
  if (given(job["spec"]["completions"])) return ratio(succeeded, number(job["spec"]["completions"]));
  const std::int64_t parallelism = number(job["spec"]["parallelism"]);
  return ratio(succeeded, 1) + (parallelism > 1 ? " of " + std::to_string(parallelism) : "");
}

std::string run_time(json::View status, WallTime now) {
  if (!given(status["startTime"])) return "";
  const json::View end = status["completionTime"];
  return human_age(status["startTime"], given(end) ? moment(end).as<WallTime>() : now);
}

std::string_view job_status(json::View job) {
  const json::View conditions = job["status"]["conditions"];
  for (const std::string_view end : {"Complete", "Failed"}) {
    if (is_true(conditions, end)) return end;
  }
  if (being_deleted(job)) return "Terminating";
  for (const std::string_view state : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (is_true(conditions, state)) return state;
  }
  return "Running";
}

json::Value job_cells(json::View job, WallTime now) {
  const json::View pod = job["spec"]["template"]["spec"];
  return row(name_of(job), job_status(job), completions_text(job), run_time(job["status"], now), age_of(job, now),
             container_names(pod), container_images(pod), selector_text(job["spec"]["selector"]));
}

constexpr std::array kCronJobColumns = {kName,
                                        column("Schedule"),
                                        column("Timezone"),
                                        column("Suspend", "boolean"),
                                        column("Active", "integer"),
                                        column("Last Schedule"),
                                        kAge,
                                        wide("Containers"),
                                        wide("Images"),
                                        wide("Selector")};

std::string_view suspended_text(json::View suspend) {
  if (!given(suspend)) return "<unset>";
  return flag(suspend) ? "True" : "False";
}

json::Value cron_job_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View last = object["status"]["lastScheduleTime"];
  const json::View job = spec["jobTemplate"]["spec"];
  const json::View pod = job["template"]["spec"];
  return row(name_of(object), text(spec["schedule"]),
             given(spec["timeZone"]) ? text(spec["timeZone"]) : std::string_view("<none>"),
             suspended_text(spec["suspend"]), object["status"]["active"].size(),
             given(last) ? human_age(last, now) : "<none>", age_of(object, now), container_names(pod),
             container_images(pod), selector_text(job["selector"]));
}

constexpr std::array kRules = {
    TableRule{.group = "batch", .kind = "Job", .columns = kJobColumns, .cells = job_cells},
    TableRule{.group = "batch", .kind = "CronJob", .columns = kCronJobColumns, .cells = cron_job_cells},
};

}  // namespace

std::span<const TableRule> job_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
