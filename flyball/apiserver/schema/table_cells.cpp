#include <chrono>
#include <cmath>

#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/apiserver/tables/human.hpp"
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
    return json::Value(
        human_duration(std::chrono::seconds(now.unix_seconds() - kube::Time::parse(text).unix_seconds())));
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

}  // namespace

json::Value CustomKind::cells(json::View object, kube::Time now) const {
  json::Builder row;
  row.begin_array();
  row.string(object["metadata"]["name"].string_or(""));
  for (const Column& column : columns_) row.value(cell(column, object, now));
  return row.end().finish();
}

}  // namespace flyball::apiserver
