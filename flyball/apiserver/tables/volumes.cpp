// Volumes and the claims to them.
#include <algorithm>
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kUnset = "<unset>";

struct AccessMode {
  std::string_view name;
  const char* shown;
};
constexpr std::array kAccessModes = {AccessMode{"ReadWriteOnce", "RWO"}, AccessMode{"ReadOnlyMany", "ROX"},
                                     AccessMode{"ReadWriteMany", "RWX"}, AccessMode{"ReadWriteOncePod", "RWOP"}};

std::string modes_text(json::View modes) {
  const std::vector<std::string> has = texts(modes);
  std::vector<std::string> shown;
  for (const AccessMode& mode : kAccessModes) {
    if (std::find(has.begin(), has.end(), mode.name) != has.end()) shown.emplace_back(mode.shown);
  }
  return join(shown, ",");
}

std::string_view class_of(json::View object) {
  const json::View old = annotation(object, "volume.beta.kubernetes.io/storage-class");
  return given(old) ? text(old) : text(object["spec"]["storageClassName"]);
}

std::string_view text_or_unset(json::View value) { return given(value) ? text(value) : kUnset; }

std::string_view phase_of(json::View object) {
  return being_deleted(object) ? "Terminating" : text(object["status"]["phase"]);
}

constexpr std::array kVolumeColumns = {kName,
                                       column("Capacity"),
                                       column("Access Modes"),
                                       column("Reclaim Policy"),
                                       column("Status"),
                                       column("Claim"),
                                       column("StorageClass"),
                                       column("VolumeAttributesClass"),
                                       column("Reason"),
                                       kAge,
                                       wide("VolumeMode")};

std::string claim_text(json::View claim) {
  return given(claim) ? std::string(text(claim["namespace"])) + "/" + std::string(text(claim["name"])) : "";
}

json::Value volume_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  return row(name_of(object), quantity_text(spec["capacity"]["storage"]), modes_text(spec["accessModes"]),
             text(spec["persistentVolumeReclaimPolicy"]), phase_of(object), claim_text(spec["claimRef"]),
             class_of(object), text_or_unset(spec["volumeAttributesClassName"]), text(object["status"]["reason"]),
             age_of(object, now), text_or_unset(spec["volumeMode"]));
}

constexpr std::array kClaimColumns = {kName,
                                      column("Status"),
                                      column("Volume"),
                                      column("Capacity"),
                                      column("Access Modes"),
                                      column("StorageClass"),
                                      column("VolumeAttributesClass"),
                                      kAge,
                                      wide("VolumeMode")};

json::Value claim_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View status = object["status"];
  const bool bound = !text(spec["volumeName"]).empty();
  return row(name_of(object), phase_of(object), text(spec["volumeName"]),
             bound ? quantity_text(status["capacity"]["storage"]) : "", bound ? modes_text(status["accessModes"]) : "",
             class_of(object), text_or_unset(spec["volumeAttributesClassName"]), age_of(object, now),
             text_or_unset(spec["volumeMode"]));
}

constexpr std::array kRules = {
    TableRule{.kind = "PersistentVolume", .columns = kVolumeColumns, .cells = volume_cells},
    TableRule{.kind = "PersistentVolumeClaim", .columns = kClaimColumns, .cells = claim_cells},
};

}  // namespace

std::span<const TableRule> volume_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
