#include "flyball/apiserver/tables/table.hpp"

#include <array>
#include <deque>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver {
namespace {

using tables::TableRule;

class RuleTable final : public KindTable {
 public:
  explicit RuleTable(const TableRule& rule) : rule_(rule) {}

  std::span<const TableColumn> columns() const override { return rule_.columns; }
  json::Value cells(json::View object, WallTime now) const override { return rule_.cells(object, now); }
  json::Value conditions(json::View object) const override {
    return rule_.conditions != nullptr ? rule_.conditions(object) : KindTable::conditions(object);
  }
  bool before(json::View a, json::View b) const override { return rule_.before != nullptr && rule_.before(a, b); }

  bool is_of(std::string_view group, std::string_view version, std::string_view kind) const {
    return rule_.kind == kind && rule_.group == group && (rule_.version.empty() || rule_.version == version);
  }

 private:
  const TableRule& rule_;
};

constexpr std::array kPlainColumns = {tables::kName, tables::column("Created At", "date")};

json::Value plain_cells(json::View object, WallTime /*now*/) {
  constexpr std::string_view kNoTime = "0001-01-01T00:00:00Z";
  return tables::row(tables::name_of(object), tables::text_or(object["metadata"]["creationTimestamp"], kNoTime));
}

constexpr TableRule kPlainRule{.columns = kPlainColumns, .cells = plain_cells};

const std::deque<RuleTable>& all_tables() {
  static const auto* const all = [] {
    auto* made = new std::deque<RuleTable>();  // never destroyed: threads may still print while the program ends
    for (const auto rules :
         {tables::pod_rules(), tables::workload_rules(), tables::job_rules(), tables::autoscaling_rules(),
          tables::core_rules(), tables::node_rules(), tables::event_rules(), tables::service_rules(),
          tables::network_rules(), tables::volume_rules(), tables::storage_rules(), tables::access_rules(),
          tables::certificate_rules(), tables::admission_rules(), tables::scheduling_rules(), tables::flow_rules(),
          tables::device_rules(), tables::server_rules()}) {
      for (const TableRule& rule : rules) made->emplace_back(rule);
    }
    return made;
  }();
  return *all;
}

}  // namespace

json::Value KindTable::conditions(json::View /*object*/) const { return json::Value().slice({}); }
bool KindTable::before(json::View /*a*/, json::View /*b*/) const { return false; }

const KindTable& plain_table() {
  static const RuleTable plain(kPlainRule);
  return plain;
}

const KindTable& find_table(std::string_view group, std::string_view version, std::string_view kind) {
  for (const RuleTable& table : all_tables()) {
    if (table.is_of(group, version, kind)) return table;
  }
  return plain_table();
}

}  // namespace flyball::apiserver
