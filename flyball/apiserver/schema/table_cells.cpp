#include <cmath>

#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

json::Value text_cell(json::View value) {
  if (value.is_null()) return json::Value("<no value>");
  if (value.is_array() || value.is_object()) return json::Value(json::write(value));
  return json::Value(go_print(value));
}

json::Value date_cell(json::View value, kube::Time now) {
  if (!value.is_string()) return {};
  const std::string_view text = value.as_string();
  if (text.empty() || text == "null") return json::Value("<unknown>");
  try {
    return json::Value(human_duration(now.unix_seconds() - kube::Time::parse(text).unix_seconds()));
  } catch (const InputError&) {
    return json::Value("<invalid>");
  }
}

json::Value cell(const Column& column, json::View object, kube::Time now) {
  const auto found = column.path->find(object);
  if (!found || found->empty()) return {};
  const json::View value = found->front();
  const bool number = value.kind() == json::Kind::integer || value.kind() == json::Kind::number;
  if (column.type == "string") return text_cell(value);
  if (column.type == "date") return date_cell(value, now);
  if (column.type == "boolean" && value.kind() == json::Kind::boolean) return json::Value(value.as_bool());
  if (column.type == "number" && number) return json::Value(value.as_double());
  if (column.type != "integer" || !number) return {};
  if (value.kind() == json::Kind::integer) return json::Value(value.as_int());
  const double whole = std::trunc(value.as_double());
  if (std::fabs(whole) >= 9.2e18) return json::Value(std::int64_t{INT64_MIN});
  return json::Value(static_cast<std::int64_t>(whole));
}

std::string two(std::int64_t large, char large_unit, std::int64_t small, char small_unit) {
  std::string text = std::to_string(large) + large_unit;
  if (small != 0) text.append(std::to_string(small)).push_back(small_unit);
  return text;
}

}  // namespace

json::Value CustomKind::cells(json::View object, kube::Time now) const {
  json::Builder row;
  row.begin_array();
  row.string(object["metadata"]["name"].string_or(""));
  for (const Column& column : columns_) row.value(cell(column, object, now));
  return row.end().finish();
}

std::string human_duration(std::int64_t seconds) {
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return two(seconds, 's', 0, ' ');
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return two(minutes, 'm', 0, ' ');
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return two(hours, 'h', 0, ' ');
  const std::int64_t days = hours / 24;
  if (hours < 24 * 8) return two(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return two(days, 'd', 0, ' ');
  if (hours < 24 * 365 * 8) return two(days / 365, 'y', days % 365, 'd');
  return two(days / 365, 'y', 0, ' ');
}

}  // namespace flyball::apiserver
