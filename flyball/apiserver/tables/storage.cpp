// Storage classes and drivers.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "storage.k8s.io";

constexpr std::array kClassColumns = {
    kName, column("Provisioner"), column("ReclaimPolicy"), column("VolumeBindingMode"), column("AllowVolumeExpansion"),
    kAge};

json::Value class_cells(json::View object, WallTime now) {
  std::string name(name_of(object));
  if (text(annotation(object, "storageclass.kubernetes.io/is-default-class")) == "true" ||
      text(annotation(object, "storageclass.beta.kubernetes.io/is-default-class")) == "true") {
    name += " (default)";
  }
  return row(name, text(object["provisioner"]), text_or(object["reclaimPolicy"], "Delete"),
             text_or(object["volumeBindingMode"], "Immediate"), flag(object["allowVolumeExpansion"]),
             age_of(object, now));
}

constexpr std::array kAttributesClassColumns = {kName, column("DriverName"), kAge};

json::Value attributes_class_cells(json::View object, WallTime now) {
  return row(name_of(object), text(object["driverName"]), age_of(object, now));
}

constexpr std::array kDriverColumns = {kName,
                                       column("AttachRequired", "boolean"),
                                       column("PodInfoOnMount", "boolean"),
                                       column("StorageCapacity", "boolean"),
                                       column("TokenRequests"),
                                       column("RequiresRepublish", "boolean"),
                                       column("Modes"),
                                       kAge};

json::Value driver_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View requests = spec["tokenRequests"];
  const std::string modes = join(texts(spec["volumeLifecycleModes"]), ",");
  return row(name_of(object), !given(spec["attachRequired"]) || flag(spec["attachRequired"]),
             flag(spec["podInfoOnMount"]), flag(spec["storageCapacity"]),
             given(requests) ? join(texts(requests, "audience"), ",") : "<unset>", flag(spec["requiresRepublish"]),
             modes.empty() ? "<none>" : modes, age_of(object, now));
}

constexpr std::array kCsiNodeColumns = {kName, column("Drivers", "integer"), kAge};

json::Value csi_node_cells(json::View object, WallTime now) {
  return row(name_of(object), object["spec"]["drivers"].size(), age_of(object, now));
}

constexpr std::array kAttachmentColumns = {kName,
                                           TableColumn{.name = "Attacher", .format = "name"},
                                           column("PV"),
                                           column("Node"),
                                           column("Attached", "boolean"),
                                           kAge};

json::Value attachment_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  return row(name_of(object), text(spec["attacher"]), text(spec["source"]["persistentVolumeName"]),
             text(spec["nodeName"]), flag(object["status"]["attached"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = kGroup, .kind = "StorageClass", .columns = kClassColumns, .cells = class_cells},
    TableRule{.group = kGroup,
              .kind = "VolumeAttributesClass",
              .columns = kAttributesClassColumns,
              .cells = attributes_class_cells},
    TableRule{.group = kGroup, .kind = "CSIDriver", .columns = kDriverColumns, .cells = driver_cells},
    TableRule{.group = kGroup, .kind = "CSINode", .columns = kCsiNodeColumns, .cells = csi_node_cells},
    TableRule{.group = kGroup, .kind = "VolumeAttachment", .columns = kAttachmentColumns, .cells = attachment_cells},
};

}  // namespace

std::span<const TableRule> storage_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
