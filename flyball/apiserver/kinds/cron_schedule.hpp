// Schedules of CronJobs: "*/5 * * * *", "@hourly", "@every 1h30m".
//
//   cron_problem("* * * * *").empty();      // true: fine
//   cron_problem("61 * * * *");             // end of range (61) above maximum (59): 61
//
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace flyball::apiserver {

// What is wrong with a schedule, in the words of Kubernetes' own parser; empty when nothing is.
std::string cron_problem(std::string_view schedule);

}  // namespace flyball::apiserver
