// TableRule: one line of the list of tables; and what the functions that fill their cells share.
//
//   constexpr std::array kLeaseColumns = {kName, column("Holder"), kAge};
//   json::Value lease_cells(json::View lease, WallTime now) {
//     return row(name_of(lease), text(lease["spec"]["holderIdentity"]), age_of(lease, now));
//   }
//   … {.group = "coordination.k8s.io", .kind = "Lease", .columns = kLeaseColumns, .cells = lease_cells},
//
// For this folder's own files. One file per group of kinds, each with its list of rules.
// Thread-safety: pure functions and constants.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/tables/human.hpp"
#include "flyball/apiserver/tables/table.hpp"
#include "flyball/json/builder.hpp"

namespace flyball::apiserver::tables {

struct TableRule {
  std::string_view group = {};
  std::string_view version = {};  // empty: every version
  std::string_view kind = {};
  std::span<const TableColumn> columns = {};
  json::Value (*cells)(json::View object, WallTime now) = nullptr;
  json::Value (*conditions)(json::View object) = nullptr;
  bool (*before)(json::View a, json::View b) = nullptr;
};

std::span<const TableRule> pod_rules();
std::span<const TableRule> workload_rules();
std::span<const TableRule> job_rules();
std::span<const TableRule> autoscaling_rules();
std::span<const TableRule> core_rules();
std::span<const TableRule> node_rules();
std::span<const TableRule> event_rules();
std::span<const TableRule> service_rules();
std::span<const TableRule> network_rules();
std::span<const TableRule> volume_rules();
std::span<const TableRule> storage_rules();
std::span<const TableRule> access_rules();
std::span<const TableRule> certificate_rules();
std::span<const TableRule> admission_rules();
std::span<const TableRule> scheduling_rules();
std::span<const TableRule> flow_rules();
std::span<const TableRule> device_rules();
std::span<const TableRule> server_rules();

constexpr TableColumn column(std::string_view name, std::string_view type = "string") {
  return {.name = name, .type = type};
}
// A column of `-o wide`.
constexpr TableColumn wide(std::string_view name) { return {.name = name, .priority = 1}; }
inline constexpr TableColumn kName{.name = "Name", .format = "name"};
inline constexpr TableColumn kAge{.name = "Age"};

inline void put(json::Builder& to, std::string_view cell) { to.string(cell); }
inline void put(json::Builder& to, const char* cell) { to.string(cell); }
inline void put(json::Builder& to, const std::string& cell) { to.string(cell); }
inline void put(json::Builder& to, json::View cell) { to.value(cell); }
inline void put(json::Builder& to, std::same_as<bool> auto cell) { to.boolean(cell); }
inline void put(json::Builder& to, std::integral auto cell)
  requires(!std::same_as<decltype(cell), bool>)
{
  to.integer(static_cast<std::int64_t>(cell));
}

// The cells of a row.
template <class... Cells>
json::Value row(const Cells&... cells) {
  json::Builder to;
  to.begin_array();
  (put(to, cells), ...);
  to.end();
  return to.finish();
}

// What is absent reads as Go's zero value.
inline std::string_view text(json::View value) { return value.string_or(""); }
inline std::string_view text_or(json::View value, std::string_view fallback) {
  return text(value).empty() ? fallback : text(value);
}
inline std::int64_t number(json::View value) { return value.is_int() ? value.as_int() : 0; }
inline bool flag(json::View value) { return value.is_bool() && value.as_bool(); }
// Go's pointer is not nil.
inline bool given(json::View value) { return value.exists() && !value.is_null(); }

inline std::string_view name_of(json::View object) { return text(object["metadata"]["name"]); }
inline std::string age_of(json::View object, WallTime now) {
  return human_age(object["metadata"]["creationTimestamp"], now);
}
inline bool being_deleted(json::View object) { return given(object["metadata"]["deletionTimestamp"]); }
inline json::View annotation(json::View object, std::string_view key) { return object["metadata"]["annotations"][key]; }

// "2/3"
std::string ratio(std::int64_t part, std::int64_t whole);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lower_text(std::string_view text);
// The strings of an array, or one member of each of its objects.
std::vector<std::string> texts(json::View array);
std::vector<std::string> texts(json::View array, std::string_view member);
// The first three, and how many there are beyond: "a,b,c + 2 more...". "<unset>" for none.
std::string first_three(const std::vector<std::string>& all);

// The first condition of that type, and whether it is "True".
json::View condition(json::View conditions, std::string_view type);
bool is_true(json::View conditions, std::string_view type);

// "a=1,b=2"; "<none>" without labels.
std::string labels_text(json::View labels);
// A LabelSelector, sorted by key: "app=web,tier in (a,b)"; "<none>" when it is empty, "<error>" when it is none.
std::string selector_text(json::View selector);
// The same of a Deployment, which keeps an empty one empty.
std::string bare_selector_text(json::View selector, std::string_view when_wrong);

// The canonical text; "0" when there is none, as Go's zero value prints.
std::string quantity_text(json::View quantity);
// A number or a string, as text.
std::string int_or_string_text(json::View value);

// Names and images of the containers of a pod's spec.
std::string container_names(json::View pod_spec);
std::string container_images(json::View pod_spec);

// Addresses a load balancer got, sorted, each once.
std::string load_balancer_text(json::View status);

}  // namespace flyball::apiserver::tables
