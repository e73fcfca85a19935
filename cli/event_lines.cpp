#include "cli/event_lines.hpp"

#include <algorithm>

#include "flyball/apiserver/tables/human.hpp"

namespace flyball::cli {
namespace {

// Old ones have lastTimestamp, new ones eventTime and a series.
json::View last_seen(const json::Value& event) {
  for (const json::View time : {event["series"]["lastObservedTime"], event["lastTimestamp"], event["eventTime"]}) {
    if (time.is_string()) return time;
  }
  return event["metadata"]["creationTimestamp"];
}

std::string object_of(const json::Value& event) {
  const json::View about = event["involvedObject"];
  std::string kind(about["kind"].string_or(""));
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind + "/" + std::string(about["name"].string_or(""));
}

std::string message_of(const json::Value& event) {
  std::string text(event["message"].string_or(""));
  std::ranges::replace(text, '\n', ' ');
  const json::View count = event["series"]["count"].exists() ? event["series"]["count"] : event["count"];
  if (count.is_int() && count.as_int() > 1) text += " (" + std::to_string(count.as_int()) + " times)";
  return text;
}

}  // namespace

std::vector<json::Value> find_events(Access& access, const EventQuery& query) {
  std::string fields;
  const auto add = [&](const char* field, const std::string& value) {
    if (!value.empty()) fields += (fields.empty() ? "" : ",") + std::string(field) + "=" + value;
  };
  add("involvedObject.kind", query.kind);
  add("involvedObject.name", query.name);
  add("involvedObject.uid", query.uid);
  add("type", query.type);
  auto events = access.client()
                    .dynamic({"", "v1", "Event"})
                    .list({.namespace_ = query.namespace_, .fields = kube::FieldSelector::parse(fields)})
                    .all();
  std::ranges::stable_sort(events, {}, [](const json::Value& one) { return apiserver::moment(last_seen(one)); });
  return events;
}

TextTable event_table(const std::vector<json::Value>& events, WallTime now, bool namespaces, bool objects) {
  std::vector<std::string> header{"LAST SEEN", "TYPE", "REASON"};
  if (namespaces) header.insert(header.begin(), "NAMESPACE");
  if (objects) header.emplace_back("OBJECT");
  header.emplace_back("MESSAGE");
  TextTable table(header);
  for (const json::Value& event : events) {
    std::vector<std::string> row;
    if (namespaces) row.emplace_back(event["metadata"]["namespace"].string_or(""));
    row.push_back(apiserver::human_age(last_seen(event), now));
    row.emplace_back(event["type"].string_or(""));
    row.emplace_back(event["reason"].string_or(""));
    if (objects) row.push_back(object_of(event));
    row.push_back(message_of(event));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace flyball::cli
