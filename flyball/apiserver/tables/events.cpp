// Events: the same in both groups, under other names.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::array kEventColumns = {
    column("Last Seen"), column("Type"),
    column("Reason"),    column("Object"),
    wide("Subobject"),   wide("Source"),
    column("Message"),   wide("First Seen"),
    wide("Count"),       TableColumn{.name = "Name", .format = "name", .priority = 1}};

// The members that the two groups call differently.
struct Names {
  const char* object;
  const char* source;
  const char* first;
  const char* last;
  const char* count;
  const char* message;
  const char* controller;
};

constexpr Names kCoreNames{.object = "involvedObject",
                           .source = "source",
                           .first = "firstTimestamp",
                           .last = "lastTimestamp",
                           .count = "count",
                           .message = "message",
                           .controller = "reportingComponent"};
constexpr Names kEventsNames{.object = "regarding",
                             .source = "deprecatedSource",
                             .first = "deprecatedFirstTimestamp",
                             .last = "deprecatedLastTimestamp",
                             .count = "deprecatedCount",
                             .message = "note",
                             .controller = "reportingController"};

std::string source_text(json::View event, const Names& names) {
  const json::View source = event[names.source];
  const std::string component(text_or(source["component"], text(event[names.controller])));
  const std::string_view instance = text_or(source["host"], text(event["reportingInstance"]));
  return instance.empty() ? component : component + ", " + std::string(instance);
}

std::string object_text(json::View object) {
  const std::string kind = lower_text(text(object["kind"]));
  return text(object["name"]).empty() ? kind : kind + "/" + std::string(text(object["name"]));
}

std::int64_t count_of(json::View event, const Names& names) {
  if (given(event["series"])) return number(event["series"]["count"]);
  return number(event[names.count]) == 0 ? 1 : number(event[names.count]);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

json::Value cells(json::View event, const Names& names, WallTime now) {
  const json::View first = given(event[names.first]) ? event[names.first] : event["eventTime"];
  json::View last = given(event[names.last]) ? event[names.last] : first;
  if (given(event["series"])) last = event["series"]["lastObservedTime"];
  const json::View object = event[names.object];
  return row(human_age(last, now), text(event["type"]), text(event["reason"]), object_text(object),
             text(object["fieldPath"]), source_text(event, names), trimmed(text(event[names.message])),
             human_age(first, now), count_of(event, names), name_of(event));
}

json::Value core_cells(json::View event, WallTime now) { return cells(event, kCoreNames, now); }
json::Value events_cells(json::View event, WallTime now) { return cells(event, kEventsNames, now); }

constexpr std::array kRules = {
    TableRule{.kind = "Event", .columns = kEventColumns, .cells = core_cells},
    TableRule{.group = "events.k8s.io", .kind = "Event", .columns = kEventColumns, .cells = events_cells},
};

}  // namespace

std::span<const TableRule> event_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
