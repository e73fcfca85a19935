#include "flyball/apiserver/kinds/rules.hpp"

#include <array>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "flyball/apiserver/kinds/groups.hpp"

namespace flyball::apiserver {
namespace {

using Table = std::map<std::pair<std::string_view, std::string_view>, const Rules*>;

Table make_table() {
  Table table;
  const std::array groups = {
      pod_kinds(),      service_kinds(),   config_kinds(),  cluster_kinds(), volume_kinds(),
      workload_kinds(), batch_kinds(),     storage_kinds(), rbac_kinds(),    networking_kinds(),
      policy_kinds(),   admission_kinds(), server_kinds(),
  };
  for (const std::span<const RulesOfKind> group : groups) {
    for (const RulesOfKind& entry : group) table.emplace(std::pair(entry.api_version, entry.kind), entry.rules);
  }
  return table;
}

}  // namespace

const Rules* find_rules(const reflect::Type& type) {
  static const Table table = make_table();
  if (type.kind == nullptr) return nullptr;
  const auto found = table.find({type.kind->api_version, type.kind->kind});
  return found == table.end() ? nullptr : found->second;
}

}  // namespace flyball::apiserver
