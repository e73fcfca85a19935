// Nodes and their runtimes.
#include <array>
#include <set>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kNodeColumns = {kName,
                                     column("Status"),
                                     column("Roles"),
                                     kAge,
                                     column("Version"),
                                     wide("Internal-IP"),
                                     wide("External-IP"),
                                     wide("OS-Image"),
                                     wide("Kernel-Version"),
                                     wide("Container-Runtime")};

std::string status_text(json::View node) {
  std::string status = "Unknown";
  for (const json::View one : node["status"]["conditions"].items()) {
    if (text(one["type"]) == "Ready") status = text(one["status"]) == "True" ? "Ready" : "NotReady";
  }
  return flag(node["spec"]["unschedulable"]) ? status + ",SchedulingDisabled" : status;
}

std::string roles_text(json::View node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  for (const auto [key, value] : node["metadata"]["labels"].entries()) {
    if (key.starts_with(kPrefix)) {
      if (key != kPrefix) roles.emplace(key.substr(kPrefix.size()));
    } else if (key == "kubernetes.io/role" && !text(value).empty()) {
      roles.emplace(text(value));
    }
  }
  return roles.empty() ? "<none>" : join({roles.begin(), roles.end()}, ",");
}

std::string_view address(json::View node, std::string_view type) {
  for (const json::View one : node["status"]["addresses"].items()) {
    if (text(one["type"]) == type) return text(one["address"]);
  }
  return "<none>";
}

json::Value node_cells(json::View node, WallTime now) {
  const json::View info = node["status"]["nodeInfo"];
  std::string kernel(text_or(info["kernelVersion"], "<unknown>"));
  if (!text(info["architecture"]).empty()) kernel += " (" + std::string(text(info["architecture"])) + ")";
  return row(name_of(node), status_text(node), roles_text(node), age_of(node, now), text(info["kubeletVersion"]),
             address(node, "InternalIP"), address(node, "ExternalIP"), text_or(info["osImage"], "<unknown>"), kernel,
             text_or(info["containerRuntimeVersion"], "<unknown>"));
}

constexpr std::array kRuntimeClassColumns = {kName, column("Handler"), kAge};

json::Value runtime_class_cells(json::View object, WallTime now) {
  return row(name_of(object), text(object["handler"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.kind = "Node", .columns = kNodeColumns, .cells = node_cells},
    TableRule{
        .group = "node.k8s.io", .kind = "RuntimeClass", .columns = kRuntimeClassColumns, .cells = runtime_class_cells},
};

}  // namespace

std::span<const TableRule> node_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
