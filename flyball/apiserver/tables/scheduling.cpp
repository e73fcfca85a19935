// Priorities, workloads and groups of pods.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "scheduling.k8s.io";

constexpr std::array kPriorityColumns = {kName, column("Value", "integer"), column("Global-Default", "boolean"), kAge,
                                         column("PreemptionPolicy")};

json::Value priority_cells(json::View object, WallTime now) {
  return row(name_of(object), number(object["value"]), flag(object["globalDefault"]), age_of(object, now),
             text(object["preemptionPolicy"]));
}

constexpr std::array kWorkloadColumns = {kName, kAge};

json::Value workload_cells(json::View object, WallTime now) { return row(name_of(object), age_of(object, now)); }

constexpr std::array kPodGroupColumns = {kName, column("Policy"), column("Workload"), column("Status"), kAge};

std::string_view pod_group_status(json::View conditions) {
  const json::View disrupted = condition(conditions, "DisruptionTarget");
  if (given(disrupted)) return text(disrupted["reason"]);
  const json::View scheduled = condition(conditions, "PodGroupScheduled");
  if (!given(scheduled)) return "Pending";
  return text(scheduled["status"]) == "True" ? "Scheduled" : "Unschedulable";
}

json::Value pod_group_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View workload = spec["podGroupTemplateRef"];
  return row(name_of(object), given(spec["schedulingPolicy"]["gang"]) ? "Gang" : "Basic",
             given(workload) ? text(workload["workload"]["workloadName"]) : "<none>",
             pod_group_status(object["status"]["conditions"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = kGroup, .kind = "PriorityClass", .columns = kPriorityColumns, .cells = priority_cells},
    TableRule{.group = kGroup, .kind = "Workload", .columns = kWorkloadColumns, .cells = workload_cells},
    TableRule{.group = kGroup, .kind = "PodGroup", .columns = kPodGroupColumns, .cells = pod_group_cells},
};

}  // namespace

std::span<const TableRule> scheduling_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
