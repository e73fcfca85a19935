// The API server's own kinds.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kServiceColumns = {kName, column("Service"), column("Available"), kAge};

std::string availability(json::View available) {
  if (!given(available)) return "Unknown";
  std::string status(text(available["status"]));
  const std::string_view reason = text(available["reason"]);
  return status == "True" || reason.empty() ? status : status + " (" + std::string(reason) + ")";
}

json::Value service_cells(json::View object, WallTime now) {
  const json::View service = object["spec"]["service"];
  return row(
      name_of(object),
      given(service) ? std::string(text(service["namespace"])) + "/" + std::string(text(service["name"])) : "Local",
      availability(condition(object["status"]["conditions"], "Available")), age_of(object, now));
}

constexpr std::array kVersionColumns = {kName, column("CommonEncodingVersion"), column("StorageVersions"), kAge};

json::Value version_cells(json::View object, WallTime now) {
  const json::View status = object["status"];
  const json::View common = status["commonEncodingVersion"];
  std::vector<std::string> versions;
  for (const json::View one : status["storageVersions"].items()) {
    versions.push_back(std::string(text(one["apiServerID"])) + "=" + std::string(text(one["encodingVersion"])));
  }
  return row(name_of(object), given(common) ? text(common) : "<unset>", first_three(versions), age_of(object, now));
}

constexpr std::array kMigrationColumns = {column("Name"), column("Resource"), column("Status")};

json::Value migration_cells(json::View object, WallTime /*now*/) {
  const json::View resource = object["spec"]["resource"];
  std::string shown(text(resource["resource"]));
  if (!text(resource["group"]).empty()) shown += "." + std::string(text(resource["group"]));
  std::string_view status = "Unknown";
  for (const json::View one : object["status"]["conditions"].items()) {
    const std::string_view type = text(one["type"]);
    const bool known = type == "Running" || type == "Failed" || type == "Succeeded";
    if (known && text(one["status"]) == "True") status = type;
  }
  return row(name_of(object), shown, status);
}

constexpr std::array kRules = {
    TableRule{
        .group = "apiregistration.k8s.io", .kind = "APIService", .columns = kServiceColumns, .cells = service_cells},
    TableRule{.group = "internal.apiserver.k8s.io",
              .kind = "StorageVersion",
              .columns = kVersionColumns,
              .cells = version_cells},
    TableRule{.group = "storagemigration.k8s.io",
              .kind = "StorageVersionMigration",
              .columns = kMigrationColumns,
              .cells = migration_cells},
};

}  // namespace

std::span<const TableRule> server_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
