// What a namespace holds beside workloads, and the namespace itself.
#include <array>
#include <map>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kNameAndAge = {kName, kAge};

json::Value name_and_age(json::View object, WallTime now) { return row(name_of(object), age_of(object, now)); }

constexpr std::array kNamespaceColumns = {kName, column("Status"), kAge};

json::Value namespace_cells(json::View object, WallTime now) {
  return row(name_of(object), text(object["status"]["phase"]), age_of(object, now));
}

constexpr std::array kConfigMapColumns = {kName, column("Data"), kAge};

json::Value config_map_cells(json::View object, WallTime now) {
  return row(name_of(object), object["data"].size() + object["binaryData"].size(), age_of(object, now));
}

constexpr std::array kSecretColumns = {kName, column("Type"), column("Data"), kAge};

json::Value secret_cells(json::View object, WallTime now) {
  return row(name_of(object), text(object["type"]), object["data"].size(), age_of(object, now));
}

constexpr std::array kQuotaColumns = {kName, column("Request"), column("Limit"), kAge};

json::Value quota_cells(json::View object, WallTime now) {
  const json::View used = object["status"]["used"];
  std::map<std::string_view, std::string> sorted;
  for (const auto [resource, hard] : object["status"]["hard"].entries()) {
    sorted[resource] = std::string(resource) + ": " + quantity_text(used[resource]) + "/" + quantity_text(hard);
  }
  std::vector<std::string> requests;
  std::vector<std::string> limits;
  for (const auto& [resource, counted] : sorted)
    (resource.starts_with("limits.") ? limits : requests).push_back(counted);
  return row(name_of(object), join(requests, ", "), join(limits, ", "), age_of(object, now));
}

constexpr std::array kComponentColumns = {kName, column("Status"), column("Message"), column("Error")};

json::Value component_cells(json::View object, WallTime /*now*/) {
  const json::View healthy = condition(object["conditions"], "Healthy");
  std::string_view status = "Unknown";
  if (given(healthy)) status = text(healthy["status"]) == "True" ? "Healthy" : "Unhealthy";
  return row(name_of(object), status, text(healthy["message"]), text(healthy["error"]));
}

constexpr std::array kRules = {
    TableRule{.kind = "Namespace", .columns = kNamespaceColumns, .cells = namespace_cells},
    TableRule{.kind = "ConfigMap", .columns = kConfigMapColumns, .cells = config_map_cells},
    TableRule{.kind = "Secret", .columns = kSecretColumns, .cells = secret_cells},
    TableRule{.kind = "ServiceAccount", .columns = kNameAndAge, .cells = name_and_age},
    TableRule{.kind = "ResourceQuota", .columns = kQuotaColumns, .cells = quota_cells},
    TableRule{.kind = "ComponentStatus", .columns = kComponentColumns, .cells = component_cells},
};

}  // namespace

std::span<const TableRule> core_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
