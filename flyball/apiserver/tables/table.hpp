// KindTable: what `kubectl get` prints of a kind: its columns, and the cells of one object.
//
//   const KindTable& table = find_table("apps", "v1", "Deployment");
//   table.columns()[1].name                       // "Ready"
//   table.cells(deployment, clock.wall_now())     // ["web", "1/3", 2, 1, "5d3h", "app", "app:1", "app=web"]
//
// The words and numbers are those of kube-apiserver v1.36. A kind without a table of its own has its name and its date
// of creation, as there. The printer columns of a custom resource come through the same interface.
// render_table.hpp makes the Table that clients get.
//
// Thread-safety: tables are immutable. Lifetime: those of find_table live as long as the program.
#pragma once

#include <span>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

struct TableColumn {
  std::string_view name = {};
  std::string_view type = "string";  // OpenAPI's word: string, integer, number, boolean, date
  std::string_view format = {};      // "name" for the column that names the object
  int priority = 0;                  // above 0: only `-o wide` shows it
  std::string_view description = {};
};

class KindTable {
 public:
  KindTable() = default;
  KindTable(const KindTable&) = delete;
  KindTable& operator=(const KindTable&) = delete;
  virtual ~KindTable() = default;

  virtual std::span<const TableColumn> columns() const = 0;
  // An array, one value per column. `object` is the object as JSON, of the version the table was asked for; what it
  // does not have counts as empty. Ages end at `now`.
  virtual json::Value cells(json::View object, WallTime now) const = 0;
  // What is special about the row, an array: a Pod that is done is "Completed". Absent when nothing is.
  virtual json::Value conditions(json::View object) const;
  // True when lists show their objects in an order of their own, and `a` comes before `b` in it.
  virtual bool before(json::View a, json::View b) const;
};

// The table of a built-in kind, by the kind of the object: "autoscaling", "v1", "Scale" for a scale.
const KindTable& find_table(std::string_view group, std::string_view version, std::string_view kind);
// Name and Created At: kinds without a table of their own.
const KindTable& plain_table();

}  // namespace flyball::apiserver
