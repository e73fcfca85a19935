// Flow control of the server's requests.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "flowcontrol.apiserver.k8s.io";

constexpr std::array kSchemaColumns = {
    kName, column("PriorityLevel"), column("MatchingPrecedence"), column("DistinguisherMethod"),
    kAge,  column("MissingPL")};

json::Value schema_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View method = spec["distinguisherMethod"];
  const json::View dangling = condition(object["status"]["conditions"], "Dangling");
  return row(name_of(object), text(spec["priorityLevelConfiguration"]["name"]), number(spec["matchingPrecedence"]),
             given(method) ? text(method["type"]) : "<none>", age_of(object, now),
             given(dangling) ? text(dangling["status"]) : "?");
}

// The first that fits a request counts, so they are shown in that order.
bool schema_before(json::View a, json::View b) {
  const std::int64_t first = number(a["spec"]["matchingPrecedence"]);
  const std::int64_t second = number(b["spec"]["matchingPrecedence"]);
  return first != second ? first < second : name_of(a) < name_of(b);
}

constexpr std::array kLevelColumns = {kName,
                                      column("Type"),
                                      column("NominalConcurrencyShares"),
                                      column("Queues"),
                                      column("HandSize"),
                                      column("QueueLengthLimit"),
                                      kAge};

json::Value number_or_none(bool there, json::View value) {
  return there ? json::Value(number(value)) : json::Value("<none>");
}

json::Value level_cells(json::View object, WallTime now) {
  const json::View limited = object["spec"]["limited"];
  const json::View queuing = limited["limitResponse"]["queuing"];
  const bool queues = given(queuing);
  return row(name_of(object), text(object["spec"]["type"]),
             number_or_none(given(limited), limited["nominalConcurrencyShares"]),
             number_or_none(queues, queuing["queues"]), number_or_none(queues, queuing["handSize"]),
             number_or_none(queues, queuing["queueLengthLimit"]), age_of(object, now));
}

constexpr std::array kRules = {
    TableRule{.group = kGroup,
              .kind = "FlowSchema",
              .columns = kSchemaColumns,
              .cells = schema_cells,
              .before = schema_before},
    TableRule{.group = kGroup, .kind = "PriorityLevelConfiguration", .columns = kLevelColumns, .cells = level_cells},
};

}  // namespace

std::span<const TableRule> flow_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
