// Devices: classes, claims, what nodes offer, taints.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "resource.k8s.io";

constexpr std::array kNameAndAge = {kName, kAge};

json::Value name_and_age(json::View object, WallTime now) { return row(name_of(object), age_of(object, now)); }

constexpr std::array kClaimColumns = {kName, column("State"), kAge};

std::string claim_state(json::View claim) {
  const bool allocated = given(claim["status"]["allocation"]);
  std::vector<std::string> states;
  if (being_deleted(claim)) states.emplace_back("deleted");
  if (!allocated && states.empty()) states.emplace_back("pending");
  if (allocated) states.emplace_back("allocated");
  if (allocated && !claim["status"]["reservedFor"].empty()) states.emplace_back("reserved");
  return join(states, ",");
}

json::Value claim_cells(json::View object, WallTime now) {
  return row(name_of(object), claim_state(object), age_of(object, now));
}

constexpr std::array kSliceColumns = {kName, column("Node"), column("Driver"), column("Pool"), kAge};

json::Value slice_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  return row(name_of(object), text(spec["nodeName"]), text(spec["driver"]), text(spec["pool"]["name"]),
             age_of(object, now));
}

constexpr std::array kTaintColumns = {kName, column("Key"), column("Value"), column("Effect"), column("TimeAdded"),
                                      kAge};

json::Value taint_cells(json::View object, WallTime now) {
  const json::View taint = object["spec"]["taint"];
  const json::View added = taint["timeAdded"];
  return row(name_of(object), text(taint["key"]), text(taint["value"]), text(taint["effect"]),
             given(added) ? human_age(added, now) : "", age_of(object, now));
}

constexpr std::array kPoolStatusColumns = {kName,
                                           column("Driver"),
                                           column("Total"),
                                           column("Available"),
                                           column("Allocated"),
                                           column("Unavailable"),
                                           column("Errors"),
                                           column("Pools", "integer"),
                                           column("Status"),
                                           column("Completed")};

// The first of the two ends that is reached.
json::View pool_status_end(json::View status) {
  for (const json::View one : status["conditions"].items()) {
    const std::string_view type = text(one["type"]);
    if ((type == "Complete" || type == "Failed") && text(one["status"]) == "True") return one;
  }
  return {};
}

std::string sum_text(json::View pools, std::string_view member) {
  std::int64_t sum = 0;
  for (const json::View pool : pools.items()) sum += number(pool[member]);
  return std::to_string(sum);
}

std::string errors_text(json::View pools) {
  std::int64_t errors = 0;
  for (const json::View pool : pools.items()) errors += given(pool["validationError"]) ? 1 : 0;
  return std::to_string(errors);
}

json::Value pool_status_cells(json::View object, WallTime now) {
  const json::View status = object["status"];
  const json::View pools = status["pools"];
  const json::View end = pool_status_end(status);
  const std::int64_t count = number(status["poolCount"]);
  const auto shown = static_cast<std::int64_t>(pools.size());
  const bool complete = text(end["type"]) == "Complete";
  const bool counted = given(status) && (!given(end) || complete);
  std::string state(text_or(end["type"], "Pending"));
  if (complete && count > shown) state = "Complete (" + ratio(shown, count) + " pools)";
  const auto sum = [&](std::string_view member) { return counted ? sum_text(pools, member) : "-"; };
  return row(name_of(object), text(object["spec"]["driver"]), sum("totalDevices"), sum("availableDevices"),
             sum("allocatedDevices"), sum("unavailableDevices"), counted ? errors_text(pools) : "-", count, state,
             complete ? human_age(end["lastTransitionTime"], now) : "<none>");
}

constexpr std::array kRules = {
    TableRule{.group = kGroup, .kind = "DeviceClass", .columns = kNameAndAge, .cells = name_and_age},
    TableRule{.group = kGroup, .kind = "ResourceClaim", .columns = kClaimColumns, .cells = claim_cells},
    TableRule{.group = kGroup, .kind = "ResourceClaimTemplate", .columns = kNameAndAge, .cells = name_and_age},
    TableRule{.group = kGroup, .kind = "ResourceSlice", .columns = kSliceColumns, .cells = slice_cells},
    TableRule{.group = kGroup, .kind = "DeviceTaintRule", .columns = kTaintColumns, .cells = taint_cells},
    TableRule{.group = kGroup,
              .kind = "ResourcePoolStatusRequest",
              .columns = kPoolStatusColumns,
              .cells = pool_status_cells},
};

}  // namespace

std::span<const TableRule> device_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
