// Bindings of roles, and leases. Roles themselves have no table of their own.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr std::string_view kCoordination = "coordination.k8s.io";

constexpr std::array kBindingColumns = {kName,         column("Role"), kAge,
                                        wide("Users"), wide("Groups"), wide("ServiceAccounts")};

std::string subjects_text(json::View binding, std::string_view kind) {
  std::vector<std::string> names;
  for (const json::View subject : binding["subjects"].items()) {
    if (text(subject["kind"]) != kind) continue;
    std::string& name = names.emplace_back();
    if (kind == "ServiceAccount") name.append(text(subject["namespace"])).append("/");
    name += text(subject["name"]);
  }
  return join(names, ", ");
}

json::Value binding_cells(json::View object, WallTime now) {
  const json::View role = object["roleRef"];
  return row(name_of(object), std::string(text(role["kind"])) + "/" + std::string(text(role["name"])),
             age_of(object, now), subjects_text(object, "User"), subjects_text(object, "Group"),
             subjects_text(object, "ServiceAccount"));
}

constexpr std::array kLeaseColumns = {kName, column("Holder"), kAge};

json::Value lease_cells(json::View object, WallTime now) {
  return row(name_of(object), text(object["spec"]["holderIdentity"]), age_of(object, now));
}

constexpr std::array kCandidateColumns = {kName, column("LeaseName"), column("BinaryVersion"),
                                          column("EmulationVersion"), kAge};

json::Value candidate_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  return row(name_of(object), text(spec["leaseName"]), text(spec["binaryVersion"]), text(spec["emulationVersion"]),
             age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = kRbac, .kind = "RoleBinding", .columns = kBindingColumns, .cells = binding_cells},
    TableRule{.group = kRbac, .kind = "ClusterRoleBinding", .columns = kBindingColumns, .cells = binding_cells},
    TableRule{.group = kCoordination, .kind = "Lease", .columns = kLeaseColumns, .cells = lease_cells},
    TableRule{.group = kCoordination, .kind = "LeaseCandidate", .columns = kCandidateColumns, .cells = candidate_cells},
};

}  // namespace

std::span<const TableRule> access_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
